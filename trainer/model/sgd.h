// Stochastic gradient descent with momentum and weight decay, as PyTorch's SGD defines it:
// g ← gradient + decay·w;  v ← momentum·v + g;  w ← w − rate·v.
#pragma once

#include <span>

namespace spottrain {

struct SgdSettings {
  float learning_rate = 0, momentum = 0, weight_decay = 0;
};

void sgd_step(const SgdSettings& settings, std::span<const float> gradient,
              std::span<float> velocity, std::span<float> weights);

}  // namespace spottrain
