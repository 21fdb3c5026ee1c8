#include "sim/laws/synthesize_prices.h"

#include <gtest/gtest.h>

#include "sim/traces/trace_file.h"

namespace sim::laws {
namespace {

const market::Pool kPriceA{"p3.2xlarge", "us-west-2a"}, kPriceB{"p3.2xlarge", "us-west-2b"};

market::Usd usd(const char* text) { return market::parse_usd(text).value(); }

Synthesis month() {
  return {.paths = {{kPriceB, usd("0.93"), usd("0.918"), usd("0.98")}},
          .from = parse_time("2019-11-01").value(),
          .to = parse_time("2019-12-01").value(),
          .seed = 5};
}

TEST(Synthesize, IsAFunctionOfItsSpec) {
  EXPECT_EQ(synthesize(month()), synthesize(month()));
  Synthesis other = month();
  other.seed = 6;
  EXPECT_NE(synthesize(month()), synthesize(other));
}

TEST(Synthesize, APoolAddedMovesNoOther) {
  Synthesis two = month();
  two.paths.insert(two.paths.begin(), {kPriceA, usd("1"), usd("0.9"), usd("1.1")});
  EXPECT_EQ(synthesize(two).pools.at(kPriceB), synthesize(month()).pools.at(kPriceB));
}

TEST(Synthesize, BeginsAtFromEndsAtToAndStaysInItsRange) {
  const Synthesis s = month();
  const auto points = synthesize(s).pools.at(kPriceB);
  EXPECT_EQ(points.front(), (market::PricePoint{s.from, usd("0.93")}));
  EXPECT_EQ(points.back().at, s.to);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_TRUE(points[i].price >= usd("0.918") && points[i].price <= usd("0.98"));
    EXPECT_EQ(points[i].price.nano % 100'000, 0);
    EXPECT_EQ(points[i].at.time_since_epoch() % 1s, 0s);
    if (i) {
      EXPECT_LT(points[i - 1].at, points[i].at);
    }
  }
}

TEST(Synthesize, MovesLikeEc2SinceSeventeen) {
  Synthesis s = month();
  s.to = s.from + 24h * 365;
  s.paths[0].min = usd("0.5"), s.paths[0].max = usd("2");
  const auto points = synthesize(s).pools.at(kPriceB);
  // About 4 changes a day, each of about 0.3 %, around the base.
  EXPECT_NEAR(static_cast<double>(points.size()), 4 * 365, 150);
  double moved = 0, sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    moved += std::abs((points[i].price - points[i - 1].price).dollars()) / 0.93;
    sum += points[i].price.dollars();
  }
  const auto n = static_cast<double>(points.size() - 1);
  EXPECT_NEAR(moved / n, 0.003 * 0.8, 0.0006);
  EXPECT_NEAR(sum / n, 0.93, 0.005);
}

TEST(Synthesize, FittedPathFindsWhatWasDrawn) {
  Synthesis s = month();
  s.to = s.from + 24h * 3650;
  s.paths[0] = {.pool = kPriceB,
                .base = usd("1"),
                .min = usd("0.2"),
                .max = usd("5"),
                .change_interval = 3h,
                .volatility_ppm = 50'000,
                .reversion_ppm = 300'000};
  const PricePath found = fitted_path(kPriceB, synthesize(s).pools.at(kPriceB));
  EXPECT_NEAR(found.base.dollars(), 1, 0.01);
  EXPECT_NEAR(seconds(found.change_interval), seconds(3h), 200);
  EXPECT_NEAR(static_cast<double>(found.volatility_ppm), 50'000, 1'000);
  EXPECT_NEAR(static_cast<double>(found.reversion_ppm), 300'000, 20'000);
  EXPECT_EQ(fitted_path(kPriceB, {{s.from, usd("0.5")}}).volatility_ppm, 0);
  EXPECT_THROW(fitted_path(kPriceB, {{s.from, usd("2000000")}}), traces::TraceError);
}

TEST(Synthesize, WithoutVolatilityIsFlat) {
  Synthesis s = month();
  s.paths[0].volatility_ppm = 0;
  EXPECT_EQ(synthesize(s).pools.at(kPriceB),
            (std::vector<market::PricePoint>{{s.from, usd("0.93")}, {s.to, usd("0.93")}}));
}

}  // namespace
}  // namespace sim::laws
