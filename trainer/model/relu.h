// max(x, 0).
#pragma once

#include "trainer/model/layer.h"

namespace spottrain::inline small_network {

class Relu final : public Layer {
 public:
  explicit Relu(ImageShape shape) : shape_(shape) {}

  ImageShape output_shape() const override { return shape_; }
  In forward(In parameters, In input, int images) override;
  In input_gradient(In parameters, In output_gradient) override;

 private:
  ImageShape shape_;
  std::vector<float> output_, input_gradient_;
};

}  // namespace spottrain::inline small_network
