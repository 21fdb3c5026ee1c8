#include "sim/cloud/parts/spot_capacity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace sim::cloud {
namespace {
constexpr double kHighestPrice = 9e18;  // nanodollars: what an int64 can hold
}  // namespace

Pool pool_of(const LaunchSpec& spec) { return {spec.instance_type, spec.availability_zone}; }

SpotCapacity::SpotCapacity(Context& context, market::Market& market, const Snapshots& snapshots,
                           const vpc::Network& network)
    : context_(context), market_(market), snapshots_(snapshots), network_(network) {
  market.subscribe([this](const Pool& pool) { changed_(pool); });
}

int SpotCapacity::free(const Pool& pool) const {
  if (!market_.offers(pool)) return 0;
  const int slots = market_.capacity(pool);
  if (slots == market::Market::kUnlimited) return slots;
  const auto used = in_use_.find(pool);
  return std::max(0, slots - (used == in_use_.end() ? 0 : used->second));
}

int SpotCapacity::free_for(const LaunchSpec& spec, const std::string& zone) const {
  const int slots = free({spec.instance_type, zone});
  if (slots == 0 || !spec.managed_by.empty()) return slots;
  return std::min(slots, network_.room(spec.subnet_id, zone, spec.private_ip));
}

void SpotCapacity::give_back(const Pool& pool) {
  --in_use_[pool];
  changed_(pool);
}

Usd SpotCapacity::max_price(const LaunchSpec& spec) const {
  // SpotPrice is per unit hour (EC2 API reference, SpotFleetLaunchSpecification).
  if (spec.max_price) {
    const double nano = static_cast<double>(spec.max_price->nano) * spec.weighted_capacity;
    return {static_cast<std::int64_t>(std::llround(std::min(nano, kHighestPrice)))};
  }
  return on_demand_price(spec);
}

Usd SpotCapacity::on_demand_price(const LaunchSpec& spec) const {
  const auto price = market_.on_demand_price(spec.instance_type);
  SIM_CHECK(price.has_value());
  return *price;
}

std::optional<Usd> SpotCapacity::price(const LaunchSpec& spec) const {
  return market_.spot_price(pool_of(spec), context_.now());
}

int SpotCapacity::usable_slots(const LaunchSpec& spec) const {
  const auto now = price(spec);
  if (!now || !market_.on_demand_price(spec.instance_type) || !has_snapshots(spec)) return 0;
  if (spec.managed_by.empty() && !has_network(spec)) return 0;
  return *now <= max_price(spec) ? free(pool_of(spec)) : 0;
}

std::optional<Time> SpotCapacity::first_above_max(const LaunchSpec& spec) const {
  return market_.first_above(pool_of(spec), max_price(spec), context_.now());
}

std::vector<std::string> SpotCapacity::zones_of(const LaunchSpec& spec) const {
  if (!spec.availability_zone.empty()) return {spec.availability_zone};
  return context_.config.availability_zones;
}

SpotCapacity::Placement SpotCapacity::place(const LaunchSpec& spec) const {
  const Usd limit = max_price(spec);
  if (!has_snapshots(spec) || (spec.managed_by.empty() && !has_network(spec)))
    return {"", "bad-parameters"};
  Placement best{"", "capacity-not-available"};
  std::optional<Usd> best_price;
  for (const std::string& zone : zones_of(spec)) {
    const Pool pool{spec.instance_type, zone};
    const auto price = market_.spot_price(pool, context_.now());
    if (!price) continue;
    if (*price > limit) {
      if (best_price) continue;
      best.obstacle = "price-too-low";
      best.required = std::min(best.required.value_or(*price), *price);
    } else if (free_for(spec, zone) > 0 && (!best_price || *price < *best_price)) {
      best = {zone, ""};
      best_price = price;
    }
  }
  return best;
}

std::string SpotCapacity::price_obstacle(const LaunchSpec& spec, const Placement& placement) const {
  if (!placement.required) return "";
  return fmt::format(
      "Your Spot request price of {} is lower than the minimum required Spot request fulfillment "
      "price of {}.",
      max_price(spec).dollars(), placement.required->dollars());
}

std::string SpotCapacity::hint_without_prices(const LaunchSpec& spec) const {
  const std::vector<std::string> zones = zones_of(spec);
  for (const std::string& zone : zones)
    if (market_.spot_price({spec.instance_type, zone}, context_.now())) return "";
  return fmt::format(" The simulated market has no prices of {} in {}.", spec.instance_type,
                     fmt::join(zones, ", "));
}

Time SpotCapacity::next_try(const Retry& retry) const {
  const Duration every = context_.config.durations.capacity_retry;
  const Duration since = context_.now() - retry.failed_at;
  if (every <= Duration{}) return context_.now();
  const auto tries = std::max<std::int64_t>(1, (since + every - Duration{1}) / every);
  return retry.failed_at + tries * every;
}

}  // namespace sim::cloud
