// Policies that use more than steps and time.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "policies/checkpoint/examples_for_test.h"

namespace policies {
namespace {

using namespace std::chrono_literals;

// The steps at which a policy requests a checkpoint. Steps take a second, checkpoints take no time,
// and `fill` adds the known values at each step.
std::vector<std::int64_t> asked_at(std::string_view text, std::int64_t last,
                                   const std::function<void(CheckpointState&)>& fill) {
  CheckpointPolicies policies(text);
  std::vector<std::int64_t> steps;
  CheckpointState state{.steps_per_epoch = 1'000'000};
  for (state.step = 1; state.step <= last; ++state.step) {
    state.now = std::chrono::seconds(state.step);
    fill(state);
    if (!policies.decide(state)) continue;
    steps.push_back(state.step);
    state.last_checkpoint_step = state.step;
    state.last_checkpoint_time = state.now;
  }
  return steps;
}

using Steps = std::vector<std::int64_t>;

TEST(Young, SavesAtItsInterval) {
  const auto steps = asked_at("young:800s", 130, [](auto& state) { state.checkpoint_cost = 1s; });
  EXPECT_EQ(steps, (Steps{40, 80, 120}));  // √(2 × 1 × 800)
}

TEST(Young, FollowsTheEstimateOfTheInterruptions) {
  const std::vector<Duration> lives{800s};
  const auto steps = asked_at("young:mean", 90, [&](auto& state) {
    state.checkpoint_cost = 1s;
    state.lives = lives;
    state.since_launch = state.now;
  });
  EXPECT_EQ(steps, (Steps{40, 80}));
}

TEST(Adaptive, SavesAtADecisionOnceTheWorkAtRiskOutweighsTheCost) {
  // A chance of 1 − e^(−1/6) = 0.154 in ten minutes against 100 s: 651 s at risk are enough.
  const auto steps =
      asked_at("adaptive:1h", 2500, [](auto& state) { state.checkpoint_cost = 100s; });
  EXPECT_EQ(steps, (Steps{1200, 2400}));
}

TEST(CheckFreq, WaitsForThePersistToEndAndStaysBelowItsBound) {
  const auto cheap = asked_at("checkfreq:0.1", 12, [](auto& state) {
    state.step_time = 1s;
    state.checkpoint_cost = 100ms;
    state.persist_time = 3s;
  });
  EXPECT_EQ(cheap, (Steps{3, 6, 9, 12}));  // ⌈2.9⌉, and 0.1 of 3 is no more than 10 %
  const auto costly = asked_at("checkfreq:0.1", 28, [](auto& state) {
    state.step_time = 1s;
    state.checkpoint_cost = 600ms;
    state.persist_time = 700ms;
  });
  EXPECT_EQ(costly, (Steps{1, 4, 9, 16, 23}));  // grows by 2 until 0.6 is at most 10 % of 7
}

TEST(CheckFreq, StartsNoneWhileOneIsPersisting) {
  CheckpointPolicies policies("checkfreq:0.1");
  CheckpointState state{.step = 9, .persisting = true, .step_time = 1s};
  state.checkpoint_cost = state.persist_time = 1ms;
  EXPECT_FALSE(policies.decide(state));
  state.persisting = false;
  EXPECT_TRUE(policies.decide(state));
}

TEST(Hourly, SavesOnceJustBeforeEachFullHourOfTheInstance) {
  const auto steps = asked_at("hourly", 7300, [](auto& state) {
    state.since_launch = state.now + 100s;
    state.step_time = 1s;
    state.checkpoint_cost = 9s;
  });
  EXPECT_EQ(steps, (Steps{3490, 7090}));
}

std::function<void(CheckpointState&)> priced(std::vector<double> prices, double bid) {
  return [prices, bid](CheckpointState& state) {
    state.price = prices.at(static_cast<std::size_t>(state.step - 1));
    state.bid = bid;
  };
}

TEST(RisingEdge, SavesAtEveryRiseBelowTheBid) {
  EXPECT_EQ(asked_at("rising-edge", 7, priced({1, 1, 2, 1, 2, 3, 4}, 3.5)), (Steps{3, 5, 6}));
}

TEST(Threshold, SavesAtARiseNearTheBid) {
  EXPECT_EQ(asked_at("threshold:0.2", 6, priced({7, 7.5, 8.5, 8.2, 8.1, 9}, 10)), (Steps{3, 6}));
}

TEST(Eic, SavesAboveTheMeanOfRecentMinimaAndBid) {
  // Minima of 2 in the first hour and 4 in the second: (5·4 + 4·2) ÷ 9 = 3.11; with a bid of 10 the
  // threshold is 6.56.
  const auto steps = asked_at("eic", 7202, [](auto& state) {
    state.bid = 10;
    state.price = state.step <= 3600 ? 2 : 4;
    if (state.step == 2000) state.price = 5.9;  // the threshold is 6 in the first hour
    if (state.step == 2100) state.price = 6.1;
    if (state.step == 5000) state.price = 6.5;
    if (state.step == 5100) state.price = 6.6;
  });
  EXPECT_EQ(steps, (Steps{2100, 5100}));
}

TEST(OnRebalance, SavesOnceForARecommendation) {
  const auto steps =
      asked_at("on-rebalance", 9, [](auto& state) { state.rebalance = state.step >= 4; });
  EXPECT_EQ(steps, (Steps{4}));
}

CheckpointState noticed(std::optional<Duration> time_left) {
  return {.step = 5,
          .notice = true,
          .checkpoint_bytes = 1000,
          .write_speed = 100,
          .time_left = time_left};
}

TEST(OnNotice, SavesWhatMayFit) {
  CheckpointPolicies policies("on-notice");
  EXPECT_TRUE(policies.decide(noticed(10s)));
  EXPECT_FALSE(policies.decide(noticed(9s)));
  EXPECT_FALSE(policies.decide(noticed(-1s)));
  EXPECT_TRUE(policies.decide(noticed({})));
}

TEST(Grace, SavesAsMuchAsTheTimeLeftAllows) {
  CheckpointPolicies policies("grace");
  const auto size = [&](std::optional<Duration> time_left) {
    const auto wish = policies.decide(noticed(time_left));
    return wish ? wish->size : Save::no;
  };
  EXPECT_EQ(size(20s), Save::full);
  EXPECT_EQ(size(8s), Save::full);
  EXPECT_EQ(size(7900ms), Save::incremental);
  EXPECT_EQ(size(3s), Save::incremental);
  EXPECT_EQ(size(2900ms), Save::no);
  EXPECT_EQ(size({}), Save::full);
}

TEST(BeforeHop, SavesWhatIsNotSavedYet) {
  const auto steps = asked_at("before-hop", 9, [](auto& state) { state.hop = state.step == 7; });
  EXPECT_EQ(steps, (Steps{7}));
}

TEST(Oracle, SavesAtTheLastStepThatCanStillBeSaved) {
  const auto steps = asked_at("oracle", 99, [](auto& state) {
    state.next_interruption = 100s - state.now;
    state.step_time = 1s;
    state.next_save = 5s;
  });
  EXPECT_EQ(steps, (Steps{95}));
}

TEST(Oracle, SavesOnANoticeIfThereIsTime) {
  const auto told_at = [](std::int64_t step) {
    return asked_at("oracle", step, [step](auto& state) {
      state.next_interruption = 100s - state.now;
      state.step_time = 1s;
      state.next_save = 5s;
      state.notice = state.step == step;
    });
  };
  EXPECT_EQ(told_at(50), (Steps{50}));
  EXPECT_EQ(told_at(95), (Steps{95}));
  EXPECT_EQ(told_at(97), (Steps{95}));
}

TEST(Hazard, SavesMoreOftenInAYoungInstance) {
  const auto steps = asked_at("hazard:0.5:1h", 20'000, [](auto& state) {
    state.checkpoint_cost = 10s;
    state.since_launch = state.now;
    state.remaining_work = 40'000s;
  });
  ASSERT_GT(steps.size(), 20u);
  EXPECT_LT(steps[0], steps[20] - steps[19]);
  EXPECT_THROW(CheckpointPolicies("hazard:6h"), std::invalid_argument);
  EXPECT_THROW(CheckpointPolicies("hazard:9:6h"), std::invalid_argument);
}

// The values that spottrain provides (trainer/loop/train.cpp).
TEST(Kinds, ThoseForModelsNeedInputsThatATrainingProgramLacks) {
  constexpr Input kTold[] = {Input::step_time,        Input::checkpoint_cost, Input::persist_time,
                             Input::checkpoint_bytes, Input::write_speed,     Input::remaining_work,
                             Input::since_launch,     Input::time_left};
  for (const CheckpointPolicyKind& kind : checkpoint_policy_kinds()) {
    if (kind.name == "command") continue;
    const CheckpointPolicies policies(example_of(kind));
    if (kind.for_models_only)
      EXPECT_THROW(policies.require(kTold), std::invalid_argument) << kind.name;
    else
      EXPECT_NO_THROW(policies.require(kTold)) << kind.name;
  }
}

TEST(Kinds, EachDeclaresTheInputsThatItReads) {
  for (const CheckpointPolicyKind& kind : checkpoint_policy_kinds()) {
    if (kind.name == "command") continue;
    std::string text(kind.name);
    for (const char* argument : {"", ":6h", ":mean", ":5", ":0.2", ":0.7:6h"}) {
      try {
        CheckpointPolicies policies(text + argument);
        CheckpointState state{.step = 3, .notice = true, .rebalance = true, .hop = true};
        EXPECT_NO_THROW(policies.decide(state)) << text;
      } catch (const std::invalid_argument&) {
      }
    }
  }
}

}  // namespace
}  // namespace policies
