// Faults of the market: capacity and prices.
#include <algorithm>

#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace of_the_market {
namespace {

void drain(const Arguments& arguments, const Strike&, Targets& targets) {
  const auto slots =
      std::min<std::int64_t>(arguments.get<std::int64_t>("slots"), market::Market::kUnlimited);
  drain_pools(struck_pools(arguments, targets), static_cast<int>(slots),
              arguments.get<Duration>("for"), targets);
}

// Gives a pool the price of its latest price fault, or the usual one, until `end`. If an earlier
// fault outlasts the latest, its price follows.
void renew_price(const market::Pool& pool, Time end, Targets& targets) {
  const Time now = targets.simulation.now();
  if (now >= end) return;
  std::vector<PriceRise>& rises = targets.ongoing.rises[pool];
  std::erase_if(rises, [now](const PriceRise& rise) { return rise.until <= now; });
  targets.cloud.raise_price(pool, rises.empty() ? 1 : rises.back().factor, end);
  if (rises.empty() || rises.back().until >= end) return;
  targets.simulation.at(rises.back().until,
                        [pool, end, targets]() mutable { renew_price(pool, end, targets); });
}

void raise_price(const Arguments& arguments, const Strike&, Targets& targets) {
  const double factor = arguments.get<double>("factor");
  const Time now = targets.simulation.now(), until = now + arguments.get<Duration>("for");
  OngoingFaults& ongoing = targets.ongoing;
  for (const market::Pool& pool : struck_pools(arguments, targets)) {
    if (!targets.cloud.market().spot_price(pool, now)) continue;
    const std::int64_t number = ++ongoing.price_rises;
    std::vector<PriceRise>& rises = ongoing.rises[pool];
    std::erase_if(rises, [now](const PriceRise& rise) { return rise.until <= now; });
    rises.push_back({number, factor, until});
    targets.cloud.raise_price(pool, factor, until);
    ongoing.undo_before(until, [pool, number, targets]() mutable {
      std::vector<PriceRise>& rest = targets.ongoing.rises[pool];
      const Time end = std::ranges::max_element(rest, {}, &PriceRise::until)->until;
      std::erase_if(rest, [number](const PriceRise& rise) { return rise.number == number; });
      renew_price(pool, end, targets);
    });
  }
}

constexpr Parameter kDrain[] = {
    kOnlyPool,
    kOnlyZone,
    kOnlyType,
    {"slots", ArgumentType::kWhole, "0", "", "number of spot instances that each pool can have"},
    {"for", ArgumentType::kDuration, "30m", "", "duration of the fault"},
};
constexpr Parameter kPrice[] = {
    kOnlyPool,
    kOnlyZone,
    kOnlyType,
    {"factor", ArgumentType::kNumber, "10", "", "factor of the price", false, 0, 1'000'000},
    {"for", ArgumentType::kDuration, "30m", "",
     "duration of the fault; if several faults change a price, the latest counts"},
};

constexpr Trial kDrainTrials[] = {{Trial::At::kEvent, "instance.notice", ""},
                                  {Trial::At::kEvent, "fleet.state submitted", ""},
                                  {Trial::At::kEvent, "fleet.state active", ""},
                                  {Trial::At::kEvent, "instance.notice", "zone: EACH"},
                                  {Trial::At::kEvent, "fleet.state submitted", "zone: EACH"}};

constexpr Trial kPriceTrials[] = {{Trial::At::kEvent, "instance.state running", ""},
                                  {Trial::At::kEvent, "trainer.start", ""},
                                  {Trial::At::kEvent, "instance.notice", ""}};

constexpr Kind kKinds[] = {
    {.name = "drain",
     .does = "the selected pools have no spot capacity for new instances; running instances "
             "continue",
     .remedy = "waits for capacity, or requests other zones and types, or on-demand instances",
     .parameters = kDrain,
     .strike = drain,
     .trials = kDrainTrials},
    {.name = "price",
     .does = "spot prices of the selected pools rise; EC2 interrupts instances with a lower "
             "maximum price",
     .remedy = "sets no maximum price, or handles the interruption by price like any other",
     .parameters = kPrice,
     .strike = raise_price,
     .trials = kPriceTrials},
};

}  // namespace
}  // namespace of_the_market

// Other changes of a pool's capacity during the drain take effect at its end.
void drain_pools(const std::vector<market::Pool>& pools, int slots, Duration lasts,
                 Targets& targets) {
  market::Market& market = targets.cloud.market();
  for (const market::Pool& pool : pools) {
    std::multiset<int>& drains = targets.ongoing.drains[pool];
    drains.insert(slots);
    market.limit_capacity(pool, *drains.begin());
    targets.ongoing.end_after(lasts, [&market, &drains, pool, slots] {
      drains.extract(slots);
      market.limit_capacity(pool, drains.empty() ? std::nullopt : std::optional(*drains.begin()));
    });
  }
}

std::span<const Kind> market_faults() { return of_the_market::kKinds; }

}  // namespace sim::faults
