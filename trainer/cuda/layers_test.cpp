// Compares every layer, in small models, with the definitions in double precision.
#include <cmath>

#include "trainer/cuda/engine_for_test.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/eigen/reference/reference.h"

namespace spottrain::cuda {
namespace {

// Relative to the largest compared value.
constexpr double kTolerance = 1e-4;

class Layers : public OnTestedEngine<testing::TestWithParam<LayerCase>> {
 protected:
  const ModelDescription model = GetParam().model();
  const std::vector<float> state = random_state(model, 1);
  const std::vector<double> exact{state.begin(), state.end()};
  const TestBatch batch{model, GetParam().images, 2};

  std::unique_ptr<Engine> engine(Precision precision) const {
    auto engine = tested_engine(model, {.batch_size = GetParam().images, .precision = precision});
    engine->set_state(state);
    return engine;
  }
};

TEST_P(Layers, ForwardAgreesWithTheDefinitions) {
  const auto tested = engine(Precision::fp32);
  const std::vector<float> logits = tested->logits(batch.images);
  const ReferenceLoss expected = Reference(model, batch.view()).loss(exact, false);
  ASSERT_EQ(logits.size(), expected.logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    EXPECT_NEAR(logits[i], expected.logits[i], kTolerance * (1 + std::abs(expected.logits[i])));
  }
  EXPECT_NEAR(tested->evaluate(batch.view()).sum, expected.sum, kTolerance * (1 + expected.sum));
}

TEST_P(Layers, GradientAgreesWithTheDefinitions) {
  const auto tested = engine(Precision::fp32);
  std::vector<float> gradient(trained_size(model));
  const Loss loss = tested->gradient(batch.view(), {}, gradient);
  Reference reference(model, batch.view());
  const double expected_loss = reference.loss(exact, true).sum;
  EXPECT_NEAR(loss.sum, expected_loss, kTolerance * (1 + expected_loss));
  double largest = 1e-3;
  for (const float g : gradient) largest = std::max(largest, std::abs(double{g}));
  const std::vector<double> expected = reference.gradient(exact);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    EXPECT_NEAR(gradient[i], expected[i], kTolerance * largest) << i;
  }
}

// bfloat16 has 8 bits of mantissa, so gradients have the same direction within a few degrees.
TEST_P(Layers, Bfloat16GradientsHaveTheSameDirection) {
  std::vector<float> exact_gradient(trained_size(model)), rounded_gradient(trained_size(model));
  const Loss loss = engine(Precision::fp32)->gradient(batch.view(), {}, exact_gradient);
  const Loss rounded = engine(Precision::bf16)->gradient(batch.view(), {}, rounded_gradient);
  EXPECT_NEAR(rounded.sum, loss.sum, 0.05 * (1 + loss.sum));
  double product = 0, square = 0, rounded_square = 0;
  for (std::size_t i = 0; i < exact_gradient.size(); ++i) {
    product += double{exact_gradient[i]} * double{rounded_gradient[i]};
    square += double{exact_gradient[i]} * double{exact_gradient[i]};
    rounded_square += double{rounded_gradient[i]} * double{rounded_gradient[i]};
  }
  EXPECT_GT(product / std::sqrt(square * rounded_square), 0.99);
  EXPECT_NE(exact_gradient, rounded_gradient);
}

INSTANTIATE_TEST_SUITE_P(Models, Layers, testing::ValuesIn(layer_cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace spottrain::cuda
