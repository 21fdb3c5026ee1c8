// The results of engines, computed by the layers of trainer/eigen in double precision. For tests
// only.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trainer/engine/engine.h"

namespace spottrain {

struct ReferenceLoss {
  double sum = 0;
  std::vector<double> logits;
};

// A model and a batch. Both must outlive this object.
class Reference {
 public:
  Reference(const ModelDescription& model, const Batch& batch);
  ~Reference();

  // The forward pass. Batch norms use the batch's statistics in training, else the running ones. In
  // training, dropout behaves as with a seed of 1 in step 0.
  ReferenceLoss loss(std::span<const double> state, bool training);
  // ∂(mean loss)/∂(the trained values of the state). The places of the other values are zero.
  std::vector<double> gradient(std::span<const double> state);
  // One derivative by central differences of the loss, independently of the backward pass.
  double derivative(std::span<const double> state, std::size_t i);

 private:
  struct Engine;
  const Batch batch_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace spottrain
