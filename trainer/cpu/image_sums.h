// Gradients of values that every pixel shares, such as biases and the scales of batch norms. The
// kernels sum over an image's pixels. Then the images are summed in double precision, in their
// order.
#pragma once

#include <vector>

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu {

// For each image and channel, one sum in kSumLanes accumulators.
class ImageSums {
 public:
  ImageSums(int images, int channels);
  // The zeroed accumulators of one image, to which a kernel adds.
  LaneSums start(int image);
  // The sum of the lanes of one image and channel.
  double of(int image, int channel) const {
    const float* lane = lanes_.data() + at(image) + channel;
    return (double{lane[0]} + double{lane[channels_]}) +
           (double{lane[2 * channels_]} + double{lane[3 * channels_]});
  }
  // The sums over images, channel by channel.
  std::vector<double> totals(int images) const;

 private:
  std::ptrdiff_t at(int image) const { return std::ptrdiff_t{image} * kSumLanes * channels_; }
  int channels_;
  std::vector<float> lanes_;
};

}  // namespace spottrain::cpu
