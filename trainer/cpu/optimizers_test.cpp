// Compares the optimizers with their formulas (trainer/engine/engine.h) in double precision.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/cpu/engine.h"
#include "trainer/eigen/reference/models_for_test.h"

namespace spottrain::cpu {
namespace {

using Kind = Optimizer::Kind;

struct Weight {
  double w = 0, first = 0, second = 0;
};

void reference_step(const Optimizer& o, double rate, int step, double g, Weight& x) {
  if (o.kind == Kind::adamw) {
    x.w -= rate * o.weight_decay * x.w;
  } else {
    g += o.weight_decay * x.w;
  }
  if (o.kind == Kind::sgd || o.kind == Kind::nesterov) {
    x.first = o.momentum * x.first + g;
    x.w -= rate * (o.kind == Kind::sgd ? x.first : g + o.momentum * x.first);
    return;
  }
  x.first = o.beta1 * x.first + (1 - o.beta1) * g;
  x.second = o.beta2 * x.second + (1 - o.beta2) * g * g;
  const double mean = x.first / (1 - std::pow(o.beta1, step + 1));
  const double square = x.second / (1 - std::pow(o.beta2, step + 1));
  x.w -= rate * mean / (std::sqrt(square) + o.epsilon);
}

class Optimizers : public testing::TestWithParam<Kind> {};

TEST_P(Optimizers, FollowTheirFormulas) {
  const ModelDescription model{"dense", {1, 1, 7}, {{"dense", Dense{5}}}};
  const Optimizer optimizer{.kind = GetParam(), .weight_decay = 0.05};
  const auto engine = make_cpu_engine(model, {.optimizer = optimizer, .threads = 2});
  const std::vector<float> state = random_state(model, 1);
  engine->set_state(state);
  std::vector<Weight> expected;
  for (const float w : state) expected.push_back({w});
  constexpr double kRate = 0.03;
  for (int step = 0; step < 20; ++step) {
    std::vector<float> gradient(state.size());
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] = static_cast<float>(std::sin(static_cast<double>(i) + 0.7 * step));
      reference_step(optimizer, kRate, step, gradient[i], expected[i]);
    }
    engine->apply(gradient, {step, kRate});
  }
  const std::vector<float> found = engine->state(), first = engine->moment(0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i].w, 1e-5 * (1 + std::abs(expected[i].w)));
    EXPECT_NEAR(first[i], expected[i].first, 1e-5 * (1 + std::abs(expected[i].first)));
    if (optimizer.moments() == 1) continue;
    EXPECT_NEAR(engine->moment(1)[i], expected[i].second, 1e-5);
  }
}

std::string name_of_optimizer(const testing::TestParamInfo<Kind>& instance) {
  constexpr const char* kNames[] = {"Sgd", "Nesterov", "Adam", "AdamW"};
  return kNames[static_cast<int>(instance.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, Optimizers,
                         testing::Values(Kind::sgd, Kind::nesterov, Kind::adam, Kind::adamw),
                         name_of_optimizer);

}  // namespace
}  // namespace spottrain::cpu
