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

double ImageSums::total(int images, int channel) const {
  double sum = 0;
  for (int image = 0; image < images; ++image) sum += of(image, channel);
  return sum;
}

}  // namespace spottrain::cpu
