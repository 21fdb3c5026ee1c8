// Capacity that dries up, prices that rise.
#include <cmath>

#include "sim/faults/kinds.h"

namespace sim::faults {
namespace of_the_market {
namespace {

// The pools that a fault names by `pool`, `zone` or `type`; without any of these all of them.
std::vector<market::Pool> struck_pools(const Arguments& arguments, const World& world) {
  const auto* const pool = arguments.find<market::Pool>("pool");
  const auto* const zone = arguments.find<std::string>("zone");
  const auto* const type = arguments.find<std::string>("type");
  std::vector<market::Pool> struck;
  for (const market::Pool& candidate : world.cloud.market().pools()) {
    if ((pool && candidate != *pool) || (zone && candidate.availability_zone != *zone) ||
        (type && candidate.instance_type != *type))
      continue;
    struck.push_back(candidate);
  }
  return struck;
}

void drain(const Arguments& arguments, const Strike&, World& world) {
  market::Market& market = world.cloud.market();
  const auto slots = static_cast<int>(arguments.get<std::int64_t>("slots"));
  const auto& lasts = arguments.get<Duration>("for");
  for (const market::Pool& pool : struck_pools(arguments, world)) {
    const int before = market.capacity(pool);
    market.set_capacity(pool, std::min(slots, before));
    world.simulation.after(lasts, [&market, pool, before] { market.set_capacity(pool, before); });
  }
}

void raise_price(const Arguments& arguments, const Strike&, World& world) {
  cloud::Cloud& cloud = world.cloud;
  const double factor = arguments.get<double>("factor");
  const auto& lasts = arguments.get<Duration>("for");
  for (const market::Pool& pool : struck_pools(arguments, world)) {
    const auto before = cloud.market().spot_price(pool, world.simulation.now());
    if (!before) continue;
    cloud.set_price(pool, {std::llround(static_cast<double>(before->nano) * factor)});
    world.simulation.after(lasts,
                           [&cloud, pool, price = *before] { cloud.set_price(pool, price); });
  }
}

constexpr Parameter kPool{"pool", ArgumentType::kPool, "", "", "only this pool"};
constexpr Parameter kZone{"zone", ArgumentType::kText, "", "", "only this Availability Zone"};
constexpr Parameter kType{"type", ArgumentType::kText, "", "", "only this instance type"};

constexpr Parameter kDrain[] = {
    kPool,
    kZone,
    kType,
    {"slots", ArgumentType::kWhole, "0", "", "spot instances that the pools have to give"},
    {"for", ArgumentType::kDuration, "30m", "", "until there are as many as before"},
};
constexpr Parameter kPrice[] = {
    kPool,
    kZone,
    kType,
    {"factor", ArgumentType::kNumber, "10", "", "times the price at that instant"},
    {"for", ArgumentType::kDuration, "30m", "",
     "until it is that price again, at which it then stays"},
};

constexpr Trial kDrainTrials[] = {{Trial::At::kEvent, "instance.notice", ""},
                                  {Trial::At::kEvent, "fleet.state submitted", ""},
                                  {Trial::At::kEvent, "fleet.state active", ""}};

constexpr Trial kPriceTrials[] = {{Trial::At::kEvent, "instance.state running", ""},
                                  {Trial::At::kEvent, "trainer.start", ""},
                                  {Trial::At::kEvent, "instance.notice", ""}};

constexpr Kind kKinds[] = {
    {.name = "drain",
     .does = "pools have no more spot capacity; what runs goes on",
     .parameters = kDrain,
     .strike = drain,
     .trials = kDrainTrials},
    {.name = "price",
     .does = "spot prices rise; instances whose maximum price is below get their notice",
     .parameters = kPrice,
     .strike = raise_price,
     .trials = kPriceTrials},
};

}  // namespace
}  // namespace of_the_market

std::span<const Kind> market_faults() { return of_the_market::kKinds; }

}  // namespace sim::faults
