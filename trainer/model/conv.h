// A convolution of 3 × 3 with padding 1 and a bias: im2col, then one product of matrices.
#pragma once

#include "trainer/model/layer.h"

namespace spottrain::inline small_network {

class Conv3x3 final : public Layer {
 public:
  // name prefixes its parameters' names; stride is 1 or 2.
  Conv3x3(std::string name, ImageShape input, int channels, int stride);

  ImageShape output_shape() const override { return output_shape_; }
  std::vector<ParameterShape> parameters() const override;
  void initialise(Philox& random, Out parameters) const override;
  In forward(In parameters, In input, int images) override;
  void parameter_gradient(In output_gradient, Out parameter_gradient) override;
  In input_gradient(In parameters, In output_gradient) override;

 private:
  // Calls fn(patch's first element, input's first element, count) for each run of elements that lie
  // side by side both in a patch (a column of patches_) and in the input.
  template <typename Fn>
  void for_each_run(int images, Fn fn) const;
  std::size_t patch_size() const { return 9 * static_cast<std::size_t>(input_shape_.channels); }
  std::size_t weights() const {
    return patch_size() * static_cast<std::size_t>(output_shape_.channels);
  }

  std::string name_;
  ImageShape input_shape_, output_shape_;
  int stride_;
  std::vector<float> patches_, output_, patch_gradient_, input_gradient_;
};

}  // namespace spottrain::inline small_network
