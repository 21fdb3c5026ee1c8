// Measures the device's time by layer, in seconds.
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

  // The stream's work from here to the next mark counts for this layer. Numbers above those of the
  // layers count for none.
  void mark(const Stream& stream, std::size_t layer);
  // The seconds by layer since the last call, slowest first. The stream must have passed all marks.
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
