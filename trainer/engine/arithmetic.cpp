#include "trainer/engine/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "trainer/engine/engine.h"

namespace spottrain {
namespace {

// Computes a power by repeated squaring, because the library's pow differs from machine to machine.
double power(double base, std::int64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 != 0) result *= base;
  }
  return result;
}

}  // namespace

// The largest number of chunks whose partial sums fit into 4 MiB. Rows are padded to 16 channels.
int most_chunks(int rows, int channels) {
  constexpr std::size_t kMostFloats = std::size_t{1} << 20;
  const auto padded = static_cast<std::size_t>((channels + 15) / 16 * 16);
  const std::size_t size = static_cast<std::size_t>(rows) * padded;
  return static_cast<int>(std::clamp<std::size_t>(kMostFloats / size, 1, kMostChunks));
}

OptimizerStep OptimizerStep::part(std::size_t first, std::size_t count_of_part) const {
  OptimizerStep part = *this;
  part.weights += first;
  part.gradient += first;
  part.moment1 += first;
  if (part.moment2) part.moment2 += first;
  part.count = count_of_part;
  return part;
}

OptimizerStep optimizer_step(const Optimizer& optimizer, const Step& step) {
  const double correction1 = 1 - power(optimizer.beta1, step.index + 1);
  const double correction2 = 1 - power(optimizer.beta2, step.index + 1);
  return {.learning_rate = static_cast<float>(step.learning_rate),
          .momentum = static_cast<float>(optimizer.momentum),
          .weight_decay = static_cast<float>(optimizer.weight_decay),
          .beta1 = static_cast<float>(optimizer.beta1),
          .beta2 = static_cast<float>(optimizer.beta2),
          .epsilon = static_cast<float>(optimizer.epsilon),
          .step_size = static_cast<float>(step.learning_rate / correction1),
          .root_correction2 = static_cast<float>(std::sqrt(correction2))};
}

}  // namespace spottrain
