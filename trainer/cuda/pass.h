// A complete pass on the device, and the host's side of it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "trainer/cuda/device.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {

// All but the logits, which every rank of a gang computes for itself, are of the gang's images.
enum class Program { train, gradient, evaluate, logits, update };

// How many images the device has, and how many the batch that they are a share of.
struct Share {
  unsigned own = 0, whole = 0;
  auto operator<=>(const Share&) const = default;
};

// Programs, enqueued as they are the first time and as graphs from then on.
class Programs {
 public:
  // enqueue() enqueues the same work at every call for this program and share. The first call makes
  // plans and allocates memory, which a graph cannot record.
  void run(Program program, Share share, const Stream& stream,
           const std::function<void()>& enqueue);

 private:
  struct Repeated {
    bool ran = false;
    std::optional<Graph> graph;
  };
  std::map<std::pair<Program, Share>, Repeated> programs_;
};

// The host's side of one pass, and the data that it copies to the device while another pass
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
