#include "sim/cloud/parts/fleets.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text/comma_list.h"
#include "sim/cloud/error.h"
#include "sim/cloud/parts/lookup.h"

namespace sim::cloud {
namespace {

constexpr double kCapacityLimit = 10'000;  // EC2 quota "Target capacity per Spot Fleet"

bool cancelled(const Fleet& fleet) {
  return fleet.state == FleetState::kCancelledRunning ||
         fleet.state == FleetState::kCancelledTerminating || fleet.state == FleetState::kCancelled;
}

[[noreturn]] void throw_invalid(FleetKind kind, const std::string& why) {
  const bool spot_fleet = kind == FleetKind::kSpotFleet;
  throw ApiError(spot_fleet ? "InvalidSpotFleetRequestConfig" : "InvalidFleetConfig", why);
}

void check_target(FleetKind kind, double target) {
  if (!(target >= 0) || target > kCapacityLimit)
    throw_invalid(kind,
                  fmt::format("TargetCapacity {} is not between 0 and {}", target, kCapacityLimit));
}

bool knows_type(const Fleet& fleet) {
  return fleet.type == "maintain" || fleet.type == "request" ||
         (fleet.type == "instant" && fleet.kind == FleetKind::kEc2Fleet);
}

void check_no_duplicates(const std::vector<LaunchSpec>& specs) {
  std::set<std::tuple<std::string, std::string, std::string>> pools;
  for (const LaunchSpec& spec : specs)
    if (!pools.emplace(spec.instance_type, spec.availability_zone, spec.subnet_id).second)
      throw ApiError("InvalidFleetConfig",
                     "The fleet configuration contains duplicate instance pools.");
}

// Splits "us-west-2a, us-west-2b" into zones. An empty list means all zones.
std::vector<std::string> split_zones(const std::string& list, const std::vector<std::string>& all) {
  std::vector<std::string> zones = base::split_comma_list(list);
  return zones.empty() ? all : zones;
}

}  // namespace

std::string_view name(AllocationStrategy strategy) {
  static constexpr std::string_view kNames[] = {"lowestPrice", "diversified", "capacityOptimized",
                                                "capacityOptimizedPrioritized",
                                                "priceCapacityOptimized"};
  return kNames[static_cast<std::size_t>(strategy)];
}

Fleets::Fleets(Context& context, Tagging& tagging, const LaunchChecks& checks,
               const SpotCapacity& capacity, SpotRequests& requests, Instances& instances)
    : context_(context),
      tagging_(tagging),
      checks_(checks),
      capacity_(capacity),
      requests_(requests),
      instances_(instances) {
  for (const char* prefix : {"sfr-", "fleet-"})
    tagging.add({.id_prefix = prefix,
                 .tags = [this](const std::string& id) -> Tags& { return own(FleetId{id}).tags; }});
}

Fleet& Fleets::own(const FleetId& id) { return look_up(table_, id); }

const std::map<FleetId, Fleet>& Fleets::all() {
  for (auto& [id, fleet] : table_) drop_lost(fleet);
  return table_;
}

const Fleet& Fleets::find(const FleetId& id) {
  Fleet& fleet = own(id);
  drop_lost(fleet);
  return fleet;
}

bool Fleets::any_may_launch() const {
  return std::ranges::any_of(table_, [&](const auto& entry) {
    const Fleet& fleet = entry.second;
    const bool replaces = fleet.type == "maintain" && fleet.state == FleetState::kActive &&
                          !work_of(fleet).unnoticed.empty();
    return replaces || owed(fleet) > 0;
  });
}

// EC2 API reference, EventInformation.
void Fleets::advance(Fleet& fleet, FleetState to) {
  const bool modified = fleet.state == FleetState::kModifying && to == FleetState::kActive;
  context_.set_state(fleet, to);
  const std::string event = to == FleetState::kModifying ? "modify_in_progress"
                            : modified                   ? "modify_succeeded"
                                                         : std::string{name(to)};
  record(fleet, "fleetRequestChange", event, "");
}

void Fleets::record(Fleet& fleet, const std::string& type, const std::string& sub_type,
                    const std::string& description, const InstanceId& instance) {
  fleet.history.push_back({context_.now(), type, sub_type, description, instance});
  context_.tell(&Observer::fleet_history, fleet);
}

Fleet Fleets::checked(const SpotFleetRequest& request) const {
  Fleet fleet = request.config;
  check_target(fleet.kind, fleet.target_capacity);
  if (!knows_type(fleet))
    throw_invalid(fleet.kind, "Type '" + fleet.type + "' is neither maintain nor request");
  if (fleet.launch_specs.empty()) throw_invalid(fleet.kind, "There are no launch specifications");
  fleet.launch_specs = completed(fleet, request.config.launch_specs);
  check_tags(fleet.tags, {});
  return fleet;
}

std::vector<LaunchSpec> Fleets::completed(const Fleet& fleet,
                                          const std::vector<LaunchSpec>& asked) const {
  std::vector<LaunchSpec> specs;
  for (const LaunchSpec& listed : asked) {
    if (!(listed.weighted_capacity > 0))
      throw_invalid(fleet.kind,
                    fmt::format("WeightedCapacity {} is not above 0", listed.weighted_capacity));
    if (fleet.target_capacity / listed.weighted_capacity > kCapacityLimit)
      throw_invalid(fleet.kind,
                    fmt::format("TargetCapacity {} in units of {} are more than {} instances",
                                fleet.target_capacity, listed.weighted_capacity, kCapacityLimit));
    if (listed.priority && !(*listed.priority >= 0))
      throw_invalid(fleet.kind, fmt::format("Priority {} is below 0", *listed.priority));
    std::vector<std::string> zones =
        split_zones(listed.availability_zone, context_.config.availability_zones);
    if (!listed.subnet_id.empty() && listed.availability_zone.empty()) zones = {""};
    for (const std::string& zone : zones) {
      LaunchSpec spec = listed;
      spec.availability_zone = zone;
      if (!spec.max_price) spec.max_price = fleet.max_price;
      if (fleet.on_demand_target < fleet.target_capacity || fleet.kind == FleetKind::kSpotFleet)
        checks_.complete_spot(spec);
      else
        checks_.complete(spec);
      specs.push_back(std::move(spec));
    }
  }
  if (fleet.kind == FleetKind::kEc2Fleet) check_no_duplicates(specs);
  return specs;
}

FleetId Fleets::request(const SpotFleetRequest& request) {
  Fleet fleet = checked(request);
  fleet.id = fleet.kind == FleetKind::kSpotFleet ? context_.ids.fleet() : context_.ids.ec2_fleet();
  fleet.state = FleetState::kSubmitted;
  fleet.fulfilled_capacity = fleet.fulfilled_on_demand = 0;
  fleet.instances.clear();
  fleet.history.clear();
  fleet.created_at = context_.now();

  Fleet& made = table_.emplace(fleet.id, fleet).first->second;
  work_[made.id];
  context_.tell_new(made);
  record(made, "fleetRequestChange", "submitted", "");
  tagging_.announce(made.id.value, made.tags);
  if (made.type == "instant")
    launch_at_once(made);
  else if (made.valid_from && *made.valid_from > context_.now())
    activate_from(made, *made.valid_from);
  else
    activate_later(made, made.id.value);
  return made.id;
}

void Fleets::activate_from(Fleet& fleet, Time t) {
  work_[fleet.id].retry.attempt =
      context_.simulation.at(t, [this, &fleet] { activate_later(fleet, fleet.id.value); });
}

void Fleets::activate_later(Fleet& fleet, const std::string& stream_id) {
  work_[fleet.id].retry.attempt = context_.simulation.after(
      context_.draw(context_.config.durations.spot_evaluation, "spot-evaluation", stream_id),
      [this, &fleet] { activate(fleet); });
}

void Fleets::activate(Fleet& fleet) {
  work_[fleet.id].retry.attempt.reset();
  advance(fleet, FleetState::kActive);
  notice_losses(fleet);
  shrink(fleet);
  allocate(fleet);
}

void Fleets::noticed(const Instance& instance) {
  if (instance.fleet.empty() || instance.spec.stops_when_interrupted) return;
  record(own(instance.fleet), "instanceChange", "termination_notified", "", instance.id);
}

void Fleets::stopping_machine(const Instance& instance) {
  if (instance.fleet.empty()) return;
  Fleet& fleet = own(instance.fleet);
  Work& work = work_[fleet.id];
  work.unnoticed.push_back(instance.id);
  if (work.notice) return;
  const std::string stream_id = fmt::format("{}/{}", fleet.id.value, work.retry.draws++);
  work.notice = context_.simulation.after(
      context_.draw(context_.config.durations.fleet_replenish, "fleet-replenish", stream_id),
      [this, &fleet] { replace_losses(fleet); });
}

void Fleets::terminated(const Instance& instance) {
  if (instance.fleet.empty()) return;
  Fleet& fleet = own(instance.fleet);
  Work& work = work_[fleet.id];
  --work.not_terminated;
  if (work.excess.erase(instance.id) > 0) --fleet.excess;
  cancelled_if_done(fleet);
}

void Fleets::notice_losses(Fleet& fleet) {
  Work& work = work_[fleet.id];
  context_.cancel(work.notice);
  for (const InstanceId& id : std::exchange(work.unnoticed, {})) {
    const Instance& instance = instances_.find(id);
    const LaunchSpec& spec = instance.spec;
    work.lost.insert(id);
    forget_at_risk(work, instance);
    if (instance.lifecycle == Lifecycle::kSpot) {
      --work.held[pool_of(spec)][spec.weighted_capacity];
    } else {
      fleet.fulfilled_on_demand -= spec.weighted_capacity;
      work.on_demand_per_hour = work.on_demand_per_hour - capacity_.on_demand_price(spec);
    }
    fleet.fulfilled_capacity -= spec.weighted_capacity;
    record(fleet, "instanceChange", "terminated", instance.state_reason_code, id);
  }
}

void Fleets::replace_losses(Fleet& fleet) {
  work_[fleet.id].notice.reset();
  notice_losses(fleet);
  Retry& retry = work_[fleet.id].retry;
  if (fleet.state != FleetState::kActive || owed(fleet) <= 0 || retry.attempt) return;
  retry.waiting = false;
  allocate(fleet);
}

void Fleets::drop_lost(Fleet& fleet) {
  std::set<InstanceId>& lost = work_[fleet.id].lost;
  if (lost.empty()) return;
  std::erase_if(fleet.instances, [&](const InstanceId& id) { return lost.contains(id); });
  lost.clear();
}

void Fleets::cancelled_if_done(Fleet& fleet) {
  if (!cancelled(fleet) || fleet.state == FleetState::kCancelled) return;
  if (work_[fleet.id].not_terminated == 0) advance(fleet, FleetState::kCancelled);
}

FleetCancellation Fleets::cancel(const FleetId& id, bool terminate_instances) {
  Fleet& fleet = own(id);
  const bool ends_its_rest = terminate_instances && fleet.state == FleetState::kCancelledRunning;
  if ((cancelled(fleet) && !ends_its_rest) || fleet.state == FleetState::kFailed)
    throw ApiError("fleetRequestNotInCancellableState",
                   fmt::format("The fleet request '{}' is '{}'", id.value, name(fleet.state)));
  const FleetState before = fleet.state;
  Retry& retry = work_[id].retry;
  context_.cancel(retry.attempt);
  retry.waiting = false;
  advance(fleet,
          terminate_instances ? FleetState::kCancelledTerminating : FleetState::kCancelledRunning);
  const FleetState after = fleet.state;
  if (terminate_instances) {
    notice_losses(fleet);
    drop_lost(fleet);
    const std::vector<InstanceId> live = fleet.instances;
    for (const InstanceId& instance : live) instances_.terminate_by_user(instance);
    notice_losses(fleet);
  }
  // A fleet without instances is cancelled at once, but after the answer to this call.
  context_.simulation.after(Duration{}, [this, &fleet] { cancelled_if_done(fleet); });
  return {id, before, after};
}

void Fleets::expire(const FleetId& id) {
  Fleet& fleet = own(id);
  if (cancelled(fleet) || fleet.state == FleetState::kFailed) return;
  record(fleet, "fleetRequestChange", "expired", "");
  cancel(id, fleet.terminate_instances_with_expiration);
}

void Fleets::modify(const FleetId& id, const FleetChange& change) {
  Fleet& fleet = own(id);
  check_target(fleet.kind, change.target_capacity);
  if (fleet.type != "maintain")
    throw_invalid(fleet.kind, "Only a fleet of type maintain can be modified");
  if (fleet.state != FleetState::kActive)
    throw ApiError("FleetNotInModifiableState",
                   fmt::format("The {} '{}' must be in the active state to modify it; it is '{}'.",
                               fleet.kind == FleetKind::kSpotFleet ? "Spot Fleet request" : "fleet",
                               id.value, name(fleet.state)));
  Fleet changed = fleet;
  changed.target_capacity = change.target_capacity;
  changed.on_demand_target = change.on_demand_target;
  if (!change.launch_specs.empty()) fleet.launch_specs = completed(changed, change.launch_specs);
  if (change.keeps_excess) fleet.keeps_excess = *change.keeps_excess;
  if (change.asked.has_value()) fleet.asked = change.asked;
  Retry& retry = work_[id].retry;
  context_.cancel(retry.attempt);
  retry.waiting = false;
  fleet.target_capacity = change.target_capacity;
  fleet.on_demand_target = change.on_demand_target;
  advance(fleet, FleetState::kModifying);
  activate_later(fleet, fmt::format("{}/{}", id.value, retry.draws++));
}

}  // namespace sim::cloud
