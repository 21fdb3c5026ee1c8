// Compares a ResNet-20 with PyTorch in double precision (golden/resnet20.py).
#include <gtest/gtest.h>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/golden/compare_for_test.h"

namespace spottrain::cpu {
namespace {

using golden::expect_near;
using golden::golden_values;

// In resnet20.py, PyTorch's own float32 has errors of 1e-4 in the losses, and of 4e-2 of a tensor's
// norm in the state (small shifts that grew from zero). Its errors are 5e-3 in the logits and 7e-3
// in the gradient.
constexpr double kLosses = 2e-4, kState = 4e-2, kLogits = 5e-3, kGradient = 1e-4;

struct GoldenCase {
  std::string name;
  Optimizer optimizer;
  double rate;
};
void PrintTo(const GoldenCase& c, std::ostream* out) { *out << c.name; }

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, TenStepsOfResNet20) {
  const nlohmann::json golden = golden_values()[GetParam().name];
  const ModelDescription model = golden::model();
  const auto engine = make_cpu_engine(
      model, {.optimizer = GetParam().optimizer, .batch_size = golden::kImages, .threads = 2});
  engine->set_state(initial_state(model, golden::kSeed));
  const std::vector<TestBatch> batches = golden::batches();
  for (int step = 0; step < golden::kSteps; ++step) {
    const auto at = static_cast<std::size_t>(step);
    const double loss = golden["losses"][at];
    const Loss found = engine->train(batches[at].view(), {step, GetParam().rate});
    EXPECT_NEAR(found.sum / golden::kImages, loss, kLosses * loss) << step;
  }
  expect_near(engine->state(), golden["state"], kState);
  const std::vector<float> logits = engine->logits(batches[0].images);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(logits[i], golden["logits"][i].get<double>(), kLogits) << i;
  }
}

TEST(Golden, FirstGradientOfResNet20) {
  const ModelDescription model = golden::model();
  const auto engine = make_cpu_engine(model, {.batch_size = golden::kImages});
  engine->set_state(initial_state(model, golden::kSeed));
  std::vector<float> gradient(trained_size(model));
  engine->gradient(golden::batches()[0].view(), {}, gradient);
  expect_near(gradient, golden_values()["sgd"]["first_gradient"], kGradient);
}

const GoldenCase kGoldenCases[] = {
    {"sgd", {.kind = Optimizer::Kind::sgd, .weight_decay = 1e-3}, 0.02},
    {"adam", {.kind = Optimizer::Kind::adam, .weight_decay = 1e-3}, 2e-4},
};

std::string name_of_golden(const testing::TestParamInfo<GoldenCase>& instance) {
  return instance.param.name;
}

INSTANTIATE_TEST_SUITE_P(Optimizers, Golden, testing::ValuesIn(kGoldenCases), name_of_golden);

}  // namespace
}  // namespace spottrain::cpu
