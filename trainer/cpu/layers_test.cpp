// Tests every layer in small models. All engines agree bit for bit, and agree with the definitions
// in double precision.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/cpu/engines_for_test.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/eigen/reference/reference.h"

namespace spottrain::cpu {
namespace {

// Relative to the largest compared value. Errors of float32 sums with some thousand terms are
// smaller.
constexpr double kTolerance = 2e-5;

class Layers : public testing::TestWithParam<LayerCase> {
 protected:
  const ModelDescription model = GetParam().model();
  const std::vector<float> state = random_state(model, 1);
  const std::vector<double> exact{state.begin(), state.end()};
  const TestBatch batch{model, GetParam().images, 2};
  Reference reference{model, batch.view()};

  std::unique_ptr<Engine> engine(const EngineHere& here) const {
    auto engine = here.make(model, {.batch_size = GetParam().images, .threads = 2});
    engine->set_state(state);
    return engine;
  }
};

TEST_P(Layers, ForwardAgreesWithTheDefinitions) {
  const ReferenceLoss expected = reference.loss(exact, false);
  std::vector<float> plain;
  for (const EngineHere& here : engines_here()) {
    const auto tested = engine(here);
    const std::vector<float> logits = tested->logits(batch.images);
    if (plain.empty()) plain = logits;
    EXPECT_EQ(logits, plain) << here.name;
    ASSERT_EQ(logits.size(), expected.logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) {
      EXPECT_NEAR(logits[i], expected.logits[i], kTolerance * (1 + std::abs(expected.logits[i])));
    }
    EXPECT_NEAR(tested->evaluate(batch.view()).sum, expected.sum, kTolerance * (1 + expected.sum));
  }
}

TEST_P(Layers, GradientAgreesWithTheDefinitions) {
  const double expected_loss = reference.loss(exact, true).sum;
  const std::vector<double> expected = reference.gradient(exact);
  double largest = 1e-3;
  for (const double g : expected) largest = std::max(largest, std::abs(g));
  std::vector<float> plain;
  for (const EngineHere& here : engines_here()) {
    std::vector<float> gradient(trained_size(model));
    const Loss loss = engine(here)->gradient(batch.view(), {}, gradient);
    if (plain.empty()) plain = gradient;
    EXPECT_EQ(gradient, plain) << here.name;
    EXPECT_NEAR(loss.sum, expected_loss, kTolerance * (1 + expected_loss));
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      ASSERT_NEAR(gradient[i], expected[i], kTolerance * largest) << here.name << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Layers, testing::ValuesIn(layer_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace spottrain::cpu
