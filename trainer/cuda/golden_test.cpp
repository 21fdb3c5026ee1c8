// Compares a ResNet-20 with PyTorch in double precision (trainer/cpu/golden/resnet20.py).
#include "base/long_for_test.h"
#include "trainer/cpu/golden/compare_for_test.h"
#include "trainer/cuda/engine_for_test.h"

namespace spottrain::cuda {
namespace {

namespace golden = cpu::golden;

// PyTorch's own float32 has errors of 1e-4 in the losses and 4e-2 of a tensor's norm in the state.
// They are 5e-3 in the logits and 7e-3 in the gradient. Sums in another order may have twice these
// errors.
constexpr double kLosses = 4e-4, kState = 8e-2, kLogits = 1e-2, kGradient = 1.5e-2;

class Golden : public OnTestedEngine<testing::Test> {
 protected:
  const nlohmann::json values = golden::golden_values();
  const ModelDescription model = golden::model();
  const std::vector<TestBatch> batches = golden::batches();
  std::unique_ptr<Engine> engine(const Optimizer& optimizer) const {
    auto engine = tested_engine(model, {.optimizer = optimizer, .batch_size = golden::kImages});
    engine->set_state(initial_state(model, golden::kSeed));
    return engine;
  }
  void expect_ten_steps(const nlohmann::json& expected, const Optimizer& optimizer,
                        double rate) const {
    if (is_emulated()) GTEST_SKIP() << "too slow in an emulation";
    const auto tested = engine(optimizer);
    for (int step = 0; step < golden::kSteps; ++step) {
      const auto at = static_cast<std::size_t>(step);
      const double loss = expected["losses"][at];
      const Loss found = tested->train(batches[at].view(), {step, rate});
      EXPECT_NEAR(found.sum / golden::kImages, loss, kLosses * loss) << step;
    }
    golden::expect_near(tested->state(), expected["state"], kState);
    const std::vector<float> logits = tested->logits(batches[0].images);
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_NEAR(logits[i], expected["logits"][i].get<double>(), kLogits) << i;
    }
  }
};

TEST_F(Golden, FirstGradientOfResNet20) {
  if (is_emulated()) ONLY_AMONG_LONG_TESTS();
  std::vector<float> gradient(trained_size(model));
  engine({})->gradient(batches[0].view(), {}, gradient);
  golden::expect_near(gradient, values["sgd"]["first_gradient"], kGradient);
}

TEST_F(Golden, TenStepsOfResNet20BySgd) {
  expect_ten_steps(values["sgd"], {.kind = Optimizer::Kind::sgd, .weight_decay = 1e-3}, 0.02);
}

TEST_F(Golden, TenStepsOfResNet20ByAdam) {
  expect_ten_steps(values["adam"], {.kind = Optimizer::Kind::adam, .weight_decay = 1e-3}, 2e-4);
}

}  // namespace
}  // namespace spottrain::cuda
