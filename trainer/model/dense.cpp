#include "trainer/model/dense.h"

#include <algorithm>

#include "trainer/model/matrix.h"

namespace spottrain::inline small_network {

Dense::Dense(std::string name, ImageShape input, int outputs)
    : name_(std::move(name)), inputs_(input.size()), outputs_(outputs) {}

std::vector<ParameterShape> Dense::parameters() const {
  const auto out = static_cast<std::size_t>(outputs_);
  return {{name_ + ".weight", {inputs_, out}}, {name_ + ".bias", {out}}};
}

void Dense::initialise(Philox& random, Out parameters) const {
  initialise_he(random, inputs_, parameters.first(weights()));
  std::fill(parameters.begin() + static_cast<std::ptrdiff_t>(weights()), parameters.end(), 0.0f);
}

Layer::In Dense::forward(In parameters, In input, int images) {
  input_.assign(input.begin(), input.end());
  output_.resize(static_cast<std::size_t>(images) * static_cast<std::size_t>(outputs_));
  const auto inputs = static_cast<Eigen::Index>(inputs_);
  Matrix out(output_.data(), outputs_, images);
  out.noalias() =
      ConstMatrix(parameters.data(), outputs_, inputs) * ConstMatrix(input_.data(), inputs, images);
  out.colwise() += ConstVector(parameters.data() + weights(), outputs_);
  return output_;
}

void Dense::parameter_gradient(In output_gradient, Out parameter_gradient) {
  const auto inputs = static_cast<Eigen::Index>(inputs_);
  const auto images = static_cast<Eigen::Index>(input_.size()) / inputs;
  const ConstMatrix out(output_gradient.data(), outputs_, images);
  Matrix(parameter_gradient.data(), outputs_, inputs).noalias() =
      out * ConstMatrix(input_.data(), inputs, images).transpose();
  Vector(parameter_gradient.data() + weights(), outputs_) = out.rowwise().sum();
}

Layer::In Dense::input_gradient(In parameters, In output_gradient) {
  const auto inputs = static_cast<Eigen::Index>(inputs_);
  const auto images = static_cast<Eigen::Index>(input_.size()) / inputs;
  input_gradient_.resize(input_.size());
  Matrix(input_gradient_.data(), inputs, images).noalias() =
      ConstMatrix(parameters.data(), outputs_, inputs).transpose() *
      ConstMatrix(output_gradient.data(), outputs_, images);
  return input_gradient_;
}

}  // namespace spottrain::inline small_network
