// A complete pass on the device, and the host's part of it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "trainer/cuda/device.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {

// The kinds of passes. Every rank of a gang computes logits for itself; all other passes are over
// the gang's images.
enum class Program { train, gradient, evaluate, logits, update };

// The number of images on this device, and in the batch of which they are a share.
struct Share {
  unsigned own = 0, whole = 0;
  auto operator<=>(const Share&) const = default;
};

// Runs programs: each the first time by enqueuing its work, and later as a graph.
class Programs {
 public:
  // enqueue() must enqueue the same work at every call for this program and share. The first call
  // makes plans and allocates memory, which a graph cannot record.
  void run(Program program, Share share, const Stream& stream,
           const std::function<void()>& enqueue);

 private:
  struct Repeated {
    bool ran = false;
    std::optional<Graph> graph;
  };
  std::map<std::pair<Program, Share>, Repeated> programs_;
};

// The host's part of one pass, and the data that it copies to the device while another pass
// computes.
struct Slot {
  Slot(std::size_t batch, std::size_t image_size)
      : images(batch * image_size), labels(batch), staging(batch * image_size) {}

  PinnedArray<float> images;
  PinnedArray<int> labels;
  PinnedArray<StepParameters> step{1};
  PinnedArray<LossSums> sums{1};
  Array<float> staging;
  Event uploaded, done;
};

StepParameters parameters_of(const Step& step, const Optimizer& optimizer);

}  // namespace spottrain::cuda
