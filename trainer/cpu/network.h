// A model as nodes with their memory and the passes over them.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trainer/cpu/kernels/kernels.h"
#include "trainer/cpu/nodes.h"
#include "trainer/cpu/softmax_loss.h"
#include "trainer/engine/engine.h"

namespace spottrain::cpu {

class Network {
 public:
  // state and gradient are the engine's flat vectors, in tensors_of()'s order; they stay where they
  // are. Throws std::invalid_argument for a model that does not end in one value a class.
  Network(const ModelDescription& model, const EngineOptions& options, const Kernels& kernels,
          float* state, float* gradient);

  int classes() const { return logits_->shape().channels; }
  const float* logits(int image) const { return logits_->data->row(image, 0); }
  const std::vector<std::string>& layers() const { return layer_names_; }
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
  using Chain = std::span<const Layer>;
  struct Numbered {
    int layer;
    std::unique_ptr<Node> node;
  };

  Value* chain(Chain layers, Value* input);
  Value* residual(const Layer& layer, Value* input, bool relu);
  // Adds the node of one layer that is not a residual.
  Value* add(const Layer& layer, Value* input, Value* addend, bool relu);
  Place place(const Layer& layer, Value* input);
  void plan_forward();
  void add_loss(Stages& stages);
  int numbered(std::string layer);

  const EngineOptions options_;
  const Kernels& kernels_;
  const std::vector<TensorInfo> tensors_;
  float *const state_, *const gradient_;
  std::vector<std::string> layer_names_;
  int dropouts_ = 0;
  Scratch scratch_;
  std::deque<Value> values_;
  std::vector<Numbered> nodes_;
  Value *input_ = nullptr, *logits_ = nullptr;
  SoftmaxLoss losses_;
  std::vector<std::function<void()>> packing_;
  Stages training_, inference_;
  std::optional<Backward> backward_;
};

}  // namespace spottrain::cpu
