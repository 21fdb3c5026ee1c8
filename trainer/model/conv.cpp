#include "trainer/model/conv.h"

#include <algorithm>

#include "trainer/model/matrix.h"

namespace spottrain::inline small_network {

Conv3x3::Conv3x3(std::string name, ImageShape input, int channels, int stride)
    : name_(std::move(name)),
      input_shape_(input),
      output_shape_{(input.height - 1) / stride + 1, (input.width - 1) / stride + 1, channels},
      stride_(stride) {}

std::vector<ParameterShape> Conv3x3::parameters() const {
  const auto out = static_cast<std::size_t>(output_shape_.channels);
  // Eigen's matrices are column-major, so the output channel is the fastest index.
  return {{name_ + ".weight", {3, 3, static_cast<std::size_t>(input_shape_.channels), out}},
          {name_ + ".bias", {out}}};
}

void Conv3x3::initialise(Philox& random, Out parameters) const {
  initialise_he(random, patch_size(), parameters.first(weights()));
  std::fill(parameters.begin() + static_cast<std::ptrdiff_t>(weights()), parameters.end(), 0.0f);
}

template <typename Fn>
void Conv3x3::for_each_run(int images, Fn fn) const {
  const int channels = input_shape_.channels;
  std::size_t patch = 0;
  for (int image = 0; image < images; ++image) {
    const std::size_t base = static_cast<std::size_t>(image) * input_shape_.size();
    for (int y = 0; y < output_shape_.height; ++y) {
      for (int x = 0; x < output_shape_.width; ++x, patch += patch_size()) {
        // The columns of the patch that are inside the image: of each row, one run.
        const int left = x * stride_ - 1;
        const int first = std::max(0, -left), end = std::min(3, input_shape_.width - left);
        for (int dy = 0; dy < 3; ++dy) {
          const int row = y * stride_ - 1 + dy;
          if (row < 0 || row >= input_shape_.height) continue;
          fn(patch + static_cast<std::size_t>((dy * 3 + first) * channels),
             base + static_cast<std::size_t>((row * input_shape_.width + left + first) * channels),
             static_cast<std::size_t>((end - first) * channels));
        }
      }
    }
  }
}

Layer::In Conv3x3::forward(In parameters, In input, int images) {
  const std::size_t pixels = static_cast<std::size_t>(images) * output_shape_.size() /
                             static_cast<std::size_t>(output_shape_.channels);
  patches_.assign(pixels * patch_size(), 0.0f);
  output_.resize(pixels * static_cast<std::size_t>(output_shape_.channels));
  for_each_run(images, [&](std::size_t patch, std::size_t from, std::size_t count) {
    std::copy_n(input.data() + from, count, patches_.data() + patch);
  });
  const auto depth = static_cast<Eigen::Index>(patch_size());
  const auto columns = static_cast<Eigen::Index>(pixels);
  Matrix out(output_.data(), output_shape_.channels, columns);
  out.noalias() = ConstMatrix(parameters.data(), output_shape_.channels, depth) *
                  ConstMatrix(patches_.data(), depth, columns);
  out.colwise() += ConstVector(parameters.data() + weights(), output_shape_.channels);
  return output_;
}

void Conv3x3::parameter_gradient(In output_gradient, Out parameter_gradient) {
  const auto depth = static_cast<Eigen::Index>(patch_size());
  const auto columns = static_cast<Eigen::Index>(patches_.size() / patch_size());
  const ConstMatrix out(output_gradient.data(), output_shape_.channels, columns);
  Matrix(parameter_gradient.data(), output_shape_.channels, depth).noalias() =
      out * ConstMatrix(patches_.data(), depth, columns).transpose();
  Vector(parameter_gradient.data() + weights(), output_shape_.channels) = out.rowwise().sum();
}

Layer::In Conv3x3::input_gradient(In parameters, In output_gradient) {
  const auto depth = static_cast<Eigen::Index>(patch_size());
  const auto columns = static_cast<Eigen::Index>(patches_.size() / patch_size());
  const int images = static_cast<int>(output_gradient.size() / output_shape_.size());
  patch_gradient_.resize(patches_.size());
  Matrix(patch_gradient_.data(), depth, columns).noalias() =
      ConstMatrix(parameters.data(), output_shape_.channels, depth).transpose() *
      ConstMatrix(output_gradient.data(), output_shape_.channels, columns);
  input_gradient_.assign(static_cast<std::size_t>(images) * input_shape_.size(), 0.0f);
  for_each_run(images, [&](std::size_t patch, std::size_t to, std::size_t count) {
    const float* from = patch_gradient_.data() + patch;
    float* sum = input_gradient_.data() + to;
    for (std::size_t i = 0; i < count; ++i) sum[i] += from[i];
  });
  return input_gradient_;
}

}  // namespace spottrain::inline small_network
