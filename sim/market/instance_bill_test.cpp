#include "sim/market/instance_bill.h"

#include <gtest/gtest.h>

namespace sim::market {
namespace {

constexpr Time kLaunched{};

Usd paid(const std::vector<BilledTime>& parts) {
  Usd sum;
  for (const BilledTime& part : parts) sum += charge(part.price, part.billed);
  return sum;
}

struct PublishedMarket {
  std::vector<std::pair<int, double>> prices;                 // second, USD an hour
  std::vector<std::pair<int, std::optional<int>>> instances;  // from, to; empty: runs on
};
struct PublishedBill {
  const char* scenario;
  std::vector<PublishedMarket> markets;
  Billing billing;
  double total;
};

// Clusterman's itests/simulation_aws_price_computations.feature, scenario by scenario (Yelp, at
// 55d0831d80d809b1b1d1a9120712fa6c076cac50): what two hours of simulation cost.
const PublishedBill kClusterman[] = {
    {"one instance with constant price", {{{{0, 1}}, {{0, {}}}}}, Billing::kPerHour, 2},
    {"one instance with price increase", {{{{0, 1}, {1800, 2}}, {{0, {}}}}}, Billing::kPerHour, 3},
    {"two in the same market, launched at the same time",
     {{{{0, 1}, {1800, 2}}, {{0, {}}, {0, {}}}}},
     Billing::kPerHour,
     6},
    {"two in the same market, launched at different times",
     {{{{0, 1}, {1200, 2}}, {{0, {}}, {1800, {}}}}},
     Billing::kPerHour,
     6},
    {"two in different markets, launched at different times",
     {{{{0, 1}, {1200, 2}}, {{0, {}}}}, {{{0, 0.5}, {4500, 0.75}}, {{1800, {}}}}},
     Billing::kPerHour,
     3.875},
    {"per hour, one is terminated",
     {{{{0, 1}, {1800, 2}}, {{0, {}}}}, {{{0, 0.5}, {4500, 0.75}}, {{1920, 5400}}}},
     Billing::kPerHour,
     3.5},
    {"per second, one is terminated",
     {{{{0, 1}, {1800, 2}}, {{0, {}}}}, {{{0, 0.5}, {4500, 0.75}}, {{1920, 5400}}}},
     Billing::kPerSecond,
     4.0458333},  // published as 4.05
};

TEST(InstanceBill, AgreesWithTheSevenPublishedBills) {
  const Time end = kLaunched + 2h;
  for (const PublishedBill& bill : kClusterman) {
    Usd total;
    for (const PublishedMarket& market : bill.markets) {
      std::vector<PricePoint> points;
      for (const auto& [at, price] : market.prices)
        points.push_back(
            {kLaunched + std::chrono::seconds(at), {static_cast<std::int64_t>(price * 1e9)}});
      for (const auto& [from, to] : market.instances)
        total += paid(instance_bill(points, kLaunched + std::chrono::seconds(from),
                                    to ? kLaunched + std::chrono::seconds(*to) : end,
                                    to ? Ended::kByCustomer : Ended::kNotYet, bill.billing));
    }
    EXPECT_NEAR(total.dollars(), bill.total, 1e-7) << bill.scenario;
  }
}

TEST(InstanceBill, TheFirstHourIsFreeWhenEc2EndsIt) {
  const std::vector<PricePoint> points{{kLaunched, {1'000'000'000}}};
  const auto by_second = [&](Duration ran, Ended ended) {
    return paid(instance_bill(points, kLaunched, kLaunched + ran, ended, Billing::kPerSecond))
        .dollars();
  };
  EXPECT_EQ(by_second(1h - 1s, Ended::kByEc2), 0);
  EXPECT_EQ(by_second(1h, Ended::kByEc2), 1);
  EXPECT_EQ(by_second(30min, Ended::kByCustomer), 0.5);
  EXPECT_EQ(by_second(30min, Ended::kNotYet), 0.5);
}

TEST(InstanceBill, ByTheHourOnlyTheHourThatEc2CutsShortIsFree) {
  const std::vector<PricePoint> points{{kLaunched, {1'000'000'000}},
                                       {kLaunched + 1h, {2'000'000'000}}};
  const auto by_hour = [&](Duration ran, Ended ended) {
    return paid(instance_bill(points, kLaunched, kLaunched + ran, ended, Billing::kPerHour))
        .dollars();
  };
  EXPECT_EQ(by_hour(90min, Ended::kByEc2), 1);
  EXPECT_EQ(by_hour(90min, Ended::kByCustomer), 3);
  EXPECT_EQ(by_hour(90min, Ended::kNotYet), 2);
  EXPECT_EQ(by_hour(2h, Ended::kByEc2), 3);
  EXPECT_EQ(by_hour(0s, Ended::kByCustomer), 1);
  EXPECT_EQ(by_hour(0s, Ended::kByEc2), 0);
}

TEST(InstanceBill, PartsFillTheTimeWhateverThePrices) {
  const std::vector<PricePoint> points{
      {kLaunched, {1}}, {kLaunched + 10min, {1}}, {kLaunched + 50min, {3}}, {kLaunched + 3h, {2}}};
  for (const Billing billing : {Billing::kPerSecond, Billing::kPerHour})
    for (const Ended ended : {Ended::kByCustomer, Ended::kByEc2, Ended::kNotYet})
      for (const Duration ran : {1min, 50min, 60min, 180min, 200min}) {
        const auto parts = instance_bill(points, kLaunched, kLaunched + ran, ended, billing);
        Time at = kLaunched;
        for (const BilledTime& part : parts) {
          EXPECT_EQ(part.from, at);
          EXPECT_GT(part.to, part.from);
          at = part.to;
        }
        EXPECT_EQ(at, kLaunched + ran);
      }
}

}  // namespace
}  // namespace sim::market
