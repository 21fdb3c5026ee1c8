#include "policies/checkpoint/policy.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace policies {
namespace {

using namespace std::chrono_literals;

// The steps from 1 to `last` at which the policies request a checkpoint, with one second per step.
std::vector<std::int64_t> checkpointed_steps(std::string_view text, std::int64_t last,
                                             std::int64_t steps_per_epoch) {
  CheckpointPolicies policies(text);
  std::vector<std::int64_t> steps;
  CheckpointState state{.steps_per_epoch = steps_per_epoch};
  for (state.step = 1; state.step <= last; ++state.step) {
    state.now = std::chrono::seconds(state.step);
    if (!policies.decide(state)) continue;
    steps.push_back(state.step);
    state.last_checkpoint_step = state.step;
    state.last_checkpoint_time = state.now;
  }
  return steps;
}

std::string error_of(std::string_view text) {
  try {
    CheckpointPolicies{text};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string reason(CheckpointPolicies& policies, const CheckpointState& state) {
  const auto wish = policies.decide(state);
  return wish ? wish->policy : "";
}

using Steps = std::vector<std::int64_t>;

TEST(CheckpointPolicy, EpochSavesAtTheLastStepOfEachEpoch) {
  EXPECT_EQ(checkpointed_steps("epoch", 13, 4), (Steps{4, 8, 12}));
}

TEST(CheckpointPolicy, StepsSavesAtMultiplesWhateverTheEpoch) {
  EXPECT_EQ(checkpointed_steps("steps:5", 13, 4), (Steps{5, 10}));
}

TEST(CheckpointPolicy, TimeCountsFromTheLastCheckpoint) {
  EXPECT_EQ(checkpointed_steps("time:3s", 10, 4), (Steps{3, 6, 9}));
  EXPECT_EQ(checkpointed_steps("time:3s,epoch", 12, 4), (Steps{3, 4, 7, 8, 11, 12}));
}

TEST(CheckpointPolicy, NoneNeverSaves) { EXPECT_TRUE(checkpointed_steps("none", 20, 4).empty()); }

TEST(CheckpointPolicy, OnNoticeSavesOnceAndOnlyAfterANotice) {
  CheckpointPolicies policies("on-notice");
  CheckpointState state{.step = 7, .steps_per_epoch = 4};
  EXPECT_FALSE(policies.decide(state));
  state.notice = true;
  EXPECT_EQ(reason(policies, state), "on-notice");
  state.last_checkpoint_step = 7;
  EXPECT_FALSE(policies.decide(state));
}

TEST(CheckpointPolicy, AListGivesTheFirstThatWantsOneAsTheReason) {
  CheckpointPolicies policies("epoch,steps:6,on-notice");
  EXPECT_EQ(reason(policies, {.step = 12, .steps_per_epoch = 4}), "epoch");
  EXPECT_EQ(reason(policies, {.step = 6, .steps_per_epoch = 4}), "steps:6");
  EXPECT_EQ(reason(policies, {.step = 5, .steps_per_epoch = 4, .notice = true}), "on-notice");
}

TEST(CheckpointPolicy, ErrorsStateWhatWasFoundAndWhatIsKnown) {
  EXPECT_EQ(error_of("epochs").find(
                "checkpoint policy 'epochs': is unknown; known: epoch, steps:K, time:T, "),
            0u);
  EXPECT_NE(error_of("steps:0").find("'steps:0': expected a whole number"), std::string::npos);
  EXPECT_NE(error_of("steps:12x").find("expected a whole number"), std::string::npos);
  EXPECT_NE(error_of("steps").find("needs an argument"), std::string::npos);
  EXPECT_NE(error_of("epoch:3").find("takes no argument"), std::string::npos);
  EXPECT_NE(error_of("time:10").find("expected a duration"), std::string::npos);
  EXPECT_NE(error_of("epoch,").find("'': is empty"), std::string::npos);
}

TEST(CheckpointPolicy, AMissingInputIsAnErrorAtTheStart) {
  const CheckpointPolicies policies("epoch,rising-edge");
  const std::vector<Input> without{Input::price}, with{Input::price, Input::bid};
  EXPECT_NO_THROW(policies.require(with));
  try {
    policies.require(without);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "checkpoint policy 'rising-edge': needs to know the bid, which is not known here");
  }
}

TEST(CheckpointPolicy, AnUnknownCostIsMeasuredByACheckpoint) {
  CheckpointPolicies policies("young:6h");
  CheckpointState state{.step = 1};
  EXPECT_EQ(reason(policies, state), "young:6h");
  state.last_checkpoint_step = 1;
  EXPECT_EQ(reason(policies, state), "");
  state.checkpoint_cost = 1s;
  state.step = 2;
  EXPECT_EQ(reason(policies, state), "");
}

TEST(CheckpointPolicy, AFullCheckpointIsPreferredToAnIncrementalOne) {
  CheckpointPolicies policies("grace,before-hop");
  const CheckpointState state{.step = 5,
                              .notice = true,
                              .hop = true,
                              .checkpoint_bytes = 1000,
                              .write_speed = 50,
                              .time_left = 10s};
  const auto wish = policies.decide(state);
  ASSERT_TRUE(wish);
  EXPECT_EQ(wish->policy, "before-hop");
  EXPECT_EQ(wish->size, Save::full);
}

}  // namespace
}  // namespace policies
