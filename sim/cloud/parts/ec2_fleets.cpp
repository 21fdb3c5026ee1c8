// The functions that only EC2 fleets (CreateFleet) have: on-demand capacity, and instant fleets,
// which launch while the call is answered (EC2 User Guide, "EC2 Fleet").
#include <algorithm>
#include <limits>
#include <utility>

#include "sim/cloud/parts/fleets.h"

namespace sim::cloud {

const LaunchSpec* Fleets::choose_on_demand(const Fleet& fleet) const {
  const auto rank = [&](const LaunchSpec& spec) {
    const double priority = spec.priority.value_or(std::numeric_limits<double>::infinity());
    const double price = capacity_.on_demand_price(spec).dollars() / spec.weighted_capacity;
    return std::pair(fleet.on_demand_by_priority ? priority : 0, price);
  };
  const LaunchSpec* best = nullptr;
  for (const LaunchSpec& spec : fleet.launch_specs)
    if (capacity_.has_room_on_demand(spec) && (!best || rank(spec) < rank(*best))) best = &spec;
  return best;
}

void Fleets::launch_at_once(Fleet& fleet) {
  const auto launch_all = [&](Lifecycle lifecycle, auto choose) {
    if (owed(fleet, lifecycle) <= 0) return;
    const std::vector<LaunchSpec> all = fleet.launch_specs;
    drop_forbidden(fleet, lifecycle);
    while (owed(fleet, lifecycle) > 0) {
      const LaunchSpec* const spec = choose();
      if (!spec) break;
      launch_for(fleet, *spec, lifecycle);
    }
    if (owed(fleet, lifecycle) > 0)
      for (const LaunchSpec& spec : fleet.launch_specs)
        fleet.errors.push_back(obstacle(spec, lifecycle));
    fleet.launch_specs = all;
  };
  launch_all(Lifecycle::kOnDemand, [&] { return choose_on_demand(fleet); });
  launch_all(Lifecycle::kSpot, [&] { return choose_spec(fleet); });
  advance(fleet, FleetState::kActive);
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
  const SpotCapacity::Placement placement = capacity_.place(spec);
  if (!capacity_.has_snapshots(spec)) {
    error.code = "InvalidSnapshot.NotFound";
    error.message = "A snapshot of the block devices does not exist.";
  } else if (lifecycle == Lifecycle::kOnDemand && capacity_.free_on_demand(spec) == 0) {
    const ApiError refusal = capacity_.on_demand_refusal(spec, 1);
    error.code = refusal.code();
    error.message = refusal.what();
  } else if (lifecycle == Lifecycle::kSpot && requests_.room_in_quotas(spec) == 0) {
    error.code = "MaxSpotInstanceCountExceeded";
    error.message = "Max spot instance count exceeded";
  } else if (!capacity_.has_network(spec) || !capacity_.has_address(spec)) {
    error.code = "InsufficientFreeAddressesInSubnet";
    error.message =
        "There are not enough free addresses in the subnet to satisfy the requested number of "
        "instances.";
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
