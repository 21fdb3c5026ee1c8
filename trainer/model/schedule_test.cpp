// Expected rates come from torch.optim.lr_scheduler in PyTorch 1.13, for a rate of 0.1.
#include "trainer/model/schedule.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spottrain {
namespace {

// Epochs of one step each, as PyTorch's schedulers count.
void expect_rates(const char* text, std::int64_t total, const std::vector<double>& rates) {
  const Schedule schedule(text);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double rate = schedule.rate(
        0.1, {.step = static_cast<std::int64_t>(i), .steps_per_epoch = 1, .total_steps = total});
    EXPECT_NEAR(rate, rates[i], 1e-15) << text << " at " << i;
  }
}

TEST(Schedule, CosineIsPyTorchsCosineAnnealingLR) {
  expect_rates("cosine", 10,
               {0.1, 0.097552825814757688, 0.090450849718747381, 0.079389262614623674,
                0.065450849718747386, 0.05, 0.03454915028125264, 0.020610737385376353,
                0.0095491502812526351, 0.002447174185242324});
  expect_rates("cosine:0.01", 10,  // eta_min=0.001
               {0.1, 0.097577297556610113, 0.090546341221559898, 0.079595369988477424,
                0.065796341221559904, 0.0505, 0.03520365877844011, 0.021404630011522589,
                0.010453658778440109, 0.0034227024433899004});
}

TEST(Schedule, OneCycleIsPyTorchsOneCycleLR) {
  expect_rates("one-cycle", 10,
               {0.004, 0.052, 0.1, 0.095048463201347383, 0.081174565394976306, 0.06112620219362893,
                0.038874197806371073, 0.018825834605023701, 0.0049519367986526289, 4e-07});
}

TEST(Schedule, StepsAreMultipliedByTheirFactor) {
  expect_rates("multi-step:2:5:0.2", 8, {0.1, 0.1, 0.02, 0.02, 0.02, 0.004, 0.004, 0.004});
  expect_rates("step:3:0.5", 8, {0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025, 0.025});
  expect_rates("constant", 3, {0.1, 0.1, 0.1});
  EXPECT_EQ(
      Schedule("step:3:0.5").rate(0.8, {.step = 299, .steps_per_epoch = 100, .total_steps = 1000}),
      0.8);
  EXPECT_EQ(
      Schedule("step:3:0.5").rate(0.8, {.step = 300, .steps_per_epoch = 100, .total_steps = 1000}),
      0.4);
}

TEST(Schedule, WarmUpRisesLinearlyBeforeAnyOther) {
  expect_rates("warm-up:4,constant", 8, {0.025, 0.05, 0.075, 0.1, 0.1, 0.1, 0.1, 0.1});
  expect_rates("warm-up:4,step:3:0.5", 8, {0.025, 0.05, 0.075, 0.05, 0.05, 0.05, 0.025, 0.025});
  // SequentialLR([LinearLR(0.25, total_iters=3), CosineAnnealingLR(8)], [4])
  expect_rates("warm-up:4,cosine", 12,
               {0.025, 0.05, 0.075, 0.1, 0.1, 0.096193976625564337, 0.085355339059327379,
                0.069134171618254497, 0.05, 0.030865828381745515, 0.014644660940672627,
                0.0038060233744356634});
  EXPECT_EQ(Schedule("warm-up:0.5,constant")
                .rate(1, {.step = 0, .steps_per_epoch = 10, .total_steps = 20}),
            0.2);
}

TEST(Schedule, AnyMomentOfAnyLengthHasAFiniteRate) {
  for (const char* text : {"cosine", "one-cycle", "one-cycle:0.01", "warm-up:9,cosine",
                           "warm-up:2,one-cycle:0.5", "step:1:0.1"}) {
    for (const std::int64_t total : {1, 2, 3, 7}) {
      for (std::int64_t step = 0; step < 9; ++step) {
        const double rate = Schedule(text).rate(0.1, {step, 2, total});
        EXPECT_TRUE(rate >= 0 && rate <= 0.1) << text << " " << step << " of " << total;
      }
    }
  }
}

TEST(Schedule, KnowsWhetherItDependsOnTheTrainingsLength) {
  EXPECT_TRUE(Schedule("warm-up:1,cosine").needs_length());
  EXPECT_TRUE(Schedule("one-cycle").needs_length());
  EXPECT_FALSE(Schedule("warm-up:1,multi-step:3:5:0.1").needs_length());
}

TEST(Schedule, ErrorsStateWhatWasFoundAndExpected) {
  const std::pair<const char*, const char*> cases[] = {
      {"linear",
       "schedule 'linear': expected constant, step, multi-step, cosine, one-cycle, or one "
       "of these after warm-up:E,"},
      {"step:3", "schedule 'step:3': expected step:E:F with E epochs and 0 < F <= 1"},
      {"step:3:0.5x", "schedule 'step:3:0.5x': expected numbers after each ':'"},
      {"warm-up:2", "schedule 'warm-up:2': expected a schedule after warm-up:E,"},
      {"cosine:1", "schedule 'cosine:1': expected cosine:FLOOR with 0 <= FLOOR < 1"},
  };
  for (const auto& [text, expected] : cases) {
    try {
      Schedule{text};
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), expected);
    }
  }
  for (const char* bad : {"", "step", "step:0:0.5", "step:3:2", "step:3:nan", "multi-step:5:3:0.1",
                          "multi-step:5", "constant:1", "one-cycle:0", "warm-up:0,constant",
                          "warm-up:x,constant", "warm-up:1,warm-up:1,constant", "step:1e99:0.5"}) {
    EXPECT_THROW(Schedule{bad}, std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace spottrain
