// Gradients of values that every pixel shares (biases, batch norms' scales): sums over an image's
// pixels by the kernels, then over the images in double precision, in their order.
#pragma once

#include <vector>

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu {

// Per image and channel one sum of kSumLanes accumulators.
class ImageSums {
 public:
  ImageSums(int images, int channels);
  // Zeroed accumulators of one image, for a kernel to add to.
  LaneSums start(int image);
  // The sum of their lanes.
  double of(int image, int channel) const {
    const float* lane = lanes_.data() + at(image) + channel;
    return (double{lane[0]} + double{lane[channels_]}) +
           (double{lane[2 * channels_]} + double{lane[3 * channels_]});
  }
  // Σ over images, channel by channel.
  std::vector<double> totals(int images) const;

 private:
  std::ptrdiff_t at(int image) const { return std::ptrdiff_t{image} * kSumLanes * channels_; }
  int channels_;
  std::vector<float> lanes_;
};

}  // namespace spottrain::cpu
