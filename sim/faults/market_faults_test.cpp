// The effects of faults on prices and capacity.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, ADrainEndsAndWhatRunsGoesOn) {
  const int usual = capacity(kB);
  const auto id = w.spot();
  strike("drain", {{"zone", "us-west-2b"}, {"for", "10m"}});
  EXPECT_EQ(capacity(kB), 0);
  EXPECT_EQ(capacity(kA), usual);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
  w.pass(10min);
  EXPECT_EQ(capacity(kB), usual);
}

TEST_F(Kinds, DrainsThatOverlapEndWithTheLast) {
  const int usual = capacity(kB);
  w.play({fault(AtTime{1min}, "drain", {{"for", "10m"}, {"slots", "3"}}),
          fault(AtTime{5min}, "drain", {{"for", "10m"}, {"pool", "p3.2xlarge/us-west-2b"}})});
  w.pass(2min);
  EXPECT_EQ(capacity(kB), 3);
  w.pass(10min);  // 12 min
  EXPECT_EQ(capacity(kA), usual);
  EXPECT_EQ(capacity(kB), 0);
  w.pass(4min);
  EXPECT_EQ(capacity(kB), usual);
}

TEST_F(Kinds, APriceSpikePassesAndTakesInstancesBelowIt) {
  const auto poor = w.spot("us-west-2b", market::parse_usd("1")), rich = w.spot();
  w.play(
      {fault(AtTime{10min}, "price", {{"type", "p3.2xlarge"}, {"factor", "3"}, {"for", "20m"}}),
       fault(AtTime{20min}, "price", {{"zone", "us-west-2b"}, {"factor", "2"}, {"for", "20m"}})});
  w.pass(11min);
  EXPECT_DOUBLE_EQ(price(kB), 2.7);
  EXPECT_TRUE(w.cloud.instance(poor).interruption_notice_at);
  EXPECT_FALSE(w.cloud.instance(rich).interruption_notice_at);
  w.pass(10min);
  EXPECT_DOUBLE_EQ(price(kB), 1.8) << "twice the price without faults";
  w.pass(10min);
  EXPECT_DOUBLE_EQ(price(kA), 0.918);
  EXPECT_DOUBLE_EQ(price(kB), 1.8);
  w.pass(10min);
  EXPECT_DOUBLE_EQ(price(kB), 0.9);
}

// The scenario's capacity changes, or an interruption reduces it, during a drain.
TEST_F(Kinds, WhatBecomesOfAPoolsCapacityMeanwhileCountsAfterADrain) {
  strike("drain", {{"zone", "us-west-2b"}, {"for", "10m"}});
  w.cloud.market().set_capacity(kB, 2);
  EXPECT_EQ(capacity(kB), 0);
  w.pass(10min);
  EXPECT_EQ(capacity(kB), 2);
}

}  // namespace
}  // namespace sim::faults
