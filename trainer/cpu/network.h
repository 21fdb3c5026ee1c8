// A model as nodes with their memory and the passes over them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trainer/cpu/kernels/kernels.h"
#include "trainer/cpu/nodes.h"
#include "trainer/cpu/softmax_loss.h"
#include "trainer/engine/engine.h"
#include "trainer/engine/graph.h"

namespace spottrain::cpu {

class Network {
 public:
  // state and gradient are the engine's flat vectors, in tensors_of()'s order; they stay where they
  // are.
  Network(const ModelGraph& graph, const EngineOptions& options, const Kernels& kernels,
          float* state, float* gradient);

  int classes() const { return logits_.shape().channels; }
  const float* logits(int image) const { return logits_.data->row(image, 0); }
  // Of the last pass.
  Loss loss(int images) const { return losses_.total(images); }

  // To be done, in any order, once weights have changed.
  const std::vector<std::function<void()>>& packing() const { return packing_; }
  // Forward; with the loss if the pass has labels.
  const Stages& training() const { return training_; }
  const Stages& inference() const { return inference_; }
  // Of the mean loss; the first call takes the memory for gradients.
  const Stages& backward();

 private:
  void plan_forward();
  void add_loss(Stages& stages);

  const EngineOptions options_;
  Scratch scratch_;
  std::vector<Value> values_;
  std::vector<std::unique_ptr<Node>> nodes_;  // node i is layer i + 1 of the graph's layers()
  const int loss_layer_;
  Value& logits_;
  SoftmaxLoss losses_;
  std::vector<std::function<void()>> packing_;
  Stages training_, inference_;
  std::optional<Backward> backward_;
};

}  // namespace spottrain::cpu
