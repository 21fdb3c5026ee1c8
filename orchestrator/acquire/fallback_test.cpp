#include "orchestrator/acquire/fallback.h"

#include <gtest/gtest.h>

#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/job/fleet_file.h"
#include "orchestrator/job/tags.h"

namespace spotrun {
namespace {

using Ids = std::vector<std::string>;
using namespace std::chrono_literals;

// Polls every half minute. Returns the index of the first poll that falls back.
int first_fallback(Fallback fallback, const std::vector<Ids>& looks, Duration every = 30s) {
  Time now{};
  for (std::size_t i = 0; i < looks.size(); ++i, now += every)
    if (fallback.look(now, looks[i])) return static_cast<int>(i);
  return -1;
}

TEST(Fallback, AfterSoManyLostInstances) {
  const std::vector<Ids> looks{{}, {"a"}, {"a"}, {}, {}, {"b"}, {"b"}, {"c"}, {"c"}};
  EXPECT_EQ(first_fallback({"1", ""}, looks), 3);
  EXPECT_EQ(first_fallback({"2", ""}, looks), 7) << "replaced between two looks";
  EXPECT_EQ(first_fallback({"3", ""}, looks), -1);
}

TEST(Fallback, AfterSoLongWithoutAnInstance) {
  const std::vector<Ids> looks{{}, {"a"}, {}, {}, {}, {}, {"b"}};
  EXPECT_EQ(first_fallback({"", "1m"}, looks), 4);
  EXPECT_EQ(first_fallback({"", "2m"}, looks), 6) << "too late for b";
  EXPECT_EQ(first_fallback({"", "3m"}, looks), -1);
}

TEST(Fallback, TheFirstOfTwoRulesDecides) {
  const std::vector<Ids> looks{{"a"}, {}, {}, {}, {"b"}, {}};
  EXPECT_EQ(first_fallback({"2", "1m"}, looks), 3);
  EXPECT_EQ(first_fallback({"2", "1h"}, looks), 5);
}

TEST(Fallback, TimeThatWasNotLookedAtIsAsTheLastLookFoundIt) {
  const std::vector<Ids> looks{{"a"}, {}, {}};
  EXPECT_EQ(first_fallback({"", "4m"}, looks, 5min), 2);
  EXPECT_EQ(first_fallback({"1", ""}, looks, 7s), -1) << "no tick has passed";
}

TEST(Fallback, ReportsErrorsOfItsRules) {
  for (const auto& [failures, waiting, option] : {std::tuple{"0", "", "--on-demand-after-failures"},
                                                  {"x", "", "--on-demand-after-failures"},
                                                  {"", "30", "--on-demand-after-waiting"}}) {
    try {
      Fallback(failures, waiting);
      FAIL() << failures << waiting;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code, ExitCode::kBadInput);
      EXPECT_EQ(std::string(failure.what()).rfind(option, 0), 0u) << failure.what();
    }
  }
  EXPECT_FALSE(Fallback("", "").has_rules());
}

struct Watch : ::testing::Test {
  ExitCode watch(const std::string& failures, const std::string& waiting) {
    return watch_fleet(operator_.context, job, fleet, "sfr-1", {failures, waiting});
  }
  void at_sleep(int n, std::function<void()> then) {
    clock.on_sleep = [this, n, then = std::move(then), slept = 0]() mutable {
      if (++slept == n) then();
      if (slept == n + 20) done();
    };
  }
  void done() { ec2.live_volumes().at(0)->tags[tags::kDone] = "now"; }

  testing::FakeClock clock;
  testing::FakeEc2 ec2{clock};
  testing::FakeProcess operator_{clock, ec2};
  Job job = testing::test_job();
  nlohmann::json fleet = nlohmann::json::parse(
      R"({"LaunchSpecifications": [{"ImageId": "ami-1", "InstanceType": "p3.2xlarge"}]})");
  testing::FakeVolume& volume = ec2.add_volume("us-west-2c", {{"Name", "data"}}, 1);
};

TEST_F(Watch, AJobThatSpotFinishesNeverGoesOnDemand) {
  ec2.fleet = {"i-a"};
  at_sleep(3, [&] { done(); });
  EXPECT_EQ(watch("1", "30m"), ExitCode::kDone);
  EXPECT_TRUE(ec2.calls.empty());
}

TEST_F(Watch, AfterALostInstanceOneOnDemandInstanceTakesTheFleetsPlace) {
  ec2.fleet = {"i-a"};
  at_sleep(2, [&] { ec2.fleet = {"i-b"}; });
  EXPECT_EQ(watch("1", ""), ExitCode::kDone);
  EXPECT_EQ(ec2.calls, (Ids{"CancelSpotFleetRequests", "RunInstances"}));
  EXPECT_TRUE(ec2.cancelled_fleets.contains("sfr-1"));
  EXPECT_EQ(ec2.instances.begin()->second.zone, "us-west-2c") << "where the volume is";
}

TEST_F(Watch, TriesAgainWhereThereIsNoOnDemandCapacity) {
  ec2.refuse["RunInstances"] = "InsufficientInstanceCapacity";
  at_sleep(12, [&] { ec2.refuse.clear(); });
  EXPECT_EQ(watch("", "1m"), ExitCode::kDone);
  EXPECT_EQ(ec2.instances.size(), 1u);
}

TEST_F(Watch, AnOnDemandInstanceThatIsLostIsReplaced) {
  at_sleep(6, [&] { ec2.instances.begin()->second.state = "terminated"; });
  EXPECT_EQ(watch("", "1m"), ExitCode::kDone);
  EXPECT_EQ(ec2.calls, (Ids{"CancelSpotFleetRequests", "RunInstances", "RunInstances"}));
}

TEST_F(Watch, AnOnDemandInstanceThatEc2StopsIsTerminatedAndReplaced) {
  at_sleep(6, [&] { ec2.instances.begin()->second.state = "stopped"; });
  EXPECT_EQ(watch("", "1m"), ExitCode::kDone);
  EXPECT_EQ(ec2.calls,
            (Ids{"CancelSpotFleetRequests", "RunInstances", "TerminateInstances", "RunInstances"}));
}

TEST_F(Watch, AJobThatEndsWithItsInstanceGetsNoOther) {
  at_sleep(6, [&] {
    ec2.instances.begin()->second.state = "terminated";
    done();
  });
  EXPECT_EQ(watch("", "1m"), ExitCode::kDone);
  EXPECT_EQ(ec2.instances.size(), 1u);
}

TEST_F(Watch, AnAnswerThatIsLostIsNoSecondInstance) {
  int lost = 0;
  ec2.around = [&](int, bool after) {
    if (after && ec2.calls.back() == "RunInstances" && ++lost <= 5)
      throw testing::FakeEc2::Error{"RequestLimitExceeded"};
  };
  at_sleep(10, [] {});
  EXPECT_EQ(watch("", "1m"), ExitCode::kDone);
  EXPECT_EQ(lost, 6);
  EXPECT_EQ(ec2.instances.size(), 1u);
}

TEST_F(Watch, AFleetThatIsNotSeenYetIsLookedForAgain) {
  ec2.fleet = {"i-a"};
  ec2.refuse["DescribeSpotFleetInstances"] = "InvalidSpotFleetRequestId.NotFound";
  at_sleep(3, [&] { ec2.refuse.clear(); });
  EXPECT_EQ(watch("1", ""), ExitCode::kDone);
  EXPECT_TRUE(ec2.calls.empty());
}

TEST_F(Watch, AFleetThatIsNeverSeenIsAnError) {
  ec2.refuse["DescribeSpotFleetInstances"] = "InvalidSpotFleetRequestId.NotFound";
  EXPECT_THROW(watch("1", ""), aws::ApiError);
}

TEST_F(Watch, AJobThatEndsAsTheFleetIsCancelledRunsNothingMore) {
  ec2.around = [&](int, bool after) {
    if (after) done();
  };
  ec2.cancelled_fleets.insert("sfr-1");
  EXPECT_EQ(watch("", "1m"), ExitCode::kDone);
  EXPECT_TRUE(ec2.instances.empty());
}

TEST_F(Watch, AFailedJobIsOver) {
  volume.tags[tags::kFailed] = "why";
  EXPECT_EQ(watch("1", ""), ExitCode::kJobFailed);
  EXPECT_TRUE(ec2.calls.empty());
}

}  // namespace
}  // namespace spotrun
