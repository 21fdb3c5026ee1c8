#include "policies/acquisition/strategy.h"

#include <gtest/gtest.h>

namespace policies {
namespace {

TEST(StrategyMeaning, IsThatOfEachPartWithItsArgument) {
  EXPECT_EQ(meaning_of("time-sliced:4"), "divides the time into 4 slices and is greedy in each");
  EXPECT_EQ(meaning_of("greedy+lowest-price+bid-share:0.5"),
            "rents spot or waits, until only on-demand can meet the deadline; pool: the cheapest "
            "pool; bid: 0.5 of the pool's on-demand price");
  EXPECT_EQ(
      meaning_of("utility:0.1"),
      "chooses spot, on-demand or waiting by the value of an hour; moves for a gain above 0.1");
}

TEST(Strategy, StaysInTheFirstPoolWithoutARule) {
  for (const char* stays : {"greedy", "greedy+first-pool", "greedy+bid-share:0.5", "on-demand"})
    EXPECT_TRUE(make_strategy(stays).in_first_pool) << stays;
  for (const char* moves :
       {"greedy+lowest-price", "greedy+bid-share:0.5+round-robin", "utility:0.1", "skynomad"})
    EXPECT_FALSE(make_strategy(moves).in_first_pool) << moves;
}

}  // namespace
}  // namespace policies
