// A fully connected layer with a bias.
#pragma once

#include "trainer/model/layer.h"

namespace spottrain::inline small_network {

class Dense final : public Layer {
 public:
  Dense(std::string name, ImageShape input, int outputs);

  ImageShape output_shape() const override { return {1, 1, outputs_}; }
  std::vector<ParameterShape> parameters() const override;
  void initialise(Philox& random, Out parameters) const override;
  In forward(In parameters, In input, int images) override;
  void parameter_gradient(In output_gradient, Out parameter_gradient) override;
  In input_gradient(In parameters, In output_gradient) override;

 private:
  std::size_t weights() const { return inputs_ * static_cast<std::size_t>(outputs_); }

  std::string name_;
  std::size_t inputs_;
  int outputs_;
  std::vector<float> input_, output_, input_gradient_;
};

}  // namespace spottrain::inline small_network
