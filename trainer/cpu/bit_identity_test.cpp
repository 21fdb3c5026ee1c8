// The same bits for any number of threads and for all kernels with fused multiply-add.
#include <gtest/gtest.h>

#include <cstring>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/cpu/reference/test_models.h"
#include "trainer/model/models.h"

namespace spottrain::cpu {
namespace {

using Kind = Optimizer::Kind;

// Odd channels, several panels, both shortcuts, all kinds of layer.
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
Trained train(Kind kind, int threads, const Kernels& kernels) {
  const ModelDescription description = mixed_model();
  const auto engine = make_engine(
      description,
      {.optimizer = {.kind = kind, .weight_decay = 1e-3}, .batch_size = 21, .threads = threads},
      kernels);
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

TEST_P(BitIdentity, OneTwoOrThreeThreads) {
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    const Trained one = train(GetParam(), 1, *kernels);
    EXPECT_EQ(one, train(GetParam(), 2, *kernels)) << kernels->name;
    EXPECT_EQ(one, train(GetParam(), 3, *kernels)) << kernels->name;
  }
}

TEST_P(BitIdentity, Avx2AndAvx512) {
  const auto sets = all_kernels();
  const Kernels &v3 = *sets[1], &v4 = *sets[2];
  ASSERT_EQ(v3.numeric_class, v4.numeric_class);
  if (!runs_here(v4)) GTEST_SKIP() << "this processor has no AVX-512";
  EXPECT_EQ(train(GetParam(), 2, v3), train(GetParam(), 2, v4));
}

TEST_P(BitIdentity, WithoutFmaIsAnotherClassButNear) {
  const auto sets = all_kernels();
  const Kernels &v2 = *sets[0], &v3 = *sets[1];
  EXPECT_NE(v2.numeric_class, v3.numeric_class);
  if (!runs_here(v3)) GTEST_SKIP() << "this processor has no AVX2 or FMA";
  const Trained separate = train(GetParam(), 1, v2), fused = train(GetParam(), 1, v3);
  EXPECT_NEAR(separate.losses[0], fused.losses[0], 1e-4 * fused.losses[0]);
}

// The shapes that the known networks have: their blocks of pixels, panels and chunks.
TEST(BitIdentityOfKnownModels, ThreadsAndKernels) {
  const Kernels &v3 = *all_kernels()[1], &v4 = *all_kernels()[2];
  if (!runs_here(v3)) GTEST_SKIP() << "this processor has no AVX2 or FMA";
  for (const char* name : {"lenet", "mnist-cnn", "resnet20"}) {
    const bool digits = name != std::string("resnet20");
    const ModelDescription description =
        load_model(name, digits ? ImageShape{28, 28, 1} : ImageShape{32, 32, 3}, 10);
    const TestBatch batch(description, 18, 1);
    const auto state_after = [&](int threads, const Kernels& kernels) {
      const auto engine = make_engine(description, {.batch_size = 18, .threads = threads}, kernels);
      engine->set_state(random_state(description, 2));
      engine->train(batch.view(), {0, 0.1});
      return engine->state();
    };
    const std::vector<float> expected = state_after(1, v3);
    EXPECT_EQ(state_after(3, v3), expected) << name;
    if (!runs_here(v4)) continue;
    EXPECT_EQ(state_after(2, v4), expected) << name;
  }
}

std::string name_of_kind(const testing::TestParamInfo<Kind>& instance) {
  constexpr const char* kNames[] = {"Sgd", "Nesterov", "Adam", "AdamW"};
  return kNames[static_cast<int>(instance.param)];
}

INSTANTIATE_TEST_SUITE_P(Optimizers, BitIdentity,
                         testing::Values(Kind::sgd, Kind::nesterov, Kind::adam, Kind::adamw),
                         name_of_kind);

}  // namespace
}  // namespace spottrain::cpu
