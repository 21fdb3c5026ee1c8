// Each layer's gradients against finite differences of its own forward pass.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "trainer/data/order.h"
#include "trainer/model/conv.h"
#include "trainer/model/dense.h"
#include "trainer/model/max_pool.h"
#include "trainer/model/network.h"
#include "trainer/model/relu.h"
#include "trainer/model/softmax_loss.h"

namespace spottrain {
namespace {

constexpr int kImages = 2;
constexpr float kStep = 1.0f / 128;

std::vector<float> random_values(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  Philox random(seed, Purpose::initial_weights, 99);
  for (float& value : values) value = random.symmetric();
  return values;
}

// Values that all differ, and from zero, by more than a finite-difference step: kinks stay where
// they are.
std::vector<float> separated_values(std::size_t count) {
  const auto order = epoch_order(5, 0, static_cast<std::uint32_t>(count));
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = (static_cast<float>(order[i]) - static_cast<float>(count) / 2 + 0.5f) * 4 * kStep;
  }
  return values;
}

double weighted_sum(std::span<const float> values, std::span<const float> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += double{values[i]} * double{weights[i]};
  return sum;
}

// Compares gradient with (f(+step) − f(−step)) ÷ 2 step, at every value.
template <typename Fn>
void expect_gradient(std::vector<float>& values, std::span<const float> gradient, Fn loss) {
  ASSERT_EQ(values.size(), gradient.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float at = values[i];
    values[i] = at + kStep;
    const double above = loss();
    values[i] = at - kStep;
    const double below = loss();
    values[i] = at;
    const double expected = (above - below) / (2 * kStep);
    EXPECT_NEAR(gradient[i], expected, 2e-3 * (1 + std::abs(expected))) << "value " << i;
  }
}

void check_layer(Layer& layer, ImageShape input_shape) {
  std::vector<float> input = separated_values(kImages * input_shape.size());
  std::size_t count = 0;
  for (const ParameterShape& parameter : layer.parameters()) count += parameter.size();
  std::vector<float> parameters = random_values(count, 1);
  const auto weights = random_values(kImages * layer.output_shape().size(), 2);
  const auto loss = [&] {
    return weighted_sum(layer.forward(parameters, input, kImages), weights);
  };

  layer.forward(parameters, input, kImages);
  std::vector<float> parameter_gradient(count);
  layer.parameter_gradient(weights, parameter_gradient);
  const auto flowing = layer.input_gradient(parameters, weights);
  const std::vector<float> input_gradient(flowing.begin(), flowing.end());

  expect_gradient(parameters, parameter_gradient, loss);
  expect_gradient(input, input_gradient, loss);
}

TEST(LayerGradient, ConvolutionOfEveryStrideAndBorder) {
  for (const int stride : {1, 2}) {
    for (const ImageShape shape : {ImageShape{5, 4, 3}, ImageShape{6, 7, 2}, ImageShape{1, 1, 1}}) {
      SCOPED_TRACE(testing::Message() << "stride " << stride << ", width " << shape.width);
      Conv3x3 layer("c", shape, 4, stride);
      check_layer(layer, shape);
    }
  }
}

TEST(LayerGradient, Dense) {
  const ImageShape shape{2, 3, 4};
  Dense layer("d", shape, 5);
  check_layer(layer, shape);
}

TEST(LayerGradient, Relu) {
  const ImageShape shape{3, 2, 4};
  Relu layer(shape);
  check_layer(layer, shape);
}

TEST(LayerGradient, MaxPool) {
  const ImageShape shape{4, 6, 3};
  MaxPool2 layer(shape);
  check_layer(layer, shape);
}

TEST(LayerGradient, SoftmaxCrossEntropy) {
  std::vector<float> outputs = random_values(3 * kClasses, 4), gradient, unused;
  const std::vector<int> labels{0, 9, 4};
  softmax_cross_entropy(outputs, labels, 1, gradient);
  expect_gradient(outputs, gradient,
                  [&] { return softmax_cross_entropy(outputs, labels, 0, unused).sum; });
}

TEST(LayerGradient, TheWholeNetworkOnAPicture) {
  Network network = make_small_cnn();
  std::vector<float> parameters = network.initial_parameters(3);
  const auto input = random_values(kImages * kImageBytes, 6);
  const std::vector<int> labels{3, 8};
  std::vector<float> gradient(parameters.size());
  network.gradient(parameters, input, labels, 1, gradient);
  // Kinks of ReLU and pooling may lie within a step, so: the slope along the gradient itself.
  const double slope = weighted_sum(gradient, gradient);
  const auto loss_at = [&](double distance) {
    std::vector<float> moved = parameters;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] += static_cast<float>(distance * double{gradient[i]});
    }
    return network.evaluate(moved, input, labels).sum;
  };
  const double distance = 1e-3 / std::sqrt(slope);
  EXPECT_NEAR((loss_at(distance) - loss_at(-distance)) / (2 * distance), slope, 0.02 * slope);
}

TEST(Convolution, AgreesWithItsDefinition) {
  const ImageShape shape{5, 6, 2};
  Conv3x3 layer("c", shape, 3, 2);
  const auto input = random_values(shape.size(), 1);
  const auto parameters = random_values(9 * 2 * 3 + 3, 2);
  const auto output = layer.forward(parameters, input, 1);
  ASSERT_EQ(layer.output_shape(), (ImageShape{3, 3, 3}));
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) {
      for (int out = 0; out < 3; ++out) {
        double sum = double{parameters[static_cast<std::size_t>(54 + out)]};
        for (int i = 0; i < 18; ++i) {  // 3 rows × 3 columns × 2 channels
          const int row = 2 * y - 1 + i / 6, column = 2 * x - 1 + i / 2 % 3;
          if (row < 0 || row >= 5 || column < 0 || column >= 6) continue;
          sum += double{input[static_cast<std::size_t>((row * 6 + column) * 2 + i % 2)]} *
                 double{parameters[static_cast<std::size_t>(i * 3 + out)]};
        }
        EXPECT_NEAR(output[static_cast<std::size_t>((y * 3 + x) * 3 + out)], sum, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace spottrain
