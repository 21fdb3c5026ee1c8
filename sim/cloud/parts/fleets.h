// Spot fleets and EC2 fleets: requests, changes, cancellation and history. Which instances they
// launch is in fleet_allocation.cpp and ec2_fleets.cpp.
//
// A fleet launches through spot requests, and an EC2 fleet on demand as well. It detects the end of
// an instance only after a while, and then replaces it. This class listens to Instances. The
// comments in cloud.h say what each action throws.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/instance_listener.h"
#include "sim/cloud/parts/instances.h"
#include "sim/cloud/parts/launch_checks.h"
#include "sim/cloud/parts/spot_capacity.h"
#include "sim/cloud/parts/spot_requests.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

class Fleets : public InstanceListener {
 public:
  Fleets(Context&, Tagging&, const LaunchChecks&, const SpotCapacity&, SpotRequests&, Instances&);

  // All fleets. Instances whose loss a fleet has detected are removed from it.
  const std::map<FleetId, Fleet>& all();
  // Throws InvalidSpotFleetRequestId.NotFound.
  const Fleet& find(const FleetId&);
  // Whether a fleet may still launch an instance if no further call is made.
  bool any_may_launch() const;

  FleetId request(const SpotFleetRequest&);
  FleetCancellation cancel(const FleetId&, bool terminate_instances);
  void expire(const FleetId&);
  void modify(const FleetId&, const FleetChange&);
  void launch_one_more(const FleetId&);
  void set_permission(FleetPermission may_launch) { may_launch_ = std::move(may_launch); }

  // Called when the price or the capacity of a pool has changed. A waiting fleet that could now
  // launch tries again, at the time of its next attempt.
  void pool_changed();

  void rebalance_recommended(const Instance&) override;
  void noticed(const Instance&) override;
  void stopping_machine(const Instance&) override;
  void terminated(const Instance&) override;

 private:
  struct Work {
    Retry retry;
    // Capacity launched since the start, on demand and in total: a "request" fleet replaces
    // nothing.
    double launched_on_demand = 0, launched = 0;
    // The number of spot instances in each pool that the fleet counts, by weight. The capacity in a
    // pool is their sum, which thus does not depend on the order in which instances started and
    // ended.
    std::map<Pool, std::map<double, int>> held;
    Usd on_demand_per_hour;  // the price of the on-demand instances that the fleet counts
    int not_terminated = 0;
    // Instances that ended without the fleet's knowledge, and when the fleet will detect it.
    std::vector<InstanceId> unnoticed;
    std::optional<EventId> notice;
    std::set<InstanceId> excess;  // Fleet::excess
    // Capacity rebalancing: the instances with a recommendation, whose capacity the fleet launches
    // beyond its target, and those of them that will be ended.
    std::set<InstanceId> at_risk, replaced;
    double at_risk_capacity = 0;
    // Instances to be removed from Fleet::instances before its next use. One pass removes many; a
    // search for each would be quadratic in a large fleet.
    std::set<InstanceId> lost;
  };

  Fleet& own(const FleetId&);
  const Work& work_of(const Fleet& fleet) const { return work_.at(fleet.id); }
  Fleet checked(const SpotFleetRequest&) const;  // without an ID
  std::vector<LaunchSpec> completed(const Fleet&, const std::vector<LaunchSpec>&) const;

  void advance(Fleet&, FleetState to);  // sets its state and writes its history
  void record(Fleet&, const std::string& type, const std::string& sub_type,
              const std::string& description, const InstanceId& instance = {});
  void activate_from(Fleet&, Time);
  void activate_later(Fleet&, const std::string& stream_id);
  void activate(Fleet&);
  void notice_losses(Fleet&);
  void replace_losses(Fleet&);
  void drop_lost(Fleet&);  // from its list of instances
  void cancelled_if_done(Fleet&);

  // ---- fleet_allocation.cpp
  double owed(const Fleet&) const;  // capacity that is still to be launched
  double owed(const Fleet&, Lifecycle) const;
  // The part of which the next launch is. On-demand capacity comes first, while its maximum price
  // permits a launch.
  Lifecycle next_part(const Fleet&) const;
  // What the maximum price per hour leaves for launches. Empty: there is no maximum.
  std::optional<Usd> money_left(const Fleet&, Lifecycle) const;
  // Whether each specification costs more than that.
  bool is_too_expensive(const Fleet&, Lifecycle) const;
  std::optional<Usd> hourly_price(const LaunchSpec&, Lifecycle) const;
  double unit_price(const LaunchSpec&) const;  // dollars per hour and unit of weight; spot
  // How many spot instances of the specification could be launched now. 0 if there is too little
  // money left (money_left()).
  int launchable_slots(const LaunchSpec&, std::optional<Usd> left) const;
  // Its pools with the lowest prices per unit of those with capacity, as many as it is to use.
  std::set<Pool> cheapest_pools(const Fleet&) const;
  const LaunchSpec* choose_spec(const Fleet&) const;
  double held(const Fleet&, const Pool&) const;
  void allocate(Fleet&);
  void allocate_at(Fleet&, Time);
  void launch_for(Fleet&, const LaunchSpec&, Lifecycle);
  void wait_for_capacity(Fleet&);
  void record_obstacles(Fleet&);
  bool may_launch(Fleet&, const LaunchSpec&, Lifecycle);
  void shrink(Fleet&);

  // ---- fleet_rebalance.cpp
  void end_replaced(Fleet&);
  static void forget_at_risk(Work&, const Instance&);

  // ---- ec2_fleets.cpp
  const LaunchSpec* choose_on_demand(const Fleet&) const;
  // The specification of the next launch. Null if none can be launched.
  const LaunchSpec* choose_next(const Fleet&) const;
  void launch_at_once(Fleet&);  // for an instant fleet
  const LaunchSpec* choose(const Fleet&, Lifecycle) const;
  // How much of each limit planned launches use, from 0 (none) to 1 (all). Launches from several
  // pools share subnets, placement groups and quotas.
  using Used = std::map<std::string, double>;
  // How many instances with a specification each of its limits permits now, by the limit's name.
  // Of a sum of money the last one may be a fraction.
  std::map<std::string, double> rooms(const Fleet&, const LaunchSpec&, Lifecycle) const;
  // The capacity that the fleet's specifications can have now, up to what this part of the fleet
  // needs. Adds to `used`. Where limits are shared it counts the lightest specifications first,
  // or those with the least capacity for their price, so the launches reach at least as much.
  double reachable(const Fleet&, Lifecycle, Used& used) const;
  // Removes all specifications but those of one instance type or one zone, if the fleet is limited
  // to it.
  void keep_one_group(Fleet&, Lifecycle, const Used& used);
  // Removes the specifications that the caller may not launch, with errors.
  void drop_forbidden(Fleet&, Lifecycle);
  FleetError obstacle(const LaunchSpec&, Lifecycle) const;

  Context& context_;
  Tagging& tagging_;
  const LaunchChecks& checks_;
  const SpotCapacity& capacity_;
  SpotRequests& requests_;
  Instances& instances_;
  FleetPermission may_launch_;  // empty: always
  std::map<FleetId, Fleet> table_;
  std::map<FleetId, Work> work_;
};

}  // namespace sim::cloud
