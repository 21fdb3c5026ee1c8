// Pools as customers see them: how many slots are free, the maximum price of a specification,
// and where it can be launched now. The market has prices and the number of slots; this class
// counts the slots in use.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/snapshots.h"
#include "sim/market/market.h"
#include "sim/vpc/network.h"

namespace sim::cloud {

Pool pool_of(const LaunchSpec&);

// A fleet or a spot request that waits for capacity or a lower price. It would try again every
// Durations::capacity_retry. Only the first attempt that can succeed becomes an event.
struct Retry {
  bool waiting = false;
  Time failed_at{};
  std::optional<EventId> attempt;
  int draws = 0;  // number of random delays drawn, so that each has its own stream
};

class SpotCapacity {
 public:
  SpotCapacity(Context&, market::Market&, const Snapshots&, const vpc::Network&);
  // Calls this function when the price or the free capacity of a pool has changed.
  void on_change(std::function<void(const Pool&)> changed) { changed_ = std::move(changed); }

  // The number of free slots in the pool now; 0 while the pool has no price.
  int free(const Pool&) const;
  // The same for a specification in a zone. Its subnet must also have an address for each instance,
  // and its placement group must permit it.
  int free_for(const LaunchSpec&, const std::string& availability_zone) const;
  void take(const Pool& pool) { ++in_use_[pool]; }
  void give_back(const Pool&);
  // An open request no longer counts against the account's quotas, so others may be launched.
  void give_back_quota(const LaunchSpec&) const;
  // An instance that used no slot has left its placement group, which may have room again.
  void left_group(const LaunchSpec&) const;

  // ---- on demand. Instances of other services (managed_by) neither need capacity nor count.
  void take_on_demand(const LaunchSpec&);
  void give_back_on_demand(const LaunchSpec&);
  // The number of on-demand instances with this specification for which its zone has capacity and
  // the account has vCPUs left.
  int free_on_demand(const LaunchSpec&) const;
  // The number that the account's quota of vCPUs permits.
  int on_demand_by_quota(const std::string& instance_type) const;
  // EC2's error for a customer who asks for `least` of them when fewer are free.
  ApiError on_demand_refusal(const LaunchSpec&, int least) const;
  // vCPUs of an instance type; 0 if it is unknown.
  int vcpus(const std::string& instance_type) const;
  const market::Quotas& quotas() const { return market_.quotas(); }

  // The maximum price per hour of a spot instance with this specification.
  Usd max_price(const LaunchSpec&) const;
  // The present price of the specification's pool, if it has one.
  std::optional<Usd> price(const LaunchSpec&) const;
  // The first instant from now on at which the pool costs more than the maximum price.
  std::optional<Time> first_above_max(const LaunchSpec&) const;
  // The number of slots that the specification's snapshots, price and pool permit.
  int usable_slots(const LaunchSpec&) const;
  // Whether all snapshots that the specification names still exist.
  bool has_snapshots(const LaunchSpec& spec) const { return snapshots_.exist_for(spec); }

  // Whether the subnet, interface, security groups and placement group of a launch still exist.
  bool has_network(const LaunchSpec&) const;
  // How many instances its subnet has addresses for, in this zone.
  int address_room(const LaunchSpec&, const std::string& availability_zone) const;
  // How many instances its placement group permits in this zone.
  int group_room(const LaunchSpec&, const std::string& availability_zone) const;
  // Whether its placement group keeps all instances in one zone.
  bool is_in_cluster(const LaunchSpec& spec) const {
    const vpc::PlacementGroup* const group = network_.placement_groups.named(spec.placement_group);
    return group && group->strategy == "cluster";
  }
  // EC2's error for a customer whose placement group prevents a launch in the zone.
  ApiError group_refusal(const LaunchSpec& spec) const {
    return network_.placement_groups.refusal(spec.placement_group, spec.availability_zone);
  }

  // The on-demand price. The specification's instance type must have been checked (LaunchChecks).
  Usd on_demand_price(const LaunchSpec&) const;
  // Whether its subnet has a free address.
  bool has_address(const LaunchSpec& spec) const {
    return address_room(spec, spec.availability_zone) > 0;
  }
  // Whether an instance with this specification can be launched on demand.
  bool has_room_on_demand(const LaunchSpec& spec) const {
    return has_snapshots(spec) && has_network(spec) && free_on_demand(spec) > 0 &&
           has_address(spec);
  }

  // The cheapest zone for the specification now, or the status code that says why there is none.
  struct Placement {
    std::string availability_zone;
    std::string obstacle;
    std::optional<Usd> required = {};  // the lowest price, if only the price prevents a launch
  };
  // kKept: a stopped instance has kept its addresses. Its subnet needs no free one.
  enum class Addresses { kNew, kKept };
  Placement place(const LaunchSpec&, Addresses addresses = Addresses::kNew) const;
  // The message with the lowest price. Empty if the price does not prevent a launch.
  std::string price_obstacle(const LaunchSpec&, const Placement&) const;
  // A hint for a customer without capacity, if the reason is that the simulation has no prices
  // there. Empty otherwise.
  std::string hint_without_prices(const LaunchSpec&) const;

  // The time of a waiting fleet's or request's next attempt, if an attempt can succeed now.
  Time next_try(const Retry&) const;

 private:
  std::vector<std::string> zones_of(const LaunchSpec&) const;
  int on_demand_slots(const Pool&) const;

  Context& context_;
  market::Market& market_;
  const Snapshots& snapshots_;
  const vpc::Network& network_;
  std::function<void(const Pool&)> changed_;
  std::map<Pool, int> in_use_;  // by pending and running spot instances
  std::map<Pool, int> on_demand_in_use_;
};

}  // namespace sim::cloud
