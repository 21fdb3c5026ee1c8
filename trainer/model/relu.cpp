#include "trainer/model/relu.h"

namespace spottrain::inline small_network {

Layer::In Relu::forward(In, In input, int) {
  output_.resize(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) output_[i] = input[i] > 0 ? input[i] : 0;
  return output_;
}

Layer::In Relu::input_gradient(In, In output_gradient) {
  input_gradient_.resize(output_gradient.size());
  for (std::size_t i = 0; i < output_gradient.size(); ++i) {
    input_gradient_[i] = output_[i] > 0 ? output_gradient[i] : 0;
  }
  return input_gradient_;
}

}  // namespace spottrain::inline small_network
