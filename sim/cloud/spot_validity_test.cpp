// Spot requests that are valid from a time, or until a time.
#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

struct ValidityWorld : CloudWorld {
  SpotRequestId request_for(const Validity& validity, const std::string& type = "one-time") {
    return cloud
        .request_spot_instances(
            {.instance_type = kB.instance_type, .availability_zone = kB.availability_zone}, 1, type,
            validity)
        .at(0);
  }
};

TEST(SpotValidity, ARequestIsEvaluatedWhenItBegins) {
  ValidityWorld w;
  const SpotRequestId id = w.request_for({.from = kStart + 1h});
  EXPECT_EQ(w.request(id).status_code, "not-scheduled-yet");
  w.run(59min);
  EXPECT_EQ(w.request(id).state, SpotRequestState::kOpen);
  EXPECT_TRUE(w.cloud.anything_running());
  w.run(2min);
  EXPECT_EQ(w.instance_of(id).launched_at, kStart + 1h + 2s);
  EXPECT_EQ(
      w.path("spot-request.status", id.value, "code"),
      "pending-evaluation not-scheduled-yet pending-evaluation pending-fulfillment fulfilled");
}

TEST(SpotValidity, ARequestThatIsNotFulfilledExpires) {
  ValidityWorld w;
  w.market.set_capacity(kB, 0);
  const SpotRequestId id = w.request_for({.until = kStart + 1h});
  w.run(1h);
  EXPECT_EQ(w.request(id).status_code, "schedule-expired");
  EXPECT_EQ(w.path("spot-request.state", id.value), "open cancelled");
  w.market.set_capacity(kB, 1);
  w.run(1h);
  EXPECT_TRUE(w.cloud.instances().empty());
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST(SpotValidity, AnInstanceOutlivesItsRequestsValidity) {
  ValidityWorld w;
  const SpotRequestId once = w.request_for({.until = kStart + 1h});
  const SpotRequestId persistent = w.request_for({.until = kStart + 1h}, "persistent");
  w.run(2h);
  EXPECT_EQ(w.request(once).status_code, "fulfilled");
  EXPECT_EQ(w.request(persistent).state, SpotRequestState::kCancelled);
  EXPECT_EQ(w.request(persistent).status_code, "request-canceled-and-instance-running");
  EXPECT_EQ(w.instance_of(persistent).state, InstanceState::kRunning);
  w.cloud.terminate_instances({w.request(persistent).instance});
  w.run(1h);
  EXPECT_EQ(w.cloud.instances().size(), 2u) << "no other one is launched";
}

TEST(SpotValidity, ACancelledRequestDoesNotBegin) {
  ValidityWorld w;
  const SpotRequestId id = w.request_for({.from = kStart + 1h, .until = kStart + 2h});
  w.cloud.cancel_spot_request(id);
  w.run(3h);
  EXPECT_EQ(w.request(id).status_code, "canceled-before-fulfillment");
  EXPECT_TRUE(w.cloud.instances().empty());
}

TEST(SpotValidity, HasToEndAfterItBegins) {
  ValidityWorld w;
  const auto refused = [&](const Validity& validity) {
    return w.refusal([&] { w.request_for(validity); });
  };
  EXPECT_EQ(refused({.until = kStart}), "InvalidParameterValue");
  EXPECT_EQ(refused({.from = kStart + 2h, .until = kStart + 1h}), "InvalidParameterValue");
}

}  // namespace
}  // namespace sim::cloud
