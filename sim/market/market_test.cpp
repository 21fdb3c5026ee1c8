#include "sim/market/market.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"

namespace sim::market {
namespace {

const Time kStart = parse_time("2019-11-05T10:00:00Z").value();
const Pool kA{"p3.2xlarge", "us-west-2a"}, kB{"p3.2xlarge", "us-west-2b"};

Usd dollars(const char* text) { return parse_usd(text).value(); }

PriceHistory two_pools() {
  return {{{kA, {{kStart + 1h, dollars("0.95")}, {kStart + 3h, dollars("1.2")}}},
           {kB,
            {{kStart - 5h, dollars("0.90")},
             {kStart - 1h, dollars("0.92")},
             {kStart + 2h, dollars("0.92")},
             {kStart + 4h, dollars("0.93")}}}}};
}

struct World {
  explicit World(PriceHistory history = two_pools()) {
    hear_lines(log, [this](const Event& e, std::string_view) {
      lines.push_back(format_duration(e.time - kStart) + " " + e.kind + " " + e.fields.dump());
    });
    market.emplace(simulation, log, std::move(history));
    market->subscribe([this](const Pool& pool) {
      told.push_back(format_duration(simulation.now() - kStart) + " " + to_string(pool));
    });
  }
  Simulation simulation{kStart};
  EventLog log;
  std::vector<std::string> lines, told;
  std::optional<Market> market;
};

std::string price_line(const char* at, const Pool& pool, const char* price) {
  return std::string(at) + R"( price {"instance_type":")" + pool.instance_type +
         R"(","availability_zone":")" + pool.availability_zone + R"(","price":")" + price + "\"}";
}

TEST(Market, LogsThePricesInForceAtTheStartThenEachChange) {
  World w;
  EXPECT_EQ(w.lines, std::vector{price_line("0s", kB, "0.9200")});
  w.simulation.run_until(kStart + 10h);
  // The point at 2 h repeats the price and is no change.
  EXPECT_EQ(w.lines, (std::vector{price_line("0s", kB, "0.9200"), price_line("1h", kA, "0.9500"),
                                  price_line("3h", kA, "1.2000"), price_line("4h", kB, "0.9300")}));
  EXPECT_EQ(w.told,
            (std::vector<std::string>{"1h p3.2xlarge/us-west-2a", "3h p3.2xlarge/us-west-2a",
                                      "4h p3.2xlarge/us-west-2b"}));
}

TEST(Market, TheNextPriceIsTheNextThatDiffers) {
  World w;
  EXPECT_EQ(w.market->next_price(kA, kStart), kStart + 1h);
  EXPECT_EQ(w.market->next_price(kA, kStart + 1h), kStart + 3h);
  EXPECT_EQ(w.market->next_price(kA, kStart + 3h), std::nullopt);
  // Not at 2 h, where the price is repeated.
  EXPECT_EQ(w.market->next_price(kB, kStart), kStart + 4h);
  EXPECT_EQ(w.market->next_price({"p3.2xlarge", "us-west-2c"}, kStart), std::nullopt);
}

TEST(Market, KeepsOnlyEachPoolsNextChangeInTheQueue) {
  PriceHistory history;
  for (int i = 0; i < 1000; ++i)
    for (const Pool& pool : {kA, kB})
      history.pools[pool].push_back({kStart + i * 1min, Usd{1'000'000 + i}});
  World w(std::move(history));
  for (int i = 0; i < 998; ++i) {
    ASSERT_EQ(w.simulation.pending(), 2u);
    w.simulation.run_until(kStart + (i + 1) * 1min);
  }
  w.simulation.run_until(kStart + 999min);
  EXPECT_EQ(w.simulation.pending(), 0u);
  EXPECT_EQ(w.lines.size(), 2000u);
}

TEST(Market, KnowsThePriceInForceAtAnyTime) {
  World w;
  EXPECT_EQ(w.market->spot_price(kB, kStart - 6h), std::nullopt);
  EXPECT_EQ(w.market->spot_price(kB, kStart - 5h), dollars("0.90"));
  EXPECT_EQ(w.market->spot_price(kB, kStart - 1h - 1ns), dollars("0.90"));
  EXPECT_EQ(w.market->spot_price(kB, kStart + 100h), dollars("0.93"));
  EXPECT_EQ(w.market->spot_price({"p3.2xlarge", "us-west-2c"}, kStart), std::nullopt);
}

TEST(Market, OffersAPoolFromItsFirstPriceOn) {
  World w;
  EXPECT_TRUE(w.market->offers(kB));
  EXPECT_FALSE(w.market->offers(kA));
  w.simulation.run_until(kStart + 1h);
  EXPECT_TRUE(w.market->offers(kA));
  EXPECT_EQ(w.market->pools(), (std::vector{kA, kB}));
}

TEST(Market, ListsThePriceInForceFirstAsDescribeSpotPriceHistoryDoes) {
  World w;
  const auto points = w.market->spot_prices(kB, kStart, kStart + 4h);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points.front(), (PricePoint{kStart - 1h, dollars("0.92")}));
  EXPECT_EQ(points.back(), (PricePoint{kStart + 4h, dollars("0.93")}));
  EXPECT_EQ(w.market->spot_prices(kA, kStart, kStart + 1h).size(), 1u);
  EXPECT_TRUE(w.market->spot_prices(kA, kStart, kStart + 59min).empty());
  EXPECT_TRUE(w.market->spot_prices(kA, kStart + 2h, kStart).empty());
}

TEST(Market, FindsTheFirstInstantAboveALimit) {
  World w;
  EXPECT_EQ(w.market->first_above(kA, dollars("0.95"), kStart), kStart + 3h);
  EXPECT_EQ(w.market->first_above(kA, dollars("0.94"), kStart), kStart + 1h);
  EXPECT_EQ(w.market->first_above(kA, dollars("0.94"), kStart + 90min), kStart + 90min);
  EXPECT_EQ(w.market->first_above(kA, dollars("1.2"), kStart), std::nullopt);
  EXPECT_EQ(w.market->first_above({"x", "y"}, {}, kStart), std::nullopt);
}

TEST(Market, ReportsWhereAHistoryEnds) {
  World w;
  EXPECT_EQ(w.market->last_point(kA), kStart + 3h);
  EXPECT_EQ(w.market->last_point({"x", "y"}), std::nullopt);
}

TEST(Market, CapacityIsUnlimitedWherePricesAreUntilSet) {
  World w;
  EXPECT_EQ(w.market->capacity(kA), Market::kUnlimited);
  EXPECT_EQ(w.market->capacity({"p3.2xlarge", "us-west-2c"}), 0);
  w.lines.clear();
  w.market->set_capacity(kA, 2);
  w.market->set_capacity(kA, 2);
  w.market->schedule({kStart + 10s, kA, 0});
  w.market->schedule({kStart + 20s, kA, Market::kUnlimited});
  EXPECT_EQ(w.market->capacity(kA), 2);
  w.simulation.run_until(kStart + 15s);
  EXPECT_EQ(w.market->capacity(kA), 0);
  w.simulation.run_until(kStart + 20s);
  EXPECT_EQ(w.market->capacity(kA), Market::kUnlimited);
  const std::string fields =
      R"({"instance_type":"p3.2xlarge","availability_zone":"us-west-2a","slots":)";
  EXPECT_EQ(w.lines, (std::vector{"0s capacity " + fields + "2}", "10s capacity " + fields + "0}",
                                  "20s capacity " + fields + "null}"}));
  EXPECT_EQ(w.told.size(), 3u);
}

TEST(Market, CallsObserversOnceTheChangeIsInForce) {
  World w;
  std::optional<Usd> seen;
  w.market->subscribe([&](const Pool& pool) {
    if (pool == kA) seen = w.market->spot_price(pool, w.simulation.now());
    if (w.market->capacity(kB) != 0) w.market->set_capacity(kB, 0);
  });
  w.simulation.run_until(kStart + 1h);
  EXPECT_EQ(w.market->capacity(kB), 0);
  EXPECT_EQ(seen, dollars("0.95"));
}

TEST(Market, KnowsOnDemandPrices) {
  World w;
  EXPECT_EQ(w.market->on_demand_price("p3.2xlarge"), dollars("3.06"));
  EXPECT_EQ(w.market->on_demand_price("p9.2xlarge"), std::nullopt);
}

TEST(Market, HasTheOnDemandPricesOfItsRegion) {
  Simulation simulation{kStart};
  EventLog log;
  const Market tokyo(simulation, log, two_pools(), {.region = "ap-northeast-1"});
  EXPECT_EQ(tokyo.on_demand_price("p3.2xlarge"), dollars("4.194"));
  EXPECT_EQ(tokyo.on_demand_price("m3.xlarge"), dollars("0.266")) << "us-west-2's, none is known";
}

TEST(Market, HasTheOnDemandPricesOfItsTime) {
  Simulation simulation{kStart};
  EventLog log;
  const Market old(simulation, log, two_pools(), {.at = kStart});
  EXPECT_EQ(old.on_demand_price("p4d.24xlarge"), dollars("32.7726"));
  const Market today(simulation, log, two_pools());
  EXPECT_EQ(today.on_demand_price("p4d.24xlarge"), dollars("21.957642"));
}

TEST(Market, ARaisedPriceFollowsTheHistoryAndComesBackToWhereThatIsThen) {
  World w;
  w.simulation.run_until(kStart + 90min);
  w.lines.clear();
  w.market->raise_price(kB, 2, kStart + 5h);
  w.market->raise_price(kA, 10, kStart + 2h);
  EXPECT_EQ(w.told.back(), "1h30m p3.2xlarge/us-west-2a");
  EXPECT_EQ(w.market->next_price(kB, kStart + 90min), kStart + 4h);
  w.simulation.run_until(kStart + 3h + 30min);
  w.market->raise_price(kB, 3, kStart + 4h + 30min);
  w.simulation.run_until(kStart + 6h);
  EXPECT_EQ(w.lines, (std::vector<std::string>{
                         price_line("1h30m", kB, "1.8400"), price_line("1h30m", kA, "9.5000"),
                         price_line("2h", kA, "0.9500"), price_line("3h", kA, "1.2000"),
                         price_line("3h30m", kB, "2.7600"), price_line("4h", kB, "2.7900"),
                         price_line("4h30m", kB, "1.8600"), price_line("5h", kB, "0.9300")}));
  EXPECT_EQ(w.market->spot_price(kA, kStart + 100min), dollars("9.5"));
}

TEST(Market, ASetPriceHoldsUntilItIsSetAgain) {
  World w;
  w.simulation.run_until(kStart + 90min);
  w.lines.clear();
  w.market->set_price(kA, dollars("2"));
  EXPECT_EQ(w.lines, (std::vector<std::string>{price_line("1h30m", kA, "2.0000")}));
  EXPECT_EQ(w.told.back(), "1h30m p3.2xlarge/us-west-2a");
  EXPECT_FALSE(w.market->next_price(kA, kStart + 90min));
  EXPECT_EQ(w.market->first_above(kA, dollars("1.5"), kStart + 90min), kStart + 90min);
  w.simulation.run_until(kStart + 200min);
  w.market->set_price(kA, dollars("0.5"));
  w.market->set_price(kA, dollars("0.5"));
  w.simulation.run_until(kStart + 5h);
  EXPECT_EQ(w.lines, (std::vector<std::string>{price_line("1h30m", kA, "2.0000"),
                                               price_line("3h20m", kA, "0.5000"),
                                               price_line("4h", kB, "0.9300")}));
  EXPECT_EQ(w.market->spot_price(kA, kStart + 80min), dollars("0.95"));
  EXPECT_EQ(w.market->spot_price(kA, kStart + 100min), dollars("2"));
  EXPECT_EQ(w.market->spot_price(kA, kStart + 4h), dollars("0.5"));
}

// A rise multiplies the set price, and a rise by 1 takes an earlier one back.
TEST(Market, ASetPriceOutlastsARise) {
  World w;
  w.market->set_price(kA, dollars("2"));
  w.market->raise_price(kA, 10, kStart + 2h);
  EXPECT_EQ(w.market->spot_price(kA, kStart), dollars("20"));
  EXPECT_EQ(w.market->spot_price(kA, kStart + 2h), dollars("2"));
  w.market->raise_price(kA, 1, kStart + 2h);
  EXPECT_EQ(w.market->spot_price(kA, kStart), dollars("2"));
  w.market->raise_price(kA, 10, kStart + 2h);
  w.market->set_price(kA, dollars("3"));
  EXPECT_EQ(w.market->spot_price(kA, kStart), dollars("3")) << "what is set last counts";
  EXPECT_EQ(w.market->spot_price(kA, kStart + 2h), dollars("3"));
}

}  // namespace
}  // namespace sim::market
