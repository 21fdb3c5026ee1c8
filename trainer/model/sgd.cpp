#include "trainer/model/sgd.h"

namespace spottrain {

void sgd_step(const SgdSettings& settings, std::span<const float> gradient,
              std::span<float> velocity, std::span<float> weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float g = gradient[i] + settings.weight_decay * weights[i];
    velocity[i] = settings.momentum * velocity[i] + g;
    weights[i] -= settings.learning_rate * velocity[i];
  }
}

}  // namespace spottrain
