#include "trainer/model/network.h"

#include <mutex>

#include "trainer/model/conv.h"
#include "trainer/model/dense.h"
#include "trainer/model/matrix.h"
#include "trainer/model/max_pool.h"
#include "trainer/model/relu.h"

namespace spottrain::inline small_network {
namespace {

// Eigen splits sums by the cache sizes that it reads from the processor; sums split elsewhere round
// elsewhere. With these fixed, the machine has no say.
void fix_blocking() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 256 << 10, 2 << 20); });
}

}  // namespace

Network::Network(std::vector<std::unique_ptr<Layer>> layers) {
  fix_blocking();
  for (std::unique_ptr<Layer>& layer : layers) {
    std::size_t count = 0;
    for (const ParameterShape& parameter : layer->parameters()) count += parameter.size();
    layers_.push_back({std::move(layer), count_, count});
    count_ += count;
  }
}

std::vector<ParameterShape> Network::parameters() const {
  std::vector<ParameterShape> all;
  for (const Placed& placed : layers_) {
    for (ParameterShape& parameter : placed.layer->parameters())
      all.push_back(std::move(parameter));
  }
  return all;
}

std::vector<float> Network::initial_parameters(std::uint64_t seed) const {
  std::vector<float> parameters(count_);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Philox random(seed, Purpose::initial_weights, i);
    layers_[i].layer->initialise(
        random, std::span(parameters).subspan(layers_[i].offset, layers_[i].count));
  }
  return parameters;
}

std::span<const float> Network::forward(std::span<const float> parameters,
                                        std::span<const float> input, int images) {
  for (Placed& placed : layers_) {
    input = placed.layer->forward(parameters.subspan(placed.offset, placed.count), input, images);
  }
  return input;
}

Loss Network::gradient(std::span<const float> parameters, std::span<const float> input,
                       std::span<const int> labels, float scale, std::span<float> gradient) {
  const auto outputs = forward(parameters, input, static_cast<int>(labels.size()));
  const Loss loss = softmax_cross_entropy(outputs, labels, scale, output_gradient_);
  std::span<const float> flowing = output_gradient_;
  for (std::size_t i = layers_.size(); i-- > 0;) {
    Placed& placed = layers_[i];
    placed.layer->parameter_gradient(flowing, gradient.subspan(placed.offset, placed.count));
    if (i == 0) break;  // nobody asks for the gradient of the pictures
    flowing =
        placed.layer->input_gradient(parameters.subspan(placed.offset, placed.count), flowing);
  }
  return loss;
}

Loss Network::evaluate(std::span<const float> parameters, std::span<const float> input,
                       std::span<const int> labels) {
  const auto outputs = forward(parameters, input, static_cast<int>(labels.size()));
  return softmax_cross_entropy(outputs, labels, 0, output_gradient_);
}

Network make_small_cnn() {
  std::vector<std::unique_ptr<Layer>> layers;
  const auto add = [&](auto layer) {
    layers.push_back(std::make_unique<decltype(layer)>(std::move(layer)));
    return layers.back()->output_shape();
  };
  ImageShape shape{kImageSide, kImageSide, kImageChannels};
  shape = add(Conv3x3("conv1", shape, 8, 2));
  shape = add(Relu(shape));
  shape = add(MaxPool2(shape));
  shape = add(Conv3x3("conv2", shape, 16, 1));
  shape = add(Relu(shape));
  shape = add(MaxPool2(shape));
  add(Dense("dense", shape, kClasses));
  return Network(std::move(layers));
}

std::string numeric_class() {
#ifdef __FMA__
  constexpr std::string_view fused = "fma";
#else
  constexpr std::string_view fused = "no-fma";
#endif
  return "float32 eigen-" + std::to_string(EIGEN_WORLD_VERSION) + "." +
         std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) + " " +
         Eigen::SimdInstructionSetsInUse() + " " + std::string(fused);
}

void append_normalised(std::span<const std::uint8_t> pixels, std::vector<float>& batch) {
  for (const std::uint8_t value : pixels) {
    batch.push_back((static_cast<float>(value) - 127.5f) * (4.0f / 255.0f));
  }
}

}  // namespace spottrain::inline small_network
