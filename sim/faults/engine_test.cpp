// When a fault strikes.
#include "sim/faults/engine.h"

#include "sim/faults/world_for_test.h"

namespace sim::faults {
namespace {

using Side = OnCall::Side;

struct Engines : testing::Test {
  FaultWorld w;
};

TEST_F(Engines, StrikeAtAnInstant) {
  w.play({fault(AtTime{90s}, "api-error")});
  w.pass(89s);
  EXPECT_EQ(w.strikes(), 0U);
  w.pass(2s);
  ASSERT_EQ(w.strikes(), 1U);
  EXPECT_EQ(w.struck_after(), 90s);
  EXPECT_EQ(w.of_kind("fault.strike").at(0).fields, (Json{{"fault", 1}, {"kind", "api-error"}}));
}

TEST_F(Engines, StrikeAgainAndAgainAtDrawnIntervals) {
  w.play({fault(Drawn{10min}, "rebalance")});
  w.pass(100h);
  EXPECT_NEAR(static_cast<double>(w.strikes()), 600, 75);  // three standard deviations
  FaultWorld same, other;
  same.play({fault(Drawn{10min}, "rebalance")});
  other.play({fault(AtTime{1000h}, "rebalance"), fault(Drawn{10min}, "rebalance")});
  same.pass(1h);
  other.pass(10h);
  EXPECT_EQ(same.struck_after(), w.struck_after());
  EXPECT_NE(other.struck_after(), w.struck_after()) << "each has a stream of its own";
}

TEST_F(Engines, StrikeSomeTimeAfterTheNthLineWithTheseFields) {
  w.play({fault(
      OnEvent{.event = "volume.state", .fields = {{"to", "available"}}, .nth = 2, .after = 7s},
      "volume-error")});
  const std::string first = w.volume(), second = w.volume();
  w.volume();
  w.pass(1min);
  ASSERT_EQ(w.strikes(), 1U);
  EXPECT_EQ(w.cloud.volume({first}).state, cloud::VolumeState::kAvailable);
  EXPECT_EQ(w.cloud.volume({second}).state, cloud::VolumeState::kError);
  Time available{};
  for (const Event& event : w.of_kind("volume.state"))
    if (event.fields.at("volume_id") == second && event.fields.at("to") == "available")
      available = event.time;
  EXPECT_EQ(w.of_kind("fault.strike").at(0).time, available + 7s);
}

TEST_F(Engines, ReportWhichFaultsStruckAndWhichFoundNoTarget) {
  Fault drawn_out = fault(AtTime{1s}, "rebalance");
  drawn_out.chance = 1e-9;
  w.play({fault(AtTime{1s}, "rebalance"), fault(AtTime{100s}, "rebalance"),
          fault(OnEvent{.event = "volume.state", .fields = {{"to", "available"}}, .nth = 2},
                "volume-error"),
          drawn_out, fault(AtTime{1h}, "rebalance"),
          fault(AtTime{1s}, "api-throttled", {{"action", "DescribeTags"}})});
  w.volume();
  w.instance();
  w.pass(2min);
  const auto all = w.engine->tallies();
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(std::pair(all[0].strikes, all[0].found), std::pair(1L, 0L)) << "nothing ran yet";
  EXPECT_EQ(std::pair(all[1].strikes, all[1].found), std::pair(1L, 1L));
  EXPECT_EQ(std::pair(all[2].strikes, all[2].seen), std::pair(0L, 1L));
  EXPECT_FALSE(all[3].part);
  EXPECT_EQ(all[4].strikes, 0) << "its instant has not come";
  EXPECT_EQ(std::pair(all[5].found, all[5].unmet), std::pair(1L, true)) << "no such call came";
}

TEST_F(Engines, StrikeEachSpotInstanceAtTheEndOfItsLifetime) {
  w.play(
      {fault(Lifetime{.mean = 1h, .pool = market::Pool{"p3.2xlarge", "us-west-2b"}}, "power-cut")});
  const cloud::InstanceId one = w.spot(), two = w.spot(), elsewhere = w.spot("us-west-2a");
  w.instance();
  w.pass(100h);
  EXPECT_EQ(w.strikes(), 2U) << "an instance on demand and one of another pool live on";
  EXPECT_EQ(w.state(elsewhere), cloud::InstanceState::kRunning);
  for (const Event& strike : w.of_kind("fault.strike")) {
    const cloud::InstanceId id{strike.fields.at("machine").get<std::string>()};
    Time running{};
    for (const Event& event : w.of_kind("instance.state"))
      if (event.fields.at("instance_id") == id.value && event.fields.at("to") == "running")
        running = event.time;
    EXPECT_EQ(strike.time - running, w.streams.stream("spot-lifetime", id.value).weibull(1h, 1));
  }
  EXPECT_NE(w.state(one), cloud::InstanceState::kRunning);
  EXPECT_NE(w.state(two), cloud::InstanceState::kRunning);
}

TEST_F(Engines, RecommendARebalanceSoLongBeforeAnInterruption) {
  w.play({fault(AtTime{1h}, "reclaim", {{"pool", "p3.2xlarge/us-west-2b"}, {"rebalance", "10m"}}),
          fault(OnEvent{.event = "instance.state", .fields = {{"to", "running"}}, .after = 5min},
                "interrupt", {{"rebalance", "2m"}, {"capacity_after", "3"}})});
  const cloud::InstanceId first = w.spot("us-west-2a"), second = w.spot();
  w.pass(1h);
  const cloud::Instance &a = w.cloud.instance(first), &b = w.cloud.instance(second);
  EXPECT_EQ(*a.interruption_notice_at - *a.rebalance_recommended_at, 2min);
  EXPECT_EQ(*b.rebalance_recommended_at - fakes::kStart, 50min);
  EXPECT_EQ(*b.interruption_notice_at - fakes::kStart, 1h);
  EXPECT_EQ(w.cloud.market().capacity({"p3.2xlarge", "us-west-2a"}), 3);
}

// An interruption is no fault in the log. Oracles know the interruption in advance, and interrupted
// instances are counted.
TEST_F(Engines, AnInterruptionIsPredictedAndCounted) {
  std::vector<std::pair<Time, Duration>> foretold;
  Fault given = fault(OnEvent{.event = "instance.state",
                              .fields = {{"instance_id", "1"}, {"to", "running"}},
                              .after = 20min},
                      "interrupt"),
        pool = fault(AtTime{2h}, "reclaim", {{"pool", "p3.2xlarge/us-west-2b"}}), on_demand = given;
  std::get<OnEvent>(on_demand.when).fields["instance_id"] = "4";
  Plan plan{given, pool, on_demand};
  for (Fault& interruption : plan) interruption.interruption = ShortForm{};
  const Plan before{fault(AtTime{90min}, "rebalance")};
  Engine engine(w.simulation, w.log, w.streams, w.cloud, w.guests, {},
                [&](const cloud::InstanceId&, Time at, Duration notice) {
                  foretold.emplace_back(at, notice);
                });
  engine.follow(before);
  engine.follow(plan);
  const cloud::InstanceId first = w.spot(), second = w.spot(), third = w.spot();
  w.instance();
  w.pass(3h);
  EXPECT_EQ(w.strikes(), 1U) << "the other plan's";
  ASSERT_EQ(foretold.size(), 1U);
  EXPECT_EQ(foretold[0],
            std::pair(*w.cloud.instance(first).interruption_notice_at, Duration(2min)));
  const auto lines = w.of_kind("scenario.interruption");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].fields.at("instances"), Json::array({first.value}));
  EXPECT_EQ(lines[1].fields.at("instances").size(), 2U);
  const auto tallies = engine.tallies();
  EXPECT_EQ(tallies.at(1).found, 1);
  EXPECT_EQ(tallies.at(2).found, 2);
  EXPECT_EQ(tallies.at(3).found, 0);
}

TEST_F(Engines, NameTheMachineOfALineByItsNumber) {
  const auto on_the_second =
      OnEvent{.event = "instance.state", .fields = {{"instance_id", "2"}, {"to", "running"}}};
  w.play({fault(on_the_second, "host-failure")});
  const std::string first = w.instance(), second = w.instance();
  EXPECT_EQ(w.state({first}), cloud::InstanceState::kRunning);
  EXPECT_NE(w.state({second}), cloud::InstanceState::kRunning);
  EXPECT_EQ(w.of_kind("fault.strike").at(0).fields.at("machine"), second);
}

TEST_F(Engines, CountCallsOfAnActionByAMachine) {
  w.play({fault(OnCall{.action = "DescribeVolumes", .caller = "operator", .nth = 2}, "api-error")});
  EXPECT_EQ(w.ec2_of("i-0123", "DescribeVolumes").status(), 200);
  EXPECT_EQ(w.ec2("DescribeInstances").status(), 200);
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 200);
  EXPECT_EQ(w.ec2("DescribeVolumes").code(), "InternalError");
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 200);
  EXPECT_EQ(w.of_kind("fault.strike").at(0).fields, (Json{{"fault", 1},
                                                          {"kind", "api-error"},
                                                          {"machine", "operator"},
                                                          {"action", "DescribeVolumes"}}));
}

TEST_F(Engines, CountCallsOfAnyAction) {
  w.play({fault(OnCall{.nth = 3}, "api-error")});
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 200);
  EXPECT_EQ(w.ec2_of("i-0123", "DescribeInstances").status(), 200);
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 500);
}

// At the power cut the machine's request has not left yet. One moment later it has.
TEST_F(Engines, APowerCutBeforeACallOfItsMachineKeepsTheCallFromHappening) {
  for (const Side side : {Side::kBefore, Side::kAfter}) {
    FaultWorld world;
    world.play({fault(OnCall{.side = side, .action = "CreateVolume", .caller = "1"}, "power-cut")});
    const std::string caller = world.instance();
    world.ec2_of(caller, "CreateVolume", {{"AvailabilityZone", "us-west-2b"}, {"Size", "8"}});
    std::size_t data = 0;
    for (const auto& [id, volume] : world.cloud.volumes()) data += volume.root ? 0 : 1;
    EXPECT_EQ(data, side == Side::kBefore ? 0U : 1U);
    EXPECT_EQ(world.state({caller}), cloud::InstanceState::kRunning) << "not inside of the call";
    world.pass(1ms);
    EXPECT_EQ(world.state({caller}), cloud::InstanceState::kShuttingDown);
  }
}

TEST_F(Engines, APowerCutOfAnotherMachineLetsTheCallHappen) {
  const std::string victim = w.instance();
  w.play({fault(OnCall{.action = "CreateVolume", .caller = "operator"}, "power-cut",
                {{"instance", "1"}})});
  EXPECT_EQ(w.ec2("CreateVolume", {{"AvailabilityZone", "us-west-2b"}, {"Size", "8"}}).status(),
            200);
}

TEST_F(Engines, CountRequestsForMetadata) {
  w.play({fault(OnMetadata{.path = "/latest/meta-data/mac", .instance = "1", .nth = 2},
                "imds-error", {{"times", "1"}})});
  const std::string id = w.instance();
  w.metadata(id, "/latest/meta-data/hostname");
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 200U);
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 500U);
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 200U);
}

TEST_F(Engines, TakeAFaultIntoARunByItsChance) {
  int parts = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    FaultWorld world;
    world.streams = Streams(seed);
    Fault once = fault(AtTime{1s}, "api-error");
    once.chance = 0.25;
    world.play({once});
    world.pass(2s);
    parts += static_cast<int>(world.strikes());
  }
  EXPECT_NEAR(parts, 100, 26);  // three standard deviations
}

TEST_F(Engines, APlanThatNeverStrikesChangesNothing) {
  const auto lines_with = [](Plan plan) {
    FaultWorld world;
    world.play(std::move(plan));
    world.instance();
    world.volume();
    return world.lines;
  };
  EXPECT_EQ(lines_with({fault(OnCall{.action = "DeleteVolume"}, "power-cut"),
                        fault(AtTime{100h}, "drain"),
                        fault(OnEvent{.event = "snapshot.state"}, "snapshot-error"),
                        fault(OnMetadata{.nth = 9}, "imds-down")}),
            lines_with({}));
}

}  // namespace
}  // namespace sim::faults
