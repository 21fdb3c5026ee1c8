#include <gtest/gtest.h>

#include <cmath>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/data/philox.h"
#include "trainer/eigen/reference/models_for_test.h"

namespace spottrain::cpu {
namespace {

TEST(Dropout, KernelsMaskIsPhilox) {
  const DropoutMask mask{{7, 8, 9}, {10, 11}, 0x60000000};
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    for (const std::size_t count : {1u, 63u, 64u, 130u}) {
      std::vector<std::uint8_t> kept(count);
      kernels->dropout_mask(mask, 24, count, kept.data());
      for (std::size_t i = 0; i < count; ++i) {
        const auto block = philox_block({static_cast<std::uint32_t>(6 + i / 4), 7, 8, 9}, {10, 11});
        ASSERT_EQ(kept[i], block[i % 4] >= mask.threshold ? 1 : 0) << kernels->name << " " << i;
      }
    }
  }
}

// The model x → dropout → sum, against minus the sum. The loss shows which values were kept.
class DropoutOfOnes {
 public:
  static constexpr int kSize = 4000;
  explicit DropoutOfOnes(double rate, std::uint64_t seed = 1) {
    const ModelDescription model{
        "ones", {1, 1, kSize}, {{"drop", Dropout{rate}}, {"dense", Dense{2}}}};
    engine_ = make_cpu_engine(model, {.batch_size = 1, .seed = seed});
    std::vector<float> state(2 * kSize + 2);
    for (int i = 0; i < kSize; ++i) state[2 * static_cast<std::size_t>(i)] = 1.0f / kSize;
    engine_->set_state(state);
  }
  // The gradient of weight (i, 0) is proportional to x[i] after the dropout.
  std::vector<float> after(std::int64_t step) {
    std::vector<float> gradient(2 * kSize + 2), result;
    engine_->gradient({ones_, label_}, {step, 0}, gradient);
    for (int i = 0; i < kSize; ++i) {
      result.push_back(gradient[2 * static_cast<std::size_t>(i)] / gradient[2 * kSize]);
    }
    return result;
  }
  double logit() { return engine_->logits(ones_)[0]; }

 private:
  std::vector<float> ones_ = std::vector<float>(kSize, 1.0f);
  std::vector<int> label_{0};
  std::unique_ptr<Engine> engine_;
};

TEST(Dropout, DropsItsShareAndScalesTheRest) {
  for (const double rate : {0.0, 0.25, 0.5, 0.9}) {
    const std::vector<float> after = DropoutOfOnes(rate).after(0);
    int dropped = 0;
    for (const float value : after) {
      if (value == 0) {
        ++dropped;
      } else {
        ASSERT_NEAR(value, 1 / (1 - rate), 1e-5);
      }
    }
    const double deviation = std::sqrt(DropoutOfOnes::kSize * rate * (1 - rate));
    EXPECT_NEAR(dropped, DropoutOfOnes::kSize * rate, 4 * deviation);
  }
}

TEST(Dropout, IsAFunctionOfSeedAndStep) {
  DropoutOfOnes one(0.5), same(0.5), other(0.5, 2);
  one.after(0);
  EXPECT_EQ(one.after(7), same.after(7));
  EXPECT_NE(one.after(7), one.after(8));
  EXPECT_NE(one.after(7), one.after(7 + (std::int64_t{1} << 32)));
  EXPECT_NE(one.after(7), other.after(7));
}

TEST(Dropout, DropsNothingInEvaluation) { EXPECT_NEAR(DropoutOfOnes(0.5).logit(), 1, 1e-5); }

}  // namespace
}  // namespace spottrain::cpu
