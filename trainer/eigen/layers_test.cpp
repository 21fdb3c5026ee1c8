// Checks layers by hand, and their gradients by differences of the loss in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trainer/eigen/arrays.h"
#include "trainer/eigen/network.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/eigen/reference/reference.h"
#include "trainer/model/model_text.h"

namespace spottrain::eigen {
namespace {

// The logits of one image by a model and its state.
std::vector<double> logits_of(const std::string& text, ImageShape input, int classes,
                              const std::vector<float>& image, const std::vector<double>& state) {
  const ModelDescription model = parse_model(text, "by-hand", input, classes);
  return Reference(model, {image, std::vector<int>{0}}).loss(state, false).logits;
}

using Doubles = std::vector<double>;

TEST(LayersByHand, DenseIsAMatrixAndABias) {
  EXPECT_EQ(logits_of("dense classes", {1, 1, 2}, 3, {2, 3}, {1, 2, 3, 4, 5, 6, 10, 20, 30}),
            (Doubles{2 + 12 + 10, 4 + 15 + 20, 6 + 18 + 30}));
}

TEST(LayersByHand, ConvolutionsMeetTheImageAndZerosAroundIt) {
  // Image 0 1 2 / 3 4 5 / 6 7 8, weights 1 … 9: sums of the four corners with stride 2.
  const std::vector<float> image{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::string text = "conv 1 stride=2 bias\nmax-pool size=2\ndense classes";
  const Doubles weights{1, 2, 3, 4, 5, 6, 7, 8, 9};
  // Bottom right is 1·4 + 2·5 + 4·7 + 5·8 = 82, bottom left 2·3 + 3·4 + 5·6 + 6·7 = 90,
  // top right 4·1 + 5·2 + 7·4 + 8·5 = 82.
  Doubles state = weights;
  state.insert(state.end(), {0.5, /* dense */ 1, -1, 0, 0});
  EXPECT_EQ(logits_of(text, {3, 3, 1}, 2, image, state), (Doubles{90.5, -90.5}));
}

TEST(LayersByHand, BatchNormInEvaluationUsesTheRunningValues) {
  const Doubles state{2, 1, /* dense */ 1, 0, /* running */ 3, 4 - 1e-5};
  EXPECT_NEAR(logits_of("batch-norm\ndense classes", {1, 1, 1}, 1, {7}, state)[0],
              2 * (7 - 3) / 2.0 + 1, 1e-12);
}

TEST(LayersByHand, PoolingAverageAndPadding) {
  const std::vector<float> image{1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(logits_of("global-average-pool", {3, 3, 1}, 1, image, {}), Doubles{5});
  EXPECT_EQ(logits_of("max-pool size=3", {3, 3, 1}, 1, image, {}), Doubles{9});
  EXPECT_EQ(logits_of("subsample-pad 3\nglobal-average-pool", {3, 3, 1}, 3, image, {}),
            (Doubles{0, (1 + 3 + 7 + 9) / 4.0, 0}));
}

TEST(LayersByHand, ResidualsAddTheirInput) {
  EXPECT_EQ(logits_of("residual\nrelu\nend", {1, 1, 3}, 3, {-1, 2, -3}, {}), (Doubles{-1, 4, -3}));
}

class LayerGradients : public testing::TestWithParam<LayerCase> {};

TEST_P(LayerGradients, AgreeWithDifferencesOfTheLoss) {
  const ModelDescription model = GetParam().model();
  const TestBatch batch(model, GetParam().images, 2);
  const std::vector<float> rounded = random_state(model, 1);
  const std::vector<double> state(rounded.begin(), rounded.end());
  Reference reference(model, batch.view());
  const std::vector<double> gradient = reference.gradient(state);
  // About forty of each tensor's values.
  std::size_t first = 0;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (tensor.role == TensorRole::running) break;
    for (std::size_t i = 0; i < tensor.size(); i += 1 + tensor.size() / 40) {
      ASSERT_NEAR(gradient[first + i], reference.derivative(state, first + i), 2e-7)
          << tensor.name << " " << i;
    }
    first += tensor.size();
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LayerGradients, testing::ValuesIn(layer_cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(Fused, RoundsOnceForEveryKindOfNumber) {
  std::mt19937 random(1);
  const auto number = [&](int exponents) {
    const std::uint32_t bits = static_cast<std::uint32_t>(random());
    const std::uint32_t exponent = exponents == 0
                                       ? bits >> 23 & 0xFF
                                       : 127 - static_cast<std::uint32_t>(exponents) / 2 +
                                             (bits >> 23) % static_cast<std::uint32_t>(exponents);
    return std::bit_cast<float>((bits & 0x807FFFFF) | exponent << 23);
  };
  for (int i = 0; i < 1'000'000; ++i) {
    const int exponents = i % 3 * 8;
    const float a = number(exponents), b = number(exponents);
    float c = number(exponents);
    if (i % 5 == 0) c = -(a * b);  // what is left is the rounding
    if (i % 7 == 0)
      c = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0x807FFFFF);  // subnormal
    const float found = fused(a, b, c), expected = std::fma(a, b, c);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(found)) << a << " " << b << " " << c;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(expected))
          << a << " " << b << " " << c;
    }
  }
}

TEST(Product, AddsInTheOrderOfTheInnerIndex) {
  std::mt19937 random(2);
  const auto value = [&] { return static_cast<float>(random()) * 0x1p-31f - 1; };
  for (const Index columns : {1, 3, 4, 16, 23, 37}) {
    const Index rows = 7, inner = 19;
    const Matrix<float> a = Matrix<float>::NullaryExpr(rows, inner, value);
    const Matrix<float> b = Matrix<float>::NullaryExpr(inner, columns, value);
    Matrix<float> sums = Matrix<float>::NullaryExpr(rows, columns, value), expected = sums;
    for (Index i = 0; i < rows; ++i) {
      for (Index c = 0; c < columns; ++c) {
        for (Index k = 0; k < inner; ++k)
          expected(i, c) = std::fma(a(i, k), b(k, c), expected(i, c));
      }
    }
    add_product({a.data(), rows, inner, AnyStride(inner, 1)},
                {b.data(), inner, columns, Eigen::OuterStride<>(columns)},
                {sums.data(), rows, columns, Eigen::OuterStride<>(columns)});
    EXPECT_TRUE((sums == expected).all()) << columns;
  }
}

}  // namespace
}  // namespace spottrain::eigen
