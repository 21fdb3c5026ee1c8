#include "trainer/data/normalisation.h"

#include <cmath>

namespace spottrain {

Normalisation normalisation_of(const Images& images) {
  const auto channels = static_cast<std::size_t>(images.shape.channels);
  std::vector<std::uint64_t> sum(channels), squares(channels);
  for (std::size_t i = 0; i < images.pixels.size(); i += channels) {
    for (std::size_t c = 0; c < channels; ++c) {
      const std::uint64_t value = images.pixels[i + c];
      sum[c] += value;
      squares[c] += value * value;
    }
  }
  Normalisation normalisation;
  const double count = static_cast<double>(images.pixels.size() / channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = static_cast<double>(sum[c]) / count;
    const double variance = static_cast<double>(squares[c]) / count - mean * mean;
    normalisation.mean.push_back(static_cast<float>(mean));
    normalisation.scale.push_back(variance > 0 ? static_cast<float>(1 / std::sqrt(variance)) : 1);
  }
  return normalisation;
}

Normalisation fixed_normalisation(int channels) {
  const auto size = static_cast<std::size_t>(channels);
  return {.mean = std::vector(size, 127.5f), .scale = std::vector(size, 4.0f / 255.0f)};
}

}  // namespace spottrain
