#include "sim/market/usd.h"

#include <gtest/gtest.h>

#include "sim/kernel/random.h"

namespace sim::market {
namespace {

Usd usd(const char* text) { return parse_usd(text).value(); }

TEST(ParseUsd, ReadsDollarsExactly) {
  EXPECT_EQ(usd("0.0315").nano, 31'500'000);
  EXPECT_EQ(usd("3").nano, 3'000'000'000);
  EXPECT_EQ(usd("0.918000").nano, 918'000'000);
  EXPECT_EQ(usd("0"), Usd{});
  EXPECT_EQ(usd("0.000000001").nano, 1);
  EXPECT_EQ(usd("9223372036.854775807").nano, INT64_MAX);
}

TEST(ParseUsd, RoundsHalfUpBeyondNineDecimals) {
  EXPECT_EQ(usd("0.0000000014").nano, 1);
  EXPECT_EQ(usd("0.0000000015").nano, 2);
  EXPECT_EQ(usd("12.345678901499999").nano, 12'345'678'901);
  EXPECT_EQ(usd("0.9999999995").nano, 1'000'000'000);
}

TEST(ParseUsd, RefusesEverythingElse) {
  for (const char* text : {"", ".", ".5", "3.", "-1", "+1", " 1", "1 ", "1,5", "1e3", "0x1",
                           "1.2.3", "$1", "nan", "inf", "9223372036.854775808",
                           "9223372036.8547758075", "9223372037", "99999999999999999999999"}) {
    EXPECT_FALSE(parse_usd(text)) << text;
  }
}

TEST(FormatUsd, IsTheShortestFormWithFourDecimals) {
  EXPECT_EQ(format_usd(usd("0.918")), "0.9180");
  EXPECT_EQ(format_usd(usd("0.000255")), "0.000255");
  EXPECT_EQ(format_usd(usd("3")), "3.0000");
  EXPECT_EQ(format_usd({}), "0.0000");
  EXPECT_EQ(format_usd({1}), "0.000000001");
  EXPECT_EQ(format_usd(Usd{} - usd("0.5")), "-0.5000");
  EXPECT_EQ(format_usd({INT64_MIN}), "-9223372036.854775808");
}

TEST(FormatUsd, RoundTrips) {
  Stream draw(1);
  for (int i = 0; i < 20'000; ++i) {
    const Usd amount{static_cast<std::int64_t>(draw.below(std::uint64_t{1} << (1 + i % 62)))};
    ASSERT_EQ(parse_usd(format_usd(amount)), amount) << amount.nano;
  }
}

TEST(Charge, IsThePriceForAnHour) {
  EXPECT_EQ(charge(usd("0.918"), 1h), usd("0.918"));
  EXPECT_EQ(charge(usd("0.918"), 0s), Usd{});
  EXPECT_EQ(charge(usd("0.90"), 20min), usd("0.30"));
  EXPECT_EQ(charge(usd("3.06"), 1s), usd("0.00085"));
}

TEST(Charge, RoundsHalfUp) {
  EXPECT_EQ(charge({1}, 30min).nano, 1);
  EXPECT_EQ(charge({1}, 30min - 1ns).nano, 0);
  EXPECT_EQ(charge({3}, 30min).nano, 2);
}

TEST(Charge, HoldsForPricesAndTimesWhoseProductIsBeyond64Bits) {
  EXPECT_EQ(charge(usd("98.32"), 24h * 365), usd("861283.2"));
}

TEST(Charge, OfTheWholeIsTheSumOfItsPartsToOneNanoDollarEach) {
  Stream draw(2);
  for (int i = 0; i < 2000; ++i) {
    const Usd price{static_cast<std::int64_t>(draw.below(5'000'000'000))};
    Duration whole{};
    Usd parts;
    for (int k = 0; k < 10; ++k) {
      const Duration part{static_cast<std::int64_t>(draw.below(4'000'000'000'000))};
      whole += part;
      parts += charge(price, part);
    }
    ASSERT_LE(std::abs((charge(price, whole) - parts).nano), 5);
  }
}

}  // namespace
}  // namespace sim::market
