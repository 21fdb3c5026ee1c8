// Faults of two regions, us-west-2 and us-east-1, on one clock and in one log.
#include "fakes/front.h"
#include "sim/faults/world_for_test.h"

namespace sim::faults {
namespace {

struct TwoRegions : testing::Test {
  TwoRegions() {
    east_cloud.observe(east_writer);
    w.backend.regions = east.regions = {&w.backend, &east};
  }
  void play(Plan here, Plan there) {
    w.play(std::move(here));
    plan_of_east = std::move(there);
    engine_of_east = std::make_unique<Engine>(w.simulation, east_log, east_streams, east_cloud,
                                              w.guests, JobFacts{}, Foretell{}, "us-east-1");
    engine_of_east->follow(plan_of_east);
    east.interference = engine_of_east.get();
  }
  cloud::InstanceId spot_of_east() {
    const auto request = east_cloud.request_spot_instances(
        {.instance_type = "p3.2xlarge", .availability_zone = "us-east-1a"}, 1, "one-time");
    w.pass(3min);
    return east_cloud.spot_requests().at(request.at(0)).instance;
  }
  // True if calls to this backend are lost.
  static bool lost(fakes::Backend& answers, const char* action, const cloud::InstanceId& caller) {
    try {
      fakes::InterferedCall(answers, {.action = action, .caller = caller.value}).before_effect();
      return false;
    } catch (const cloud::ApiError& error) {
      return error.code() == "NoAnswer";
    }
  }
  static market::PriceHistory east_prices() {
    market::PriceHistory history;
    history.pools[{"p3.2xlarge", "us-east-1a"}] = {
        {fakes::kStart, market::parse_usd("0.95").value()}};
    return history;
  }

  FaultWorld w;
  EventLog east_log{w.log, "us-east-1"};
  Streams east_streams{8};
  market::Market east_market{w.simulation, east_log, east_prices(), {"us-east-1"}};
  cloud::Cloud east_cloud{w.simulation,
                          east_streams,
                          east_market,
                          w.host,
                          {.region = "us-east-1", .availability_zones = {"us-east-1a"}}};
  cloud::LogWriter east_writer{w.simulation, east_log};
  fakes::Backend east{.cloud = east_cloud,
                      .simulation = w.simulation,
                      .log = east_log,
                      .streams = east_streams,
                      .latencies = {},
                      .store = w.backend.store,
                      .iam = w.backend.iam};
  Plan plan_of_east;
  std::unique_ptr<Engine> engine_of_east;
};

TEST_F(TwoRegions, AnEventOfOneRegionStartsNoFaultOfTheOther) {
  const OnEvent notice{.event = "instance.notice"};
  play({fault(AtTime{30min}, "interrupt"), fault(notice, "host-failure")},
       {fault(AtTime{60min}, "interrupt"), fault(notice, "host-failure")});
  const auto here = w.spot(), there = spot_of_east();
  w.pass(40min);
  EXPECT_EQ(w.engine->tallies()[1].found, 1);
  EXPECT_NE(w.state(here), cloud::InstanceState::kRunning);
  EXPECT_EQ(engine_of_east->tallies()[1].seen, 0);
  EXPECT_EQ(east_cloud.instance(there).state, cloud::InstanceState::kRunning);
  const auto next = w.spot();
  w.pass(30min);
  EXPECT_EQ(engine_of_east->tallies()[1].found, 1);
  EXPECT_NE(east_cloud.instance(there).state, cloud::InstanceState::kRunning);
  EXPECT_EQ(w.engine->tallies()[1].seen, 1);
  EXPECT_EQ(w.state(next), cloud::InstanceState::kRunning);
}

// Lines of programs name no region, only their instance.
TEST_F(TwoRegions, ALineOfAProgramIsOfTheRegionOfItsInstance) {
  const OnEvent step{.event = "trainer.step"};
  play({fault(step, "power-cut")}, {fault(step, "power-cut")});
  const auto here = w.spot(), there = spot_of_east();
  w.log.append(w.simulation.now(), "trainer.step", {{"instance_id", there.value}, {"step", 1}});
  w.pass(1min);
  EXPECT_EQ(engine_of_east->tallies()[0].found, 1);
  EXPECT_NE(east_cloud.instance(there).state, cloud::InstanceState::kRunning);
  EXPECT_EQ(w.engine->tallies()[0].seen, 0);
  EXPECT_EQ(w.state(here), cloud::InstanceState::kRunning);
}

TEST_F(TwoRegions, ACutNetworkLosesCallsThatAnotherRegionAnswers) {
  play({fault(AtTime{30min}, "network-down")},
       {fault(AtTime{1h}, "network-down", {{"scope", "s3"}}),
        fault(AtTime{2h}, "network-down", {{"scope", "availability-zone"}}),
        fault(AtTime{3h}, "network-down")});
  const auto here = w.spot(), there = spot_of_east();
  const auto at = [&](Duration time) { w.pass(fakes::kStart + time - w.simulation.now()); };
  at(31min);
  EXPECT_TRUE(lost(east, "DescribeVolumes", here));
  EXPECT_FALSE(lost(east, "DescribeVolumes", there));
  EXPECT_FALSE(lost(w.backend, "PutObject", there));
  at(1h + 1min);
  EXPECT_FALSE(lost(east, "DescribeVolumes", here));
  EXPECT_TRUE(lost(w.backend, "PutObject", there));
  EXPECT_FALSE(lost(w.backend, "DescribeVolumes", there));
  EXPECT_FALSE(lost(w.backend, "PutObject", here));
  at(2h + 1min);
  EXPECT_FALSE(lost(w.backend, "PutObject", there));
  EXPECT_FALSE(lost(w.backend, "DescribeVolumes", there));
  at(3h + 1min);
  EXPECT_TRUE(lost(w.backend, "PutObject", there));
  EXPECT_TRUE(lost(w.backend, "DescribeVolumes", there));
}

}  // namespace
}  // namespace sim::faults
