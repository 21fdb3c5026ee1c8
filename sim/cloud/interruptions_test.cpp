#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

using Notice = Cloud::Notice;

TEST(Interruptions, GiveTwoMinutesThenShutDown) {
  CloudWorld w;
  const SpotRequestId request = w.spot();
  const InstanceId id = w.request(request).instance;
  w.cloud.interrupt(id, Notice::kGiven, "no-capacity");
  EXPECT_EQ(w.cloud.instance(id).interruption_notice_at, kStart + 60s);
  EXPECT_EQ(w.cloud.instance(id).interruption_at, kStart + 180s);
  EXPECT_EQ(w.request(request).status_code, "instance-terminated-no-capacity");
  w.run(119s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
  w.run(1s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kShuttingDown);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Server.SpotInstanceTermination");
  EXPECT_EQ(w.host.calls.back(), "shut down " + id.value);
  const Event notice = w.of_kind("instance.notice").at(0);
  EXPECT_EQ(notice.fields.at("at"), "2019-11-05T10:03:00.000000000Z");
  EXPECT_EQ(notice.fields.at("action"), "terminate");
  EXPECT_EQ(w.of_kind("instance.interrupted").at(0).fields.at("notice"), true);
}

TEST(Interruptions, WithoutNoticePowerOff) {
  CloudWorld w;
  const SpotRequestId request = w.spot();
  const InstanceId id = w.request(request).instance;
  w.cloud.interrupt(id, Notice::kNone, "no-capacity");
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kShuttingDown);
  EXPECT_EQ(w.host.calls.back(), "power off " + id.value);
  EXPECT_TRUE(w.of_kind("instance.notice").empty());
  EXPECT_FALSE(w.cloud.instance(id).interruption_notice_at.has_value());
}

TEST(Interruptions, ThatTheUserForestallsChangeNothing) {
  CloudWorld w;
  const SpotRequestId request = w.spot();
  const InstanceId id = w.request(request).instance;
  w.cloud.interrupt(id, Notice::kGiven, "no-capacity");
  w.run(30s);
  w.cloud.terminate_instances({id});
  w.run(1h);
  EXPECT_EQ(w.cloud.instance(id).shutting_down_at, kStart + 90s);
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Client.UserInitiatedShutdown");
  EXPECT_EQ(w.request(request).status_code, "instance-terminated-by-user");
}

TEST(Interruptions, OfTheSameInstanceAreOne) {
  CloudWorld w;
  const InstanceId id = w.request(w.spot()).instance;
  w.cloud.interrupt(id, Notice::kGiven, "no-capacity");
  w.run(60s);
  w.cloud.interrupt(id, Notice::kGiven, "no-capacity");
  w.run(60s);
  EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kShuttingDown);
  w.cloud.interrupt(id, Notice::kNone, "no-capacity");
  EXPECT_EQ(w.of_kind("instance.interrupted").size(), 1u);
}

TEST(Interruptions, WithANoticeMayStillEndHard) {
  CloudWorld w;
  const InstanceId id = w.request(w.spot()).instance;
  w.cloud.interrupt(id, Notice::kGiven, "no-capacity");
  w.run(60s);
  w.cloud.interrupt(id, Notice::kNone, "no-capacity");
  w.run(1h);
  EXPECT_EQ(w.cloud.instance(id).shutting_down_at, kStart + 120s);
}

TEST(Interruptions, ByPriceComeWhenThePriceExceedsTheMaximum) {
  market::PriceHistory prices = default_prices();
  prices.pools[kB] = points({{0s, "0.9"}, {30min, "1"}, {40min, "1.01"}, {50min, "0.9"}});
  CloudWorld w{prices};
  const SpotRequestId request = w.spot(kB, "one-time", usd("1"));
  w.run(1h);
  EXPECT_EQ(w.instance_of(request).interruption_notice_at, kStart + 40min);
  EXPECT_EQ(w.instance_of(request).shutting_down_at, kStart + 42min);
  EXPECT_EQ(w.request(request).status_code, "instance-terminated-by-price");
}

TEST(Interruptions, ByPriceUseTheOnDemandPriceWithoutAMaximum) {
  market::PriceHistory prices = default_prices();
  prices.pools[kB] = points({{0s, "0.9"}, {30min, "3.06"}, {40min, "3.0601"}});
  CloudWorld w{prices};
  const SpotRequestId request = w.spot();
  w.run(1h);
  EXPECT_EQ(w.instance_of(request).interruption_notice_at, kStart + 40min);
}

TEST(Interruptions, OfPendingInstancesNeverBootThem) {
  CloudWorld w;
  const auto request = w.cloud.request_spot_instances({.instance_type = "p3.2xlarge"}, 1, "").at(0);
  w.run(3s);
  w.cloud.interrupt(w.request(request).instance, Notice::kNone, "no-capacity");
  w.run(1h);
  EXPECT_EQ(w.path("instance.state", w.request(request).instance.value),
            "pending shutting-down terminated");
}

TEST(Interruptions, ReclaimTakesAPoolsInstancesInLaunchOrder) {
  CloudWorld w;
  const InstanceId one = w.request(w.spot()).instance, elsewhere = w.request(w.spot(kA)).instance,
                   two = w.request(w.spot()).instance;
  EXPECT_EQ(w.cloud.reclaim(kB, Notice::kNone, "no-capacity"), (std::vector{one, two}));
  EXPECT_EQ(w.cloud.instance(elsewhere).state, InstanceState::kRunning);
}

TEST(Interruptions, AreForSpotInstancesOnly) {
  CloudWorld w;
  const InstanceId id = w.on_demand();
  EXPECT_EQ(w.refusal([&] { w.cloud.interrupt(id, Notice::kGiven, "no-capacity"); }),
            "UnsupportedOperation");
}

TEST(Interruptions, RebalanceRecommendationsAreShownOnce) {
  CloudWorld w;
  const InstanceId id = w.request(w.spot()).instance;
  w.cloud.recommend_rebalance(id);
  w.run(60s);
  w.cloud.recommend_rebalance(id);
  EXPECT_EQ(w.cloud.instance(id).rebalance_recommended_at, kStart + 60s);
  EXPECT_EQ(w.of_kind("instance.rebalance").size(), 1u);
}

TEST(Interruptions, FollowAPriceThatIsSet) {
  CloudWorld w;
  const InstanceId id = w.request(w.spot()).instance;
  const Instance& instance = w.cloud.instance(id);
  const Pool pool{instance.spec.instance_type, instance.spec.availability_zone};
  w.cloud.set_price(pool, w.cloud.max_price(instance.spec));
  w.run(1s);
  EXPECT_FALSE(instance.interruption_notice_at);
  w.cloud.set_price(pool, w.cloud.max_price(instance.spec) + Usd{1});
  w.run(1s);
  EXPECT_EQ(instance.interruption_notice_at, kStart + 61s);
  EXPECT_EQ(w.of_kind("instance.interrupted").at(0).fields.at("reason"), "by-price");
  w.cloud.set_price(pool, usd("0.1"));  // too late
  w.run(2min);
  EXPECT_EQ(instance.state, InstanceState::kShuttingDown);
}

}  // namespace
}  // namespace sim::cloud
