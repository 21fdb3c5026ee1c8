// The functions that only EC2 fleets (CreateFleet) have: on-demand capacity, and instant fleets,
// which launch while the call is answered (EC2 User Guide, "EC2 Fleet").
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sim/cloud/parts/fleets.h"

namespace sim::cloud {
namespace {

const FleetPartLimits& limits_of(const Fleet& fleet, Lifecycle lifecycle) {
  return lifecycle == Lifecycle::kSpot ? fleet.spot_limits : fleet.on_demand_limits;
}

bool is_same_group(const FleetPartLimits& limits, const LaunchSpec& a, const LaunchSpec& b) {
  return (!limits.single_type || a.instance_type == b.instance_type) &&
         (!limits.single_zone || a.availability_zone == b.availability_zone);
}

}  // namespace

const LaunchSpec* Fleets::choose_on_demand(const Fleet& fleet) const {
  const auto rank = [&](const LaunchSpec& spec) {
    const double priority = spec.priority.value_or(std::numeric_limits<double>::infinity());
    const double price = capacity_.on_demand_price(spec).dollars() / spec.weighted_capacity;
    return std::pair(fleet.on_demand_by_priority ? priority : 0, price);
  };
  const auto left = money_left(fleet, Lifecycle::kOnDemand);
  const LaunchSpec* best = nullptr;
  for (const LaunchSpec& spec : fleet.launch_specs) {
    if (left && capacity_.on_demand_price(spec) > *left) continue;
    if (capacity_.has_room_on_demand(spec) && (!best || rank(spec) < rank(*best))) best = &spec;
  }
  return best;
}

const LaunchSpec* Fleets::choose(const Fleet& fleet, Lifecycle lifecycle) const {
  return lifecycle == Lifecycle::kSpot ? choose_spec(fleet) : choose_on_demand(fleet);
}

// "If the minimum target capacity is not reached, no instances are launched" (EC2 API reference,
// SpotOptionsRequest).
void Fleets::launch_at_once(Fleet& fleet) {
  struct Part {
    Lifecycle lifecycle;
    std::vector<LaunchSpec> specs;
    bool enough;
  };
  const std::vector<LaunchSpec> all = fleet.launch_specs;
  std::vector<Part> parts;
  Used used;
  for (const Lifecycle lifecycle : {Lifecycle::kOnDemand, Lifecycle::kSpot}) {
    if (owed(fleet, lifecycle) <= 0) continue;
    fleet.launch_specs = all;
    drop_forbidden(fleet, lifecycle);
    keep_one_group(fleet, lifecycle, used);
    const double reached = reachable(fleet, lifecycle, used);
    const double least = limits_of(fleet, lifecycle).least;
    parts.push_back({lifecycle, fleet.launch_specs, least <= 0 || reached >= least});
  }
  const bool enough = std::ranges::all_of(parts, &Part::enough);
  for (const Part& part : parts) {
    fleet.launch_specs = part.specs;
    while (enough && owed(fleet, part.lifecycle) > 0) {
      const LaunchSpec* const spec = choose(fleet, part.lifecycle);
      if (!spec) break;
      launch_for(fleet, *spec, part.lifecycle);
    }
    const bool failed = enough ? owed(fleet, part.lifecycle) > 0 : !part.enough;
    if (!failed || is_too_expensive(fleet, part.lifecycle)) continue;
    for (const LaunchSpec& spec : part.specs)
      fleet.errors.push_back(obstacle(spec, part.lifecycle));
  }
  fleet.launch_specs = all;
  advance(fleet, FleetState::kActive);
}

std::map<std::string, double> Fleets::rooms(const Fleet& fleet, const LaunchSpec& spec,
                                            Lifecycle lifecycle) const {
  const std::string &zone = spec.availability_zone, &type = spec.instance_type;
  const std::string quota = market::quota_group(type);
  std::map<std::string, double> all{
      {"subnet " + (spec.subnet_id.empty() ? zone : spec.subnet_id),
       capacity_.address_room(spec, zone)},
      {"group " + spec.placement_group + " in " + zone, capacity_.group_room(spec, zone)}};
  if (lifecycle == Lifecycle::kSpot) {
    all["spot " + type + " in " + zone] = capacity_.usable_slots(spec);
    all["spot quota " + quota] = requests_.room_in_quotas(spec);
    all["spot requests"] = requests_.room_in_quotas({});  // no type, thus no vCPUs
  } else {
    all["on-demand " + type + " in " + zone] =
        capacity_.has_room_on_demand(spec) ? capacity_.free_on_demand(spec) : 0;
    all["on-demand quota " + quota] = capacity_.on_demand_by_quota(type);
  }
  const auto left = money_left(fleet, lifecycle);
  if (const auto price = hourly_price(spec, lifecycle); left && price && price->nano > 0)
    all[lifecycle == Lifecycle::kSpot ? "spot money" : "on-demand money"] =
        static_cast<double>(left->nano) / static_cast<double>(price->nano);
  return all;
}

double Fleets::reachable(const Fleet& fleet, Lifecycle lifecycle, Used& used) const {
  constexpr double kRounding = 1e-6;
  std::vector<LaunchSpec> specs = fleet.launch_specs;
  const bool by_money = money_left(fleet, lifecycle).has_value();
  std::ranges::stable_sort(specs, {}, [&](const LaunchSpec& spec) {
    const auto price = by_money ? hourly_price(spec, lifecycle) : std::optional<Usd>{};
    const double each = price && price->nano > 0 ? price->dollars() : 1;
    return spec.weighted_capacity / each;
  });
  double sum = 0;
  for (const LaunchSpec& spec : specs) {
    const auto limits = rooms(fleet, spec, lifecycle);
    double count = std::ceil((owed(fleet, lifecycle) - sum) / spec.weighted_capacity);
    for (const auto& [name, room] : limits)
      count = std::min(count, std::floor((1 - used[name]) * room + kRounding));
    if (count <= 0) continue;
    for (const auto& [name, room] : limits) used[name] += count / room;
    sum += count * spec.weighted_capacity;
  }
  return sum;
}

// Takes the first group in the order of the strategy that can have the whole capacity, else the one
// that can have most. Without any, all specifications stay, as causes of the failure.
void Fleets::keep_one_group(Fleet& fleet, Lifecycle lifecycle, const Used& used) {
  const FleetPartLimits& limits = limits_of(fleet, lifecycle);
  if (!limits.single_type && !limits.single_zone) return;
  const auto is_same = [&](const LaunchSpec& a, const LaunchSpec& b) {
    return is_same_group(limits, a, b) &&
           (!capacity_.is_in_cluster(a) || a.availability_zone == b.availability_zone);
  };
  const std::vector<LaunchSpec> all = fleet.launch_specs;
  std::vector<LaunchSpec> rest = all, best;
  double most = 0;
  while (most < owed(fleet, lifecycle)) {
    fleet.launch_specs = rest;
    const LaunchSpec* const chosen = choose(fleet, lifecycle);
    if (!chosen) break;
    const LaunchSpec first = *chosen;
    std::vector<LaunchSpec> group;
    for (const LaunchSpec& spec : rest)
      if (is_same(spec, first)) group.push_back(spec);
    std::erase_if(rest, [&](const LaunchSpec& spec) { return is_same(spec, first); });
    fleet.launch_specs = group;
    Used with_group = used;
    if (const double capacity = reachable(fleet, lifecycle, with_group); capacity > most) {
      most = capacity;
      best = std::move(group);
    }
  }
  fleet.launch_specs = best.empty() ? all : best;
}

// EC2 reports a missing permission among the fleet's errors, and launches what it may.
void Fleets::drop_forbidden(Fleet& fleet, Lifecycle lifecycle) {
  if (!may_launch_) return;
  std::erase_if(fleet.launch_specs, [&](const LaunchSpec& spec) {
    if (may_launch_(fleet, spec, lifecycle)) return false;
    fleet.errors.push_back({.spec = spec,
                            .lifecycle = lifecycle,
                            .code = "UnauthorizedOperation",
                            .message = "You are not authorized to perform this operation."});
    return true;
  });
}

FleetError Fleets::obstacle(const LaunchSpec& spec, Lifecycle lifecycle) const {
  FleetError error{.spec = spec, .lifecycle = lifecycle, .code = {}, .message = {}};
  const auto refuse = [&](const ApiError& refusal) {
    error.code = refusal.code();
    error.message = refusal.what();
  };
  const SpotCapacity::Placement placement = capacity_.place(spec);
  if (!capacity_.has_snapshots(spec)) {
    error.code = "InvalidSnapshot.NotFound";
    error.message = "A snapshot of the block devices does not exist.";
  } else if (lifecycle == Lifecycle::kOnDemand && capacity_.free_on_demand(spec) == 0) {
    refuse(capacity_.on_demand_refusal(spec, 1));
  } else if (lifecycle == Lifecycle::kSpot && requests_.room_in_quotas(spec) == 0) {
    error.code = "MaxSpotInstanceCountExceeded";
    error.message = "Max spot instance count exceeded";
  } else if (!capacity_.has_network(spec) || !capacity_.has_address(spec)) {
    error.code = "InsufficientFreeAddressesInSubnet";
    error.message =
        "There are not enough free addresses in the subnet to satisfy the requested number of "
        "instances.";
  } else if (placement.obstacle == "placement-group-constraint") {
    refuse(capacity_.group_refusal(spec));
  } else if (lifecycle == Lifecycle::kOnDemand) {
    error.code = "InsufficientInstanceCapacity";
    error.message = "There is no On-Demand capacity available that matches your request.";
  } else if (placement.required) {
    error.code = "SpotMaxPriceTooLow";
    error.message = capacity_.price_obstacle(spec, placement);
  } else {
    error.code = "InsufficientInstanceCapacity";
    error.message = "There is no Spot capacity available that matches your request." +
                    capacity_.hint_without_prices(spec);
  }
  return error;
}

}  // namespace sim::cloud
