// What the engine computes, in double precision and by the definitions: for tests only.
#pragma once

#include <span>
#include <vector>

#include "trainer/engine/engine.h"

namespace spottrain::cpu {

struct ReferenceLoss {
  double sum = 0;
  std::vector<double> logits;
};

// Forward with the batch's own statistics in batch norms if training, else with the running ones.
// In training, dropout drops what it does with a seed of 1 in step 0.
ReferenceLoss reference_loss(const ModelDescription& model, std::span<const double> state,
                             const Batch& batch, bool training);

// ∂(mean loss)/∂state[i] by central differences.
double reference_derivative(const ModelDescription& model, std::span<const double> state,
                            const Batch& batch, std::size_t i);

}  // namespace spottrain::cpu
