// cuDNN's plan for one convolution. cuDNN's heuristics choose it, not measurements, so equal
// machines choose equally and a resumed run computes the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "trainer/cuda/libraries.h"
#include "trainer/cuda/nvidia/descriptor.h"

namespace spottrain::cuda {

enum class Direction { forward, backward_data, backward_weights };

// The choices for a plan. Images and weights are bfloat16 under Precision::bf16, else float32; sums
// are float32.
struct PlanChoice {
  Precision precision = Precision::fp32;
  bool deterministic = false;
  bool accumulate = false;                            // add to the existing result
  std::size_t most_workspace = std::size_t{1} << 30;  // bytes
};

// The tensors' names in a plan's variant pack.
inline constexpr std::int64_t kImagesUid = 1, kWeightsUid = 2, kResultUid = 3;

class ConvolutionPlan {
 public:
  // `device` is a finalized CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR. If no engine computes this, it
  // throws std::runtime_error with the reason of cuDNN.
  ConvolutionPlan(const ConvolutionShape& shape, Direction direction, const PlanChoice& choice,
                  const Descriptor& device);

  const Descriptor& plan() const { return plan_; }
  std::size_t workspace() const { return workspace_; }
  // cuDNN's engine and its knobs, "eng17{2=4,6=1}".
  const std::string& engine() const { return engine_; }

 private:
  Descriptor plan_;
  std::size_t workspace_ = 0;
  std::string engine_;
};

}  // namespace spottrain::cuda
