// The largest of each 2 × 2 pixels; height and width are even.
#pragma once

#include <cstdint>

#include "trainer/model/layer.h"

namespace spottrain::inline small_network {

class MaxPool2 final : public Layer {
 public:
  explicit MaxPool2(ImageShape input);

  ImageShape output_shape() const override { return output_shape_; }
  In forward(In parameters, In input, int images) override;
  In input_gradient(In parameters, In output_gradient) override;

 private:
  // Where in the input the 2 × 2 pixels of an output pixel begin; the others are one pixel to the
  // right, one row below, and both.
  template <typename Fn>
  void for_each_window(int images, Fn fn) const;

  ImageShape input_shape_, output_shape_;
  std::vector<float> output_, input_gradient_;
  std::vector<std::uint8_t> winner_;  // 0 to 3 in reading order; the first of equals
};

}  // namespace spottrain::inline small_network
