// Instances of Auto Scaling groups and Elastigroups with fiber guests: what an interruption loses,
// when the replacement starts, how training ends, and what four services cost.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

constexpr const char* kNone = "[]";
constexpr const char* kAfterAnHour = "[{instance: 1, after: 1h}]";  // after an instance's launch

scenario::Scenario sweep_scenario(const std::string& name, const std::string& interruptions) {
  scenario::Scenario scenario = shipped("sweeps/" + name);
  interrupt(scenario, interruptions);
  return scenario;
}
scenario::Scenario service(const std::string& name, const std::string& interruptions) {
  return sweep_scenario("which-service/" + name, interruptions);
}
scenario::Scenario service_with(const std::string& name, const std::string& from,
                                const std::string& to) {
  scenario::Scenario scenario = changed("sweeps/which-service/" + name, from, to);
  interrupt(scenario, kAfterAnHour);
  return scenario;
}

std::int64_t group_step_of(const Event& event) { return event.fields["step"].get<std::int64_t>(); }

// The time at which an instance entered this state.
Time instance_at(const Played& played, const std::string& id, const std::string& state) {
  for (const Event& event : told(played, "instance.state"))
    if (event.fields["instance_id"] == id && event.fields["to"] == state) return event.time;
  ADD_FAILURE() << id << ' ' << state;
  return {};
}

class FiberGroups : public testing::TestWithParam<const char*> {};

TEST_P(FiberGroups, TrainingSurvivesAnInterruption) {
  const Played played = play(service(GetParam(), kAfterAnHour));
  const result::Result& result = *played.report.result;
  EXPECT_EQ(result.outcome, "completed");
  ASSERT_EQ(result.attempts.size(), 2u);
  EXPECT_EQ(result.attempts[0].end_reason, "interrupted");
  EXPECT_EQ(result.attempts[1].end_reason, "finished");
  EXPECT_EQ(result.lost_steps, 0) << "the trainer saves on the notice";
  const auto starts = told(played, "trainer.start");
  const auto stops = told(played, "trainer.stop");
  ASSERT_EQ(starts.size(), 2u);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_EQ(group_step_of(starts[1]), group_step_of(stops[0]));
  EXPECT_GT(group_step_of(starts[1]), 600);
}

TEST_P(FiberGroups, TheGroupIsGoneWhenTheTrainingHasFinished) {
  const Played played = play(service(GetParam(), kAfterAnHour));
  const result::Leftovers& left = played.report.result->at_end;
  EXPECT_EQ(left.running_instances, 0);
  EXPECT_EQ(left.active_fleets, 0);
  EXPECT_EQ(told(played, "instance.boot").size(), 2u) << "nothing is launched after the end";
}

TEST_P(FiberGroups, TheSameSeedGivesTheSameLog) {
  const scenario::Scenario scenario = shipped(std::string("sweeps/which-service/") + GetParam());
  const Played first = play(scenario), second = play(scenario);
  EXPECT_EQ(first.report.fingerprint, second.report.fingerprint);
  const Played looking = play(scenario, [](RunOptions& options) { options.every_poll = true; });
  EXPECT_EQ(without_looks_between(first.lines), without_looks_between(looking.lines));
  EXPECT_LT(first.metadata_requests, looking.metadata_requests);
}

// After a trainer has crashed, the instance powers off, and the group replaces the instance.
TEST_P(FiberGroups, ACrashedTrainersInstanceIsReplaced) {
  const Played played =
      play(service_with(GetParam(), "checkpoint_bytes:", "crash_every: 3h\n  checkpoint_bytes:"));
  EXPECT_EQ(played.report.result->outcome, "completed");
  EXPECT_GE(told(played, "trainer.crash").size(), 1u);
  EXPECT_EQ(told(played, "trainer.start").size(),
            told(played, "trainer.crash").size() + told(played, "trainer.stop").size() + 1);
}

INSTANTIATE_TEST_SUITE_P(Services, FiberGroups, testing::Values("auto-scaling", "elastigroup"),
                         [](const auto& which) {
                           std::string name = which.param;
                           std::erase(name, '-');
                           return name;
                         });

// Without capacity rebalance an Auto Scaling group notices at a health check, 5 to 60 s after the
// end of an instance, and reacts 5 s later.
TEST(FiberAutoScaling, TheReplacementIsLaunchedAfterAHealthCheck) {
  const scenario::Scenario scenario = service("auto-scaling", kAfterAnHour);
  const Played played = play(scenario);
  const auto& attempts = played.report.result->attempts;
  ASSERT_EQ(attempts.size(), 2u);
  const Duration after =
      attempts[1].launched_at - instance_at(played, attempts[0].instance_id, "shutting-down");
  const auto& durations = scenario.cloud.durations;
  EXPECT_GE(after, durations.autoscaling_health_check.low);
  EXPECT_LE(after,
            durations.autoscaling_health_check.high + durations.autoscaling_reaction.high * 2);
}

// A bucket is available at once, a volume only after the former instance has ended.
TEST(FiberElastigroup, TheReplacementIsLaunchedAtTheNoticeAndWaitsForTheVolume) {
  const Played played = play(service("elastigroup", kAfterAnHour));
  const auto& attempts = played.report.result->attempts;
  ASSERT_EQ(attempts.size(), 2u);
  ASSERT_TRUE(attempts[0].notice_at && attempts[0].ended_at);
  EXPECT_LT(attempts[1].launched_at - *attempts[0].notice_at, 1s);
  EXPECT_EQ(attempts[1].availability_zone, attempts[0].availability_zone);
  const auto starts = told(played, "trainer.start");
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_GT(starts[1].time, *attempts[0].ended_at);
  EXPECT_EQ(starts[1].fields["disk"], starts[0].fields["disk"]);
}

// A group without notice handling loses the steps after the last checkpoint.
TEST(FiberAutoScaling, WithoutANoticeTrainingContinuesFromTheLastCheckpoint) {
  const Played played = play(service("auto-scaling", "[{instance: 1, after: 1h, notice: none}]"));
  const auto durable = told(played, "trainer.checkpoint-durable");
  const auto starts = told(played, "trainer.start");
  ASSERT_EQ(starts.size(), 2u);
  std::int64_t newest = 0;
  for (const Event& event : durable)
    if (event.time < starts[1].time) newest = group_step_of(event);
  EXPECT_EQ(group_step_of(starts[1]), newest);
  EXPECT_GT(played.report.result->lost_steps, 0);
  EXPECT_LE(played.report.result->lost_steps, 137) << "ten minutes, a step and 8 s to the bucket";
}

// One hour of an instance costs the same with every launching service, except SageMaker, which
// costs a quarter more.
TEST(FiberServices, WithoutInterruptionsTheirCostIsTheBills) {
  struct ServicePrice {
    const char* scenario;
    double factor;  // price relative to EC2's
  };
  for (const ServicePrice& row :
       {ServicePrice{"managed-spot/own-fleet", 1}, ServicePrice{"which-service/auto-scaling", 1},
        ServicePrice{"which-service/elastigroup", 1},
        ServicePrice{"managed-spot/sagemaker", 1.25}}) {
    const scenario::Scenario scenario = sweep_scenario(row.scenario, kNone);
    const result::Result result = *play(scenario).report.result;
    EXPECT_EQ(result.outcome, "completed") << row.scenario;
    EXPECT_EQ(result.lost_steps, 0) << row.scenario;
    ASSERT_EQ(result.attempts.size(), 1u) << row.scenario;
    const result::Attempt& attempt = result.attempts[0];
    const auto prices = market::between(scenario.prices, *attempt.running_at, *attempt.ended_at)
                            .pools.at({"p3.2xlarge", attempt.availability_zone});
    const auto [lowest, highest] = std::ranges::minmax(prices, {}, &market::PricePoint::price);
    const double hours = seconds(attempt.billed) / 3600;
    EXPECT_GT(hours, 4992 * 4.5 / 3600) << row.scenario;
    EXPECT_LT(hours, 4992 * 4.5 / 3600 + 0.1) << row.scenario;
    EXPECT_GE(attempt.cost.dollars() + 1e-6, hours * lowest.price.dollars() * row.factor)
        << row.scenario;
    EXPECT_LE(attempt.cost.dollars() - 1e-6, hours * highest.price.dollars() * row.factor)
        << row.scenario;
  }
}

TEST(FiberGroupsRefuse, WhatCannotBeModelled) {
  EXPECT_TRUE(contains(
      refused(service_with("auto-scaling", "to: object-store, bandwidth: 500000000, latency: 100ms",
                           "to: volume")),
      "has no data volume; expected object-store"));
  scenario::Scenario unstated =
      service_with("auto-scaling", "--cli-input-json file://launch.json",
                   "--cli-input-json file://launch.json --user-data true");
  EXPECT_EQ(play(unstated).report.result->outcome, "completed") << "the model runs in its place";
  unstated.trainer->step_time.reset();
  EXPECT_TRUE(contains(refused(unstated), "with trainer.step_time the fiber guest models it"));
}

}  // namespace
}  // namespace sim::run
