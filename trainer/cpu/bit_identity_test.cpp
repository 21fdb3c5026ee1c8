// All engines on processors compute the same bits, with any number of threads.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "trainer/cpu/engines_for_test.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/model/models.h"

namespace spottrain::cpu {
namespace {

using Kind = Optimizer::Kind;

// A model with odd channels, several panels, both shortcuts, and all kinds of layer.
ModelDescription mixed_model() {
  const auto conv = [](std::string name, Conv c) { return Layer{std::move(name), c}; };
  const auto norm = [](std::string name) { return Layer{std::move(name), BatchNorm{}}; };
  const Layer relu{"relu", Relu{}};
  return {
      "small",
      {11, 9, 3},
      {conv("conv1", {16}),
       norm("bn1"),
       relu,
       {"block1",
        Residual{{conv("conv2", {16}), norm("bn2"), relu, conv("conv3", {16}), norm("bn3")}, {}}},
       relu,
       {"block2", Residual{{conv("conv4", {38, 3, 2, 1}), norm("bn4"), relu, conv("conv5", {38}),
                            norm("bn5")},
                           {{"pad", SubsamplePad{38, 2}}}}},
       relu,
       {"pool", MaxPool{3, 2, 1}},
       {"drop1", Dropout{0.25}},
       conv("conv6", {21, 1, 1, 0, true}),
       relu,
       {"block3", Residual{{conv("conv7", {24, 5, 1, 2}), norm("bn7")},
                           {conv("conv8", {24, 1, 1, 0}), norm("bn8")}}},
       {"hidden", Dense{35}},
       relu,
       {"drop2", Dropout{0.5}},
       {"dense", Dense{10}}}};
}

struct Trained {
  std::vector<float> state, moment;
  std::vector<double> losses;
  bool operator==(const Trained& other) const {
    const auto same = [](const auto& a, const auto& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
    };
    return same(state, other.state) && same(moment, other.moment) && same(losses, other.losses);
  }
};

// Some steps, the last batch smaller than the others.
Trained train(Kind kind, int threads, const EngineHere& here) {
  const ModelDescription description = mixed_model();
  const auto engine = here.make(
      description,
      {.optimizer = {.kind = kind, .weight_decay = 1e-3}, .batch_size = 21, .threads = threads});
  engine->set_state(random_state(description, 3));
  Trained result;
  for (int step = 0; step < 4; ++step) {
    const TestBatch batch(description, step < 3 ? 21 : 5, 10 + static_cast<std::uint64_t>(step));
    const double rate = kind == Kind::sgd || kind == Kind::nesterov ? 0.05 : 0.003;
    result.losses.push_back(engine->train(batch.view(), {step, rate}).sum);
  }
  const TestBatch batch(description, 21, 99);
  result.losses.push_back(engine->evaluate(batch.view()).sum);
  result.state = engine->state();
  result.moment = engine->moment(kind == Kind::adam || kind == Kind::adamw ? 1 : 0);
  return result;
}

class BitIdentity : public testing::TestWithParam<Kind> {};

TEST_P(BitIdentity, EveryEngineOnOneTwoOrThreeThreads) {
  const Trained plain = train(GetParam(), 1, engines_here().front());
  for (const EngineHere& here : engines_here()) {
    for (const int threads : {1, 2, 3}) {
      EXPECT_EQ(train(GetParam(), threads, here), plain) << here.name << " " << threads;
    }
  }
}

// Every machine has computed this result since the test was written: x86-64 with and without AVX2,
// and ARM.
TEST(KnownBits, OfATraining) {
  const Trained trained = train(Kind::adamw, 2, engines_here().back());
  EXPECT_EQ(XXH3_64bits(trained.state.data(), trained.state.size() * sizeof(float)),
            4232194465147533268u);
}

// The shapes that the known networks have: their blocks of pixels, panels and chunks.
class BitIdentityOfKnownModels : public testing::TestWithParam<const char*> {};

TEST_P(BitIdentityOfKnownModels, EveryEngineTakesTheSameSteps) {
  const std::string name = GetParam();
  const bool large = name.starts_with("resnet"), coloured = large || name == "cnn-8-16";
  const int images = large ? 5 : 18;
  const ModelDescription description =
      load_model(name, coloured ? ImageShape{32, 32, 3} : ImageShape{28, 28, 1}, 10);
  std::vector<float> plain;
  for (const EngineHere& here : engines_here()) {
    const auto engine = here.make(description, {.batch_size = images, .threads = 2});
    engine->set_state(random_state(description, 2));
    for (const int step : {0, 1}) {
      const TestBatch batch(description, images - step, 1 + static_cast<std::uint64_t>(step));
      engine->train(batch.view(), {step, 0.01});
    }
    const std::vector<float> state = engine->state();
    if (plain.empty()) plain = state;
    EXPECT_EQ(state, plain) << here.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Builtin, BitIdentityOfKnownModels,
                         testing::Values("cnn-8-16", "lenet", "mlp", "mnist-cnn", "resnet20"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

std::string name_of_kind(const testing::TestParamInfo<Kind>& instance) {
  constexpr const char* kNames[] = {"Sgd", "Nesterov", "Adam", "AdamW"};
  return kNames[static_cast<int>(instance.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, BitIdentity,
                         testing::Values(Kind::sgd, Kind::nesterov, Kind::adam, Kind::adamw),
                         name_of_kind);

}  // namespace
}  // namespace spottrain::cpu
