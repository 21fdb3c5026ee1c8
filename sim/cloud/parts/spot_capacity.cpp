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
  return std::min({slots, address_room(spec, zone), group_room(spec, zone)});
}

bool SpotCapacity::has_network(const LaunchSpec& spec) const {
  if (!network_.has(spec.subnet_id, spec.availability_zone, spec.security_group_ids)) return false;
  if (!spec.network_interface.empty() && !network_.interfaces.table.has(spec.network_interface))
    return false;
  return spec.placement_group.empty() || network_.placement_groups.named(spec.placement_group);
}

int SpotCapacity::address_room(const LaunchSpec& spec, const std::string& zone) const {
  if (!spec.managed_by.empty()) return market::Market::kUnlimited;
  if (!spec.network_interface.empty())
    return network_.interfaces.is_available(spec.network_interface) ? 1 : 0;
  const int each = 1 + spec.more_addresses + static_cast<int>(spec.secondary_ips.size());
  int room = network_.room(spec.subnet_id, zone, "") / each;
  if (!spec.private_ip.empty())
    room = std::min(room, network_.room(spec.subnet_id, zone, spec.private_ip));
  for (const std::string& address : spec.secondary_ips)
    room = std::min(room, network_.room(spec.subnet_id, zone, address));
  return room;
}

int SpotCapacity::group_room(const LaunchSpec& spec, const std::string& zone) const {
  return network_.placement_groups.room(spec.placement_group, zone);
}

void SpotCapacity::give_back(const Pool& pool) {
  --in_use_[pool];
  changed_(pool);
}

void SpotCapacity::give_back_quota(const LaunchSpec& spec) const {
  if (quotas().spot_vcpus || quotas().spot_requests) changed_(pool_of(spec));
}

void SpotCapacity::left_group(const LaunchSpec& spec) const {
  if (!spec.placement_group.empty()) changed_(pool_of(spec));
}

void SpotCapacity::take_on_demand(const LaunchSpec& spec) {
  if (spec.managed_by.empty()) ++on_demand_in_use_[pool_of(spec)];
}

void SpotCapacity::give_back_on_demand(const LaunchSpec& spec) {
  if (!spec.managed_by.empty()) return;
  const Pool pool = pool_of(spec);
  --on_demand_in_use_[pool];
  const bool is_limited = market_.on_demand_capacity(pool) != market::Market::kUnlimited ||
                          market_.quotas().on_demand_vcpus.has_value() ||
                          !spec.placement_group.empty();
  if (is_limited) changed_(pool);
}

int SpotCapacity::on_demand_slots(const Pool& pool) const {
  const int slots = market_.on_demand_capacity(pool);
  if (slots == market::Market::kUnlimited) return slots;
  const auto used = on_demand_in_use_.find(pool);
  return std::max(0, slots - (used == on_demand_in_use_.end() ? 0 : used->second));
}

int SpotCapacity::vcpus(const std::string& instance_type) const {
  const market::InstanceType* const type = find_instance_type(market_.types(), instance_type);
  return type ? type->vcpus : 0;
}

int SpotCapacity::on_demand_by_quota(const std::string& instance_type) const {
  const auto& most = market_.quotas().on_demand_vcpus;
  const int each = vcpus(instance_type);
  if (!most || each == 0) return market::Market::kUnlimited;
  const std::string group = market::quota_group(instance_type);
  int used = 0;
  for (const auto& [pool, count] : on_demand_in_use_)
    if (market::quota_group(pool.instance_type) == group) used += count * vcpus(pool.instance_type);
  return std::max(0, *most - used) / each;
}

int SpotCapacity::free_on_demand(const LaunchSpec& spec) const {
  if (!spec.managed_by.empty()) return market::Market::kUnlimited;
  return std::min({on_demand_slots(pool_of(spec)), on_demand_by_quota(spec.instance_type),
                   group_room(spec, spec.availability_zone)});
}

// The words are EC2's (EC2 API Reference, "Error codes").
ApiError SpotCapacity::on_demand_refusal(const LaunchSpec& spec, int least) const {
  if (on_demand_by_quota(spec.instance_type) < least)
    return ApiError(
        "VcpuLimitExceeded",
        fmt::format("You have requested more vCPU capacity than your current vCPU limit of {} "
                    "allows for the instance bucket that the specified instance type belongs to. "
                    "Please visit http://aws.amazon.com/contact-us/ec2-request to request an "
                    "adjustment to this limit.",
                    market_.quotas().on_demand_vcpus.value_or(0)));
  if (group_room(spec, spec.availability_zone) < least) return group_refusal(spec);
  std::vector<std::string> others;
  for (const std::string& zone : context_.config.availability_zones)
    if (on_demand_slots({spec.instance_type, zone}) >= least) others.push_back(zone);
  const std::string elsewhere = others.empty()
                                    ? ""
                                    : fmt::format(
                                          " You can currently get {} capacity by not specifying an "
                                          "Availability Zone in your request or choosing {}.",
                                          spec.instance_type, fmt::join(others, ", "));
  return ApiError("InsufficientInstanceCapacity",
                  fmt::format("We currently do not have sufficient {} capacity in the Availability "
                              "Zone you requested ({}). Our system will be working on provisioning "
                              "additional capacity.{}",
                              spec.instance_type, spec.availability_zone, elsewhere),
                  500);
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
  if (*now > max_price(spec) || !has_address(spec)) return 0;
  return std::min(free(pool_of(spec)), group_room(spec, spec.availability_zone));
}

std::optional<Time> SpotCapacity::first_above_max(const LaunchSpec& spec) const {
  return market_.first_above(pool_of(spec), max_price(spec), context_.now());
}

std::vector<std::string> SpotCapacity::zones_of(const LaunchSpec& spec) const {
  if (!spec.availability_zone.empty()) return {spec.availability_zone};
  return context_.config.availability_zones;
}

SpotCapacity::Placement SpotCapacity::place(const LaunchSpec& spec, Addresses addresses) const {
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
    } else if (group_room(spec, zone) == 0) {
      if (!best_price && !best.required) best.obstacle = "placement-group-constraint";
    } else {
      const int slots = addresses == Addresses::kKept ? free(pool) : free_for(spec, zone);
      if (slots == 0 || (best_price && *price >= *best_price)) continue;
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
