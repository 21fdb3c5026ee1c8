#include "orchestrator/acquire/strategy_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "orchestrator/acquire/submit.h"
#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/job/fleet_file.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {
namespace {

using namespace std::chrono_literals;
using testing::Crash;
using testing::FakeInstance;

// EC2 with simulated training. The trainer needs eight hours in total. It begins ten minutes after
// the launch, or half an hour later if the volume must hop.
class StrategyWorld {
 public:
  StrategyWorld() {
    ec2.spot_prices = {{"us-west-2a", 1.0}, {"us-west-2b", 1.2}, {"us-west-2c", 1.1}};
    ec2.add_volume("us-west-2b", {{"Name", "data"}}, 1);
    clock.on_sleep = [this] { pass(); };
    options = {.strategy = "greedy+lowest-price+bid-share:0.5", .work = "8h", .deadline = "11h30m"};
  }

  ExitCode submit() {
    Job job = testing::test_job();
    job.on_demand_price["p3.2xlarge"] = 3.06;
    auto fleet = nlohmann::json::parse(R"({"LaunchSpecifications": [
      {"ImageId": "ami-1", "InstanceType": "p3.2xlarge", "Placement": {}}]})");
    fleet["LaunchSpecifications"][0]["Placement"]["AvailabilityZone"] = zones;
    const StrategyPlan plan = read_plan(options, fleet, "fleet.json", job);
    testing::FakeProcess process(clock, ec2);
    const ExitCode code = run_strategy(process.context, job, plan,
                                       [&](const std::string& id) { rented.push_back(id); });
    said = process.log.lines;
    return code;
  }

  testing::FakeVolume& volume() { return *ec2.live_volumes().at(0); }
  std::vector<FakeInstance*> live() {
    std::vector<FakeInstance*> found;
    for (auto& [id, instance] : ec2.instances)
      if (instance.state == "running") found.push_back(&instance);
    return found;
  }
  // There must be exactly one instance.
  FakeInstance& held() {
    EXPECT_EQ(live().size(), 1u);
    return *live().at(0);
  }
  void interrupt(FakeInstance& instance) {
    save(instance.id, clock.time);
    ec2.terminate(instance.id);
  }
  // The trainer saves, and the instance ends three minutes later.
  void notice(FakeInstance& instance) {
    save(instance.id, clock.time);
    instance.spot_status = "marked-for-termination";
    events_.emplace_back(clock.time + 3min, [this, id = instance.id] { ec2.terminate(id); });
  }
  // Calls `then` once, at this time after the start.
  void after(Duration time, std::function<void()> then) {
    events_.emplace_back(begin_ + time, std::move(then));
  }

  testing::FakeClock clock;
  testing::FakeEc2 ec2{clock};
  StrategyOptions options;
  std::string zones = "us-west-2a,us-west-2b,us-west-2c";
  std::vector<std::string> rented, said;
  std::function<void()> each_minute = [] {};
  std::size_t most_live = 0;
  Time done_at{};
  Duration changeover = 8min, hop = 25min;

 private:
  void pass() {
    const Time end = clock.time;
    for (clock.time = seen_; clock.time < end; clock.time += 1min) {
      for (auto& [at, then] : events_)
        if (at <= clock.time) std::exchange(then, [] {})();
      each_minute();
      work();
    }
    clock.time = seen_ = end;
    most_live = std::max(most_live, live().size());
  }

  void work() {
    const std::string running = read_progress(tagged()).trains_on;
    if (!running.empty() && ec2.instances[running].state != "running")
      save(running, ec2.instances[running].gone - 30s);
    for (FakeInstance* instance : live()) {
      if (instance->spot_status != "fulfilled") continue;
      const bool away = instance->zone != volume().zone;
      if (clock.time < instance->launched + changeover - 1min + (away ? hop : 0min)) continue;
      if (volume().state == "error") restore();
      volume().zone = instance->zone;
      std::string& since = volume().tags[tags::kTrainsSince];
      if (since.empty()) since = iso_time(clock.time) + " " + instance->id;
    }
    const Progress progress = read_progress(tagged());
    Duration sum{};
    for (const auto& [type, trained] : progress.trained) sum += trained;
    if (progress.trains_on.empty() || !volume().tags[tags::kDone].empty()) return;
    if (sum + (clock.time - progress.since) < 8h) return;
    done_at = clock.time;
    volume().tags[tags::kDone] = iso_time(clock.time);
    ec2.terminate(progress.trains_on);
  }

  void save(const std::string& id, Time at) {
    const Progress progress = read_progress(tagged());
    if (progress.trains_on != id) return;
    Duration sum = at - progress.since;
    for (const auto& [type, trained] : progress.trained) sum += trained;
    volume().tags[tags::kTrainsSince] = "";
    volume().tags[tags::kSaved] = iso_time(at);
    volume().tags[std::string(tags::kTrained) + "p3.2xlarge"] =
        std::to_string(sum.count() / 1000) + "s";
  }

  void restore() {
    Time newest{};
    for (const auto& [id, snapshot] : ec2.snapshots) newest = std::max(newest, snapshot.started);
    take_back_progress(volume().tags, newest);
    volume().state = "available";
  }

  aws::Volume tagged() {
    aws::Volume copy;
    copy.tags = volume().tags;
    return copy;
  }

  Time begin_ = clock.time, seen_ = clock.time;
  std::vector<std::pair<Time, std::function<void()>>> events_;
};

TEST(StrategyRun, RentsByTheStrategyAndCleansUpItsRecord) {
  StrategyWorld world;
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 1u);
  const FakeInstance& instance = world.ec2.instances[world.rented[0]];
  EXPECT_EQ(instance.zone, "us-west-2a") << "the cheapest";
  EXPECT_FALSE(instance.spot_request.empty());
  EXPECT_EQ(instance.tags.at(tags::kMaxPrice), "1.530000");
  for (const auto& [key, value] : world.volume().tags)
    EXPECT_TRUE(key == "Name" || key == tags::kDone) << key;
}

TEST(StrategyRun, APoolThatRefusesIsPassedOverInTheSameTick) {
  StrategyWorld world;
  world.ec2.sold_out = {"us-west-2a", "us-west-2c"};
  world.submit();
  const FakeInstance& instance = world.ec2.instances[world.rented.at(0)];
  EXPECT_EQ(instance.zone, "us-west-2b");
  EXPECT_LT(instance.launched - parse_iso_time("2019-11-05T00:00:00Z").value(), 1min);
}

TEST(StrategyRun, WithoutSpotItWaitsAndThenGoesOnDemandInTime) {
  StrategyWorld world;
  world.ec2.sold_out = {"us-west-2a", "us-west-2b", "us-west-2c"};
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 1u);
  const FakeInstance& instance = world.ec2.instances[world.rented[0]];
  EXPECT_EQ(instance.spot_request, "");
  EXPECT_EQ(instance.zone, "us-west-2b") << "where the data is";
  EXPECT_FALSE(instance.tags.contains(tags::kMaxPrice));
  const Time begin{std::chrono::sys_days{std::chrono::year{2019} / 11 / 5}};
  EXPECT_GT(instance.launched, begin + 1h);
  EXPECT_LE(world.done_at, begin + 11h + 30min);
}

TEST(StrategyRun, OnDemandIsTakenInAnotherZoneRatherThanNotAtAll) {
  StrategyWorld world;
  world.options.strategy = "on-demand";
  world.ec2.no_on_demand = {"us-west-2a", "us-west-2b"};
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 1u);
  EXPECT_EQ(world.ec2.instances[world.rented[0]].zone, "us-west-2c");
}

TEST(StrategyRun, WhereNothingIsToBeHadItAsksAgainInTheNextTick) {
  StrategyWorld world;
  world.options.strategy = "on-demand";
  world.ec2.no_on_demand = {"us-west-2a", "us-west-2b", "us-west-2c"};
  world.after(25min, [&] { world.ec2.no_on_demand.clear(); });
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  EXPECT_EQ(world.rented.size(), 1u);
}

TEST(StrategyRun, AnErrorThatCanPassIsNoAnswer) {
  for (const char* action : {"RunInstances", "DescribeSpotPriceHistory", "DescribeInstances",
                             "DescribeVolumes", "TerminateInstances"}) {
    StrategyWorld world;
    world.options.strategy = "greedy+hop-for-price:0.3";
    world.after(121min, [&] { world.ec2.refuse[action] = "RequestLimitExceeded"; });
    world.after(124min, [&] { world.ec2.spot_prices["us-west-2c"] = 0.5; });
    world.after(133min, [&] { world.ec2.refuse.clear(); });
    EXPECT_EQ(world.submit(), ExitCode::kDone) << action;
    ASSERT_EQ(world.rented.size(), 2u) << action;
    EXPECT_EQ(world.ec2.instances[world.rented[1]].zone, "us-west-2c") << action;
  }
}

TEST(StrategyRun, AnInstanceThatCouldNotBeEndedForMinutesIsNoInterruption) {
  StrategyWorld world;
  world.options.strategy = "greedy+hop-for-price:0.3";
  world.after(121min, [&] { world.ec2.refuse["TerminateInstances"] = "RequestLimitExceeded"; });
  world.after(124min, [&] { world.ec2.spot_prices["us-west-2c"] = 0.5; });
  world.after(150min, [&] { world.ec2.refuse.clear(); });
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 2u);
  EXPECT_EQ(std::ranges::count(world.said, world.rented[0] + " is gone"), 0);
}

TEST(StrategyRun, AnErrorThatCannotPassEndsIt) {
  StrategyWorld world;
  world.ec2.refuse["RunInstances"] = "UnauthorizedOperation";
  EXPECT_THROW(world.submit(), aws::ApiError);
  EXPECT_TRUE(world.live().empty());
}

TEST(StrategyRun, TooDearIsNoSpot) {
  StrategyWorld world;
  for (auto& [zone, price] : world.ec2.spot_prices) price = 1.6;
  world.submit();
  EXPECT_EQ(world.ec2.instances[world.rented.at(0)].spot_request, "");
}

TEST(StrategyRun, ALostInstanceIsReplacedAtTheNextTick) {
  StrategyWorld world;
  world.options.strategy = "greedy+leave-interrupted";
  world.after(62min, [&] { world.interrupt(world.held()); });
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 2u);
  EXPECT_EQ(world.ec2.instances[world.rented[0]].zone, "us-west-2a");
  EXPECT_EQ(world.ec2.instances[world.rented[1]].zone, "us-west-2c");
}

TEST(StrategyRun, AnInstanceUnderNoticeIsWaitedFor) {
  StrategyWorld world;
  world.after(69min, [&] { world.held().spot_status = "marked-for-termination"; });
  world.after(71min, [&] { world.interrupt(world.held()); });
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 2u);
  const Duration lived =
      world.ec2.instances[world.rented[1]].launched - world.ec2.instances[world.rented[0]].launched;
  EXPECT_GT(lived, 71min);
  EXPECT_LT(lived, 73min) << "not a tick later";
}

TEST(StrategyRun, AHopByItsOwnWillEndsTheOldInstanceAfterTheNewOneIsThere) {
  StrategyWorld world;
  world.options.strategy = "greedy+hop-for-price:0.3";
  world.after(125min, [&] { world.ec2.spot_prices["us-west-2c"] = 0.5; });
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  ASSERT_EQ(world.rented.size(), 2u);
  const auto launch = std::find(world.ec2.calls.begin() + 2, world.ec2.calls.end(), "RunInstances");
  ASSERT_NE(launch, world.ec2.calls.end());
  EXPECT_EQ(*(launch + 1), "TerminateInstances");
  EXPECT_EQ(world.most_live, 1u);
}

TEST(StrategyRun, AnAttemptThatIsRefusedCostsNoInstance) {
  StrategyWorld world;
  world.options.strategy = "greedy+hop-for-price:0.3";
  world.ec2.sold_out = {"us-west-2c"};
  world.ec2.spot_prices["us-west-2c"] = 0.5;
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  EXPECT_EQ(world.rented.size(), 1u);
}

TEST(StrategyRun, AFailedJobEndsIt) {
  StrategyWorld world;
  world.after(1h, [&] { world.volume().tags[tags::kFailed] = "why"; });
  EXPECT_EQ(world.submit(), ExitCode::kJobFailed);
  EXPECT_FALSE(world.volume().tags.contains(tags::kStrategySince));
}

TEST(StrategyRun, ANewSubmitOfADoneJobBeginsAnew) {
  StrategyWorld world;
  world.submit();
  const Time first = world.done_at;
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  EXPECT_GT(world.done_at, first + 8h);
}

TEST(StrategyRun, ARunThatWasAbandonedKeepsItsDeadlineUnlessBegunAnew) {
  for (const bool anew : {false, true}) {
    StrategyWorld world;
    world.options.anew = anew;
    auto& noted = world.volume().tags;
    noted[tags::kStrategySince] = "2019-11-01T00:00:00.000Z";
    noted[std::string(tags::kTrained) + "p3.2xlarge"] = "14400s";
    const Time begin = world.clock.time;
    EXPECT_EQ(world.submit(), ExitCode::kDone);
    EXPECT_EQ(
        std::ranges::count(world.said, "its deadline has passed; with --anew it counts from now"),
        anew ? 0 : 1);
    EXPECT_EQ(!world.ec2.instances[world.rented.at(0)].spot_request.empty(), anew);
    EXPECT_LT(world.done_at - begin, 5h) << "half of the work is done";
  }
}

// Stops the operator before (or after) the effect of each call that changes something, and starts
// it again five minutes later.
TEST(StrategyRun, AnOperatorThatIsEndedAnywhereGoesOnWhenItIsStartedAgain) {
  StrategyWorld undisturbed;
  undisturbed.options.strategy = "greedy+hop-for-price:0.3";
  undisturbed.after(125min, [&] { undisturbed.ec2.spot_prices["us-west-2c"] = 0.5; });
  undisturbed.submit();
  const int calls = static_cast<int>(undisturbed.ec2.calls.size());
  ASSERT_GT(calls, 4);
  for (int n = 0; n < calls; ++n) {
    for (const bool after : {false, true}) {
      if (after && n + 1 == calls) continue;  // the operator has no work left
      SCOPED_TRACE(::testing::Message() << undisturbed.ec2.calls[static_cast<std::size_t>(n)]
                                        << (after ? " done, call " : " not done, call ") << n);
      StrategyWorld world;
      world.options.strategy = "greedy+hop-for-price:0.3";
      world.after(125min, [&] { world.ec2.spot_prices["us-west-2c"] = 0.5; });
      world.ec2.around = [&](int call, bool is_after) {
        if (call == n && is_after == after) throw Crash{};
      };
      EXPECT_THROW(world.submit(), Crash);
      world.ec2.around = [](int, bool) {};
      const auto before = world.live().size();
      world.clock.sleep(5min);
      world.most_live = 0;
      EXPECT_EQ(world.submit(), ExitCode::kDone);
      EXPECT_LE(world.most_live, std::max<std::size_t>(before, 1));
      EXPECT_TRUE(world.live().empty());
      // At most three instances existed: the last one is the instance after the hop.
      EXPECT_LE(world.ec2.instances.size(), 3u);
      EXPECT_LE(world.done_at, undisturbed.done_at + 30min);
    }
  }
}

// EC2 accepts the token of the first launch again at the same price. At another price it refuses
// the token.
TEST(StrategyRun, AnOperatorThatIsStartedAgainAfterALossRentsAnewInTheSameTick) {
  for (const double price : {1.0, 1.05}) {
    StrategyWorld world;
    world.options.strategy = "greedy+lowest-price+bid-quantile:0.7";
    world.options.tick = "90m";
    world.options.deadline = "16h";
    world.after(30min, [&] { world.interrupt(world.held()); });
    world.after(45min, [&] {
      world.ec2.spot_prices["us-west-2a"] = price;
      throw Crash{};
    });
    EXPECT_THROW(world.submit(), Crash);
    EXPECT_EQ(world.submit(), ExitCode::kDone);
    ASSERT_EQ(world.rented.size(), 2u);
    ASSERT_NE(world.rented[0], world.rented[1]);
    const Duration between = world.ec2.instances[world.rented[1]].launched -
                             world.ec2.instances[world.rented[0]].launched;
    EXPECT_LT(between, 50min) << "not a tick later";
  }
}

TEST(StrategyRun, WhatAFailedVolumeTookIsToBeDoneAgainBeforeAnInstanceRestoresIt) {
  StrategyWorld world;
  const Time begin = world.clock.time;
  world.after(50min, [&] {
    world.ec2.snapshots["snap-1"] = {.id = "snap-1",
                                     .state = "completed",
                                     .started = world.clock.time,
                                     .tags = {{"Name", "data"}}};
  });
  world.after(3h, [&] {
    world.interrupt(world.held());
    world.volume().state = "error";
    world.ec2.sold_out = {"us-west-2a", "us-west-2b", "us-west-2c"};
  });
  EXPECT_EQ(world.submit(), ExitCode::kDone);
  EXPECT_LE(world.done_at - begin, 11h + 30min);
  EXPECT_GT(world.done_at - begin, 10h);
}

// Spot becomes available late, and EC2 interrupts the instance at once. Training is not faster than
// stated, and the notice delays the decision.
TEST(StrategyRun, TheDeadlineIsKeptThoughADecisionIsLate) {
  for (Duration at = 30min; at < 50min; at += 1min) {
    StrategyWorld world;
    world.options = {
        .strategy = "greedy", .work = "8h", .deadline = "9h", .tick = "1m", .changeover = "8m"};
    world.zones = "us-west-2b";
    world.ec2.sold_out = {"us-west-2b"};
    world.after(at, [&] { world.ec2.sold_out.clear(); });
    world.after(at + 30min, [&] {
      world.ec2.sold_out = {"us-west-2b"};
      if (!world.held().spot_request.empty()) world.notice(world.held());
    });
    const Time begin = world.clock.time;
    ASSERT_EQ(world.submit(), ExitCode::kDone) << at.count();
    EXPECT_LE(world.done_at - begin, 9h) << at.count();
  }
}

class Deadlines : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(StrategyRun, Deadlines,
                         ::testing::Values("greedy+lowest-price", "uniform-progress+round-robin",
                                           "time-sliced:4+leave-interrupted", "utility:0.05",
                                           "uniform-progress+hop-for-price:0.2+bid-quantile:0.7"),
                         [](const auto& strategy) {
                           std::string name = strategy.param;
                           std::erase_if(name, [](char c) {
                             return !std::isalnum(static_cast<unsigned char>(c));
                           });
                           return name;
                         });

// Zones gain and lose capacity at random, each minute, which interrupts instances.
TEST_P(Deadlines, AreKeptWhateverTheCapacityWithOneInstanceAtATime) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    StrategyWorld world;
    world.options = {.strategy = GetParam(), .work = "8h", .deadline = "11h30m"};
    std::mt19937 random(seed);
    const std::uint32_t stays = 20 + 40 * (seed % 8);  // minutes, on average
    world.each_minute = [&] {
      for (auto& [zone, price] : world.ec2.spot_prices) {
        if (random() % stays != 0) continue;
        price = 0.8 + static_cast<double>(random() % 100) / 50;
        if (world.ec2.sold_out.erase(zone) == 0) world.ec2.sold_out.insert(zone);
        for (FakeInstance* instance : world.live())
          if (instance->zone == zone && !instance->spot_request.empty() &&
              world.ec2.sold_out.contains(zone))
            world.interrupt(*instance);
      }
    };
    const Time begin = world.clock.time;
    ASSERT_EQ(world.submit(), ExitCode::kDone) << seed;
    EXPECT_LE(world.done_at - begin, 11h + 30min) << seed;
    EXPECT_EQ(world.most_live, 1u) << seed;
    EXPECT_TRUE(world.live().empty()) << seed;
  }
}

}  // namespace
}  // namespace spotrun
