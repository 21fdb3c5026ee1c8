// Compares every path of the convolution kernels with the definition, over a table of shapes.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/cpu/engines_for_test.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/eigen/reference/reference.h"

namespace spottrain::cpu {
namespace {

constexpr int kConvImages = 2;

void expect_agreement(const ModelDescription& model) {
  const std::vector<float> state = random_state(model, 5);
  const std::vector<double> exact_state(state.begin(), state.end());
  const TestBatch batch(model, kConvImages, 6);
  Reference reference(model, batch.view());
  const std::vector<double> expected = reference.gradient(exact_state);
  double scale = 1;
  for (const double g : expected) scale = std::max(scale, std::abs(g));
  std::vector<float> plain;
  for (const EngineHere& here : engines_here()) {
    const auto engine = here.make(model, {.batch_size = kConvImages});
    engine->set_state(state);
    std::vector<float> gradient(state.size());
    engine->gradient(batch.view(), {}, gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      ASSERT_NEAR(gradient[i], expected[i], 1e-5 * scale) << model.name << " " << here.name;
    }
    const std::vector<float> logits = engine->logits(batch.images);
    gradient.insert(gradient.end(), logits.begin(), logits.end());
    if (plain.empty()) plain = gradient;
    ASSERT_EQ(gradient, plain) << model.name << " " << here.name;
  }
}

TEST(ConvShapes, AgreeWithTheDefinitionAndBitForBit) {
  for (const ModelDescription& model : conv_models()) expect_agreement(model);
}

}  // namespace
}  // namespace spottrain::cpu
