#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

TEST(SpotRequests, AreEvaluatedThenFulfilled) {
  CloudWorld w;
  const SpotRequestId id = w.spot();
  EXPECT_EQ(w.request(id).state, SpotRequestState::kActive);
  EXPECT_EQ(w.instance_of(id).lifecycle, Lifecycle::kSpot);
  EXPECT_EQ(w.instance_of(id).launched_at, kStart + 2s);
  EXPECT_EQ(w.path("spot-request.status", id.value, "code"),
            "pending-evaluation pending-fulfillment fulfilled");
  EXPECT_EQ(w.path("spot-request.state", id.value), "open active");
}

TEST(SpotRequests, WithoutAZoneTakeTheCheapestWithCapacity) {
  CloudWorld w;
  EXPECT_EQ(w.instance_of(w.spot({"p3.2xlarge", ""})).spec.availability_zone, "us-west-2b");
  w.market.set_capacity(kB, 1);
  EXPECT_EQ(w.instance_of(w.spot({"p3.2xlarge", ""})).spec.availability_zone, "us-west-2a");
}

TEST(SpotRequests, WaitForCapacityAtTheirRetryInstants) {
  CloudWorld w;
  w.market.set_capacity(kB, 0);
  const SpotRequestId id = w.spot();
  EXPECT_EQ(w.request(id).status_code, "capacity-not-available");
  w.run(10min);
  const auto executed = w.simulation.executed();
  w.run(1h);
  EXPECT_EQ(w.simulation.executed(), executed) << "waiting costs events";

  w.market.set_capacity(kB, 1);  // 71 min; tries are at 2 s and every 60 s from there
  w.run(1min);
  EXPECT_EQ(w.instance_of(id).launched_at, kStart + 71min + 2s);
}

TEST(SpotRequests, WaitForAPriceUnderTheirMaximum) {
  market::PriceHistory prices = default_prices();
  prices.pools[kB] = points({{0s, "0.9"}, {30min, "0.4"}});
  CloudWorld w{prices};
  const SpotRequestId id = w.spot(kB, "one-time", usd("0.5"));
  EXPECT_EQ(w.request(id).status_code, "price-too-low");
  w.run(29min);
  w.run(1min);
  EXPECT_EQ(w.request(id).status_code, "fulfilled");
  EXPECT_EQ(w.instance_of(id).launched_at, kStart + 30min + 2s);
}

TEST(SpotRequests, ShareAPoolsCapacity) {
  CloudWorld w;
  w.market.set_capacity(kB, 1);
  const SpotRequestId first = w.spot(), second = w.spot();
  EXPECT_EQ(w.request(second).status_code, "capacity-not-available");
  w.cloud.terminate_instances({w.request(first).instance});
  w.run(2min);
  EXPECT_EQ(w.request(second).status_code, "fulfilled");
}

TEST(SpotRequests, OneTimeCloseWithTheirInstance) {
  CloudWorld w;
  const SpotRequestId id = w.spot();
  w.cloud.terminate_instances({w.request(id).instance});
  EXPECT_EQ(w.request(id).status_code, "instance-terminated-by-user");
  EXPECT_EQ(w.request(id).state, SpotRequestState::kActive);
  w.run(1h);
  EXPECT_EQ(w.request(id).state, SpotRequestState::kClosed);
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(SpotRequests, PersistentReopenAfterInterruptionAndAfterTermination) {
  CloudWorld w;
  const SpotRequestId id = w.spot(kB, "persistent");
  const InstanceId first = w.request(id).instance;
  w.cloud.interrupt(first, Cloud::Notice::kGiven, "no-capacity");
  w.run(5min);
  const InstanceId second = w.request(id).instance;
  EXPECT_NE(second, first);
  w.cloud.terminate_instances({second});
  w.run(5min);
  EXPECT_NE(w.request(id).instance, second);
  EXPECT_EQ(w.path("spot-request.state", id.value), "open active open active open active");
}

TEST(SpotRequests, PersistentCancelledFirstDoNotReopen) {
  CloudWorld w;
  const SpotRequestId id = w.spot(kB, "persistent");
  w.cloud.cancel_spot_request(id);
  EXPECT_EQ(w.request(id).status_code, "request-canceled-and-instance-running");
  EXPECT_EQ(w.instance_of(id).state, InstanceState::kRunning);
  w.cloud.terminate_instances({w.request(id).instance});
  w.run(1h);
  EXPECT_EQ(w.path("spot-request.state", id.value), "open active cancelled");
  EXPECT_EQ(w.cloud.instances().size(), 1u);
}

TEST(SpotRequests, CancelledBeforeFulfilmentNeverLaunch) {
  CloudWorld w;
  w.market.set_capacity(kB, 0);
  const SpotRequestId id = w.spot();
  w.cloud.cancel_spot_request(id);
  w.market.set_capacity(kB, 1);
  w.run(1h);
  EXPECT_EQ(w.request(id).status_code, "canceled-before-fulfillment");
  EXPECT_TRUE(w.cloud.instances().empty());
  EXPECT_FALSE(w.cloud.anything_running());
  w.cloud.cancel_spot_request(id);
  EXPECT_EQ(w.path("spot-request.state", id.value), "open cancelled");
}

TEST(SpotRequests, RunInstancesReportsPoolsWithoutPrices) {
  CloudWorld w;
  w.market.set_capacity(kB, 0);
  const auto told = [&](const std::string& type) {
    try {
      w.cloud.run_spot_instances({.instance_type = type, .availability_zone = "us-west-2b"}, 1, 1);
    } catch (const ApiError& error) {
      return std::string(error.what());
    }
    return std::string("launched");
  };
  EXPECT_NE(
      told("p3.8xlarge").find("The simulated market has no prices of p3.8xlarge in us-west-2b."),
      std::string::npos)
      << told("p3.8xlarge");
  EXPECT_EQ(told(kB.instance_type).find("simulated"), std::string::npos);
}

TEST(SpotRequests, RunInstancesLaunchesAtOnceOrNotAtAll) {
  CloudWorld w;
  w.market.set_capacity(kB, 3);
  const auto run = [&](int least, int most, const char* price) {
    const LaunchSpec spec{.instance_type = kB.instance_type,
                          .availability_zone = kB.availability_zone,
                          .max_price = usd(price)};
    return w.refusal([&] { w.cloud.run_spot_instances(spec, least, most); });
  };
  EXPECT_EQ(run(4, 4, "3"), "InsufficientInstanceCapacity");
  EXPECT_EQ(run(1, 1, "0.1"), "SpotMaxPriceTooLow");
  EXPECT_TRUE(w.cloud.instances().empty());
  EXPECT_TRUE(w.cloud.spot_requests().empty());
  EXPECT_EQ(run(1, 5, "3"), "") << "as many as there are";
  EXPECT_EQ(w.cloud.instances().size(), 3u);
  EXPECT_EQ(run(1, 1, "3"), "InsufficientInstanceCapacity");
  const auto& [id, request] = *w.cloud.spot_requests().begin();
  EXPECT_EQ(w.path("spot-request.status", id.value, "code"),
            "pending-evaluation pending-fulfillment fulfilled");
  EXPECT_EQ(w.cloud.instance(request.instance).lifecycle, Lifecycle::kSpot);
  w.cloud.terminate_instances({request.instance});
  w.run(1h);
  EXPECT_EQ(w.path("spot-request.state", id.value), "open active closed");
}

TEST(SpotRequests, AreRefusedWithEc2sCodes) {
  CloudWorld w;
  const auto refused = [&](const LaunchSpec& spec, int count, const char* type) {
    return w.refusal([&] { w.cloud.request_spot_instances(spec, count, type); });
  };
  const LaunchSpec good{.instance_type = "p3.2xlarge"};
  EXPECT_EQ(refused(good, 0, ""), "InvalidParameterValue");
  EXPECT_EQ(refused(good, 1, "eternal"), "InvalidParameterValue");
  EXPECT_EQ(refused({.instance_type = "p9"}, 1, ""), "InvalidParameterValue");
  EXPECT_EQ(w.refusal([&] { w.cloud.cancel_spot_request({"sir-00000000"}); }),
            "InvalidSpotInstanceRequestID.NotFound");
}

}  // namespace
}  // namespace sim::cloud
