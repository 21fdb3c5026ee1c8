#include "trainer/model/layer.h"

#include <algorithm>
#include <cmath>

namespace spottrain::inline small_network {

std::size_t ParameterShape::size() const {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return size;
}

void initialise_he(Philox& random, std::size_t fan_in, std::span<float> weights) {
  const float bound = std::sqrt(6.0f / static_cast<float>(fan_in));
  std::generate(weights.begin(), weights.end(), [&] { return bound * random.symmetric(); });
}

}  // namespace spottrain::inline small_network
