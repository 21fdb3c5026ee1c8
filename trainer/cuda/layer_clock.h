// Seconds of the device by layer.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "trainer/cuda/device.h"

namespace spottrain::cuda {

class LayerClock {
 public:
  explicit LayerClock(std::vector<std::string> layers);

  // From here on the stream works for this layer, until the next mark; any number past the layers'
  // stands for none.
  void mark(const Stream& stream, std::size_t layer);
  // Once the stream has passed all marks: the seconds by layer since the last call, slowest first.
  std::vector<std::pair<std::string, double>> take();

 private:
  struct Mark {
    std::size_t layer;
    Event event;
  };
  std::vector<std::string> layers_;
  std::deque<Mark> marks_;
};

}  // namespace spottrain::cuda
