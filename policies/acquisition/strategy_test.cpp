#include "policies/acquisition/strategy.h"

#include <gtest/gtest.h>

namespace policies {
namespace {

TEST(StrategyMeaning, IsThatOfEachPartWithItsArgument) {
  EXPECT_EQ(meaning_of("time-sliced:4"), "greedy within each of 4 slices of the time");
  EXPECT_EQ(meaning_of("greedy+lowest-price+bid-share:0.5"),
            "spot or idle until only on-demand can meet the deadline; pool: the cheapest; bid: 0.5 "
            "of the pool's on-demand price");
  EXPECT_EQ(
      meaning_of("utility:0.1"),
      "spot, on-demand or no instance, where an hour is worth most; moves for a gain above 0.1");
}

TEST(Strategy, StaysInTheFirstPoolUnlessARuleSaysOtherwise) {
  for (const char* stays : {"greedy", "greedy+first-pool", "greedy+bid-share:0.5", "on-demand"})
    EXPECT_TRUE(make_strategy(stays).in_first_pool) << stays;
  for (const char* moves :
       {"greedy+lowest-price", "greedy+bid-share:0.5+round-robin", "utility:0.1", "skynomad"})
    EXPECT_FALSE(make_strategy(moves).in_first_pool) << moves;
}

}  // namespace
}  // namespace policies
