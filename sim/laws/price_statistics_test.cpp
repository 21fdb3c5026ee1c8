#include "sim/laws/price_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sim::laws {
namespace {

Time at(std::int64_t hours) { return Time{std::chrono::hours{hours}}; }
market::Usd cents(std::int64_t n) { return {n * 10'000'000}; }

TEST(PriceStatistics, QuantilesAndMeanAreOverTimeNotOverPoints) {
  // A day at 10 cents with an hour's spike; the last point has no time.
  const std::vector<market::PricePoint> points{
      {at(0), cents(10)}, {at(10), cents(90)}, {at(11), cents(10)}, {at(24), cents(50)}};
  const PriceStatistics s = statistics_of(points);
  EXPECT_EQ(s.p5, cents(10));
  EXPECT_EQ(s.p50, cents(10));
  EXPECT_EQ(s.p95, cents(10));
  EXPECT_EQ(s.max, cents(90));
  EXPECT_EQ(s.mean.nano, (cents(10).nano * 23 + cents(90).nano) / 24);
  EXPECT_DOUBLE_EQ(s.changes_a_day, 3);
  EXPECT_EQ(statistics_of({{at(3), cents(7)}}).mean, cents(7));
  EXPECT_EQ(statistics_of({{at(3), cents(7)}}).changes_a_day, 0);
}

TEST(PriceStatistics, CorrelationIsOneWithItselfAndMinusOneWithItsMirror) {
  const std::vector<market::PricePoint> a{
      {at(0), cents(10)}, {at(3), cents(30)}, {at(5), cents(20)}, {at(9), cents(20)}};
  std::vector<market::PricePoint> mirror = a, later = a;
  for (market::PricePoint& p : mirror) p.price = cents(100) - p.price;
  EXPECT_NEAR(*correlation(a, a), 1, 1e-12);
  EXPECT_NEAR(*correlation(a, mirror), -1, 1e-12);
  EXPECT_FALSE(correlation(a, {{at(0), cents(5)}, {at(9), cents(5)}}));
  for (market::PricePoint& p : later) p.at += 24h;
  EXPECT_FALSE(correlation(a, later));  // never known together
  // Of 8 hours high for 4, high for 6, both for 4: by hand.
  const std::vector<market::PricePoint> step{
      {at(0), cents(1)}, {at(4), cents(2)}, {at(8), cents(2)}};
  const std::vector<market::PricePoint> two{
      {at(0), cents(1)}, {at(2), cents(2)}, {at(8), cents(2)}};
  EXPECT_NEAR(*correlation(step, two), (8 * 4 - 4 * 6) / std::sqrt(4.0 * 4 * 6 * 2), 1e-9);
}

}  // namespace
}  // namespace sim::laws
