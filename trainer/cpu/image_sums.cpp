#include "trainer/cpu/image_sums.h"

#include <algorithm>

namespace spottrain::cpu {

ImageSums::ImageSums(int images, int channels)
    : channels_(channels),
      lanes_(static_cast<std::size_t>(images) * static_cast<std::size_t>(kSumLanes * channels)) {}

LaneSums ImageSums::start(int image) {
  float* lanes = lanes_.data() + at(image);
  std::fill_n(lanes, kSumLanes * channels_, 0.0f);
  return lanes;
}

std::vector<double> ImageSums::totals(int images) const {
  std::vector<double> sums(static_cast<std::size_t>(channels_));
  for (int image = 0; image < images; ++image) {
    for (int c = 0; c < channels_; ++c) sums[static_cast<std::size_t>(c)] += of(image, c);
  }
  return sums;
}

}  // namespace spottrain::cpu
