// The common part of engines on this machine's processors. It stores state and moments, checks
// arguments, and splits batches for logits. A HostNetwork computes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trainer/engine/arithmetic.h"
#include "trainer/engine/engine.h"

namespace spottrain {

// The input of a pass. Labels may be null if no loss is needed.
struct Pass {
  int images = 0;
  const float* input = nullptr;
  const int* labels = nullptr;
  std::int64_t step = 0;
};

// A model's passes over a batch.
class HostNetwork {
 public:
  virtual ~HostNetwork() = default;

  // Keeps the loss, if the pass has labels. In training it also moves the running means.
  virtual void forward(const Pass& pass, bool training) = 0;
  // Sets the gradient of the mean loss of a forward pass in training.
  virtual void backward(const Pass& pass) = 0;
  virtual void optimize(const OptimizerStep& step) = 0;
  // Must be called after another object has written to the state.
  virtual void state_changed() {}

  // The loss of the last forward pass.
  virtual Loss loss(int images) const = 0;
  virtual const float* logits(int image) const = 0;
  // Implements Engine::layer_seconds().
  virtual std::vector<std::pair<std::string, double>> layer_seconds() = 0;
};

// The engine's flat vectors in tensors_of()'s order. Their addresses never change.
struct HostVectors {
  float *state, *gradient;
};

// Makes the network for these vectors. Throws std::invalid_argument for options that a processor
// does not support.
using MakeHostNetwork = std::function<std::unique_ptr<HostNetwork>(const HostVectors&)>;
std::unique_ptr<Engine> make_host_engine(const ModelDescription& model,
                                         const EngineOptions& options,
                                         const MakeHostNetwork& make_network);

}  // namespace spottrain
