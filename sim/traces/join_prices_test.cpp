#include "sim/traces/join_prices.h"

#include <gtest/gtest.h>

#include "sim/traces/trace_file.h"

namespace sim::market {
namespace {

const Pool kPool{"v100_1", "us-west-2a"};
const Time kBegin = parse_time("2023-02-15T22:00:00Z").value();

AvailabilityTrace trace() { return {{{kPool, {{{kBegin, 1}}, kBegin + 10h, {}}}}}; }
PricePoint point(Time at, const char* price) { return {at, parse_usd(price).value()}; }
std::vector<PricePoint> joined(const PriceHistory& prices) {
  AvailabilityTrace both = trace();
  join_prices(both, prices);
  return both.pools.at(kPool).prices;
}
std::string join_complaint(const PriceHistory& prices) {
  try {
    joined(prices);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(JoinPrices, TakesThoseInForceFromBeginToEnd) {
  EXPECT_EQ(joined({{{kPool,
                      {point(kBegin - 2h, "1"), point(kBegin - 1h, "2"), point(kBegin + 1h, "2"),
                       point(kBegin + 2h, "3"), point(kBegin + 10h, "4")}}}}),
            (std::vector{point(kBegin, "2"), point(kBegin + 2h, "3")}));
}

TEST(JoinPrices, OfAFileThatNamesNoStartBeginWithTheTrace) {
  EXPECT_EQ(joined({{{kPool, {point(Time{}, "1"), point(Time{} + 195s, "2")}}}}),
            (std::vector{point(kBegin, "1"), point(kBegin + 195s, "2")}));
}

TEST(JoinPrices, AreThoseOfTheZoneWhereNoPoolHasTheName) {
  const std::vector<PricePoint> two{point(kBegin, "2")}, three{point(kBegin, "3")};
  EXPECT_EQ(joined({{{{"p3.2xlarge", "us-west-2a"}, two}, {{"p3.2xlarge", "us-west-2b"}, three}}}),
            two);
  EXPECT_EQ(joined({{{{"p3.2xlarge", "us-west-2a"}, two}, {kPool, three}}}), three);
  EXPECT_EQ(
      join_complaint({{{{"p3.2xlarge", "us-west-2a"}, two}, {{"p2.xlarge", "us-west-2a"}, two}}}),
      "v100_1/us-west-2a: found prices of several pools in its zone, expected of one, or of "
      "its name");
  EXPECT_EQ(join_complaint({{{{"p3.2xlarge", "us-west-2b"}, two}}}),
            "v100_1/us-west-2a: found no prices of it nor of its zone, but of "
            "p3.2xlarge/us-west-2b");
}

TEST(JoinPrices, ThatBeginAfterTheTraceAreRefused) {
  EXPECT_EQ(join_complaint({{{kPool, {point(kBegin + 11h, "2")}}}}),
            "v100_1/us-west-2a: its prices begin at 2023-02-16T09:00:00Z, expected before its end "
            "at 2023-02-16T08:00:00Z");
}

}  // namespace
}  // namespace sim::market
