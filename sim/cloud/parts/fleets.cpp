// Spot fleet requests: submitted, modified, cancelled, and their history. What they launch where is
// in fleet_allocation.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cloud/parts/state.h"
#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

constexpr double kCapacityLimit = 10'000;  // EC2 quota "Target capacity per Spot Fleet"

bool cancelled(const Fleet& fleet) {
  return fleet.state == FleetState::kCancelledRunning ||
         fleet.state == FleetState::kCancelledTerminating || fleet.state == FleetState::kCancelled;
}

[[noreturn]] void throw_invalid(const std::string& why) {
  throw ApiError("InvalidSpotFleetRequestConfig", why);
}

void check_target(double target) {
  if (!(target >= 0) || target > kCapacityLimit)
    throw_invalid(fmt::format("TargetCapacity {} is not between 0 and {}", target, kCapacityLimit));
}

// "us-west-2a, us-west-2b" → both; "" → all.
std::vector<std::string> split_zones(const std::string& list, const std::vector<std::string>& all) {
  std::vector<std::string> zones;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string zone = list.substr(begin, end - begin);
    std::erase(zone, ' ');
    if (!zone.empty()) zones.push_back(zone);
    begin = end + 1;
  }
  return zones.empty() ? all : zones;
}

}  // namespace

std::string_view name(AllocationStrategy strategy) {
  static constexpr std::string_view kNames[] = {"lowestPrice", "diversified", "capacityOptimized",
                                                "capacityOptimizedPrioritized",
                                                "priceCapacityOptimized"};
  return kNames[static_cast<std::size_t>(strategy)];
}

// EC2 API reference, EventInformation.
void Cloud::State::advance(Fleet& fleet, FleetState to) {
  const bool modified = fleet.state == FleetState::kModifying && to == FleetState::kActive;
  set_state(fleet, to);
  const std::string event = to == FleetState::kModifying ? "modify_in_progress"
                            : modified                   ? "modify_succeeded"
                                                         : std::string{cloud::name(to)};
  record(fleet, "fleetRequestChange", event, "");
}

void Cloud::State::record(Fleet& fleet, const std::string& type, const std::string& sub_type,
                          const std::string& description, const InstanceId& instance) {
  fleet.history.push_back({now(), type, sub_type, description, instance});
  tell(&Observer::fleet_history, fleet);
}

FleetId Cloud::request_spot_fleet(const SpotFleetRequest& request) {
  State& s = *state_;
  Fleet fleet = request.config;
  check_target(fleet.target_capacity);
  if (fleet.type != "maintain" && fleet.type != "request")
    throw_invalid("Type '" + fleet.type + "' is neither maintain nor request");
  if (fleet.launch_specs.empty()) throw_invalid("There are no launch specifications");
  fleet.launch_specs.clear();
  for (const LaunchSpec& listed : request.config.launch_specs) {
    if (!(listed.weighted_capacity > 0))
      throw_invalid(fmt::format("WeightedCapacity {} is not above 0", listed.weighted_capacity));
    if (fleet.target_capacity / listed.weighted_capacity > kCapacityLimit)
      throw_invalid(fmt::format("TargetCapacity {} in units of {} are more than {} instances",
                                fleet.target_capacity, listed.weighted_capacity, kCapacityLimit));
    if (listed.priority && !(*listed.priority >= 0))
      throw_invalid(fmt::format("Priority {} is below 0", *listed.priority));
    std::vector<std::string> zones =
        split_zones(listed.availability_zone, s.config.availability_zones);
    if (!listed.subnet_id.empty() && listed.availability_zone.empty()) zones = {""};
    for (const std::string& zone : zones) {
      LaunchSpec spec = listed;
      spec.availability_zone = zone;
      if (!spec.max_price) spec.max_price = fleet.max_price;
      s.check_and_complete_spot(spec);
      fleet.launch_specs.push_back(std::move(spec));
    }
  }
  check_tags(fleet.tags, {});
  fleet.id = s.ids.fleet();
  fleet.state = FleetState::kSubmitted;
  fleet.fulfilled_capacity = 0;
  fleet.instances.clear();
  fleet.history.clear();
  fleet.created_at = s.now();

  Fleet& made = s.fleets.emplace(fleet.id, fleet).first->second;
  s.fleet_work[made.id];
  s.tell_new(made);
  s.record(made, "fleetRequestChange", "submitted", "");
  s.tagging.announce(made.id.value, made.tags);
  s.fleet_work[made.id].retry.attempt = s.simulation.after(
      s.draw(s.config.durations.spot_evaluation, "spot-evaluation", made.id.value),
      [&s, &made] { s.activate(made); });
  return made.id;
}

void Cloud::State::activate(Fleet& fleet) {
  fleet_work[fleet.id].retry.attempt.reset();
  advance(fleet, FleetState::kActive);
  notice_losses(fleet);
  shrink(fleet);
  allocate(fleet);
}

void Cloud::State::fleet_instance_lost(const Instance& instance) {
  Fleet& fleet = find(instance.fleet);
  FleetWork& work = fleet_work[fleet.id];
  work.unnoticed.push_back(instance.id);
  if (work.notice) return;
  const std::string stream_id = fmt::format("{}/{}", fleet.id.value, work.retry.draws++);
  work.notice =
      simulation.after(draw(config.durations.fleet_replenish, "fleet-replenish", stream_id),
                       [this, &fleet] { replace_losses(fleet); });
}

void Cloud::State::notice_losses(Fleet& fleet) {
  FleetWork& work = fleet_work[fleet.id];
  cancel(work.notice);
  for (const InstanceId& id : std::exchange(work.unnoticed, {})) {
    const Instance& instance = find(id);
    const LaunchSpec& spec = instance.spec;
    work.lost.insert(id);
    --work.held[{spec.instance_type, spec.availability_zone}][spec.weighted_capacity];
    fleet.fulfilled_capacity -= spec.weighted_capacity;
    record(fleet, "instanceChange", "terminated", instance.state_reason_code, id);
  }
}

void Cloud::State::replace_losses(Fleet& fleet) {
  fleet_work[fleet.id].notice.reset();
  notice_losses(fleet);
  Retry& retry = fleet_work[fleet.id].retry;
  if (fleet.state != FleetState::kActive || owed(fleet) <= 0 || retry.attempt) return;
  retry.waiting = false;
  allocate(fleet);
}

void Cloud::State::drop_lost(Fleet& fleet) {
  std::set<InstanceId>& lost = fleet_work[fleet.id].lost;
  if (lost.empty()) return;
  std::erase_if(fleet.instances, [&](const InstanceId& id) { return lost.contains(id); });
  lost.clear();
}

void Cloud::State::cancelled_if_done(Fleet& fleet) {
  if (!cancelled(fleet) || fleet.state == FleetState::kCancelled) return;
  if (fleet_work[fleet.id].not_terminated == 0) advance(fleet, FleetState::kCancelled);
}

FleetCancellation Cloud::cancel_spot_fleet(const FleetId& id, bool terminate_instances) {
  State& s = *state_;
  Fleet& fleet = s.find(id);
  if (cancelled(fleet) || fleet.state == FleetState::kFailed)
    throw ApiError("fleetRequestNotInCancellableState",
                   fmt::format("The fleet request '{}' is '{}'", id.value, name(fleet.state)));
  const FleetState before = fleet.state;
  s.cancel(s.fleet_work[id].retry.attempt);
  s.fleet_work[id].retry.waiting = false;
  s.advance(fleet, terminate_instances ? FleetState::kCancelledTerminating
                                       : FleetState::kCancelledRunning);
  const FleetState after = fleet.state;
  if (terminate_instances) {
    s.notice_losses(fleet);
    s.drop_lost(fleet);
    const std::vector<InstanceId> live = fleet.instances;
    for (const InstanceId& instance : live) s.terminate_by_user(s.find(instance));
    s.notice_losses(fleet);
  }
  // A fleet without instances is cancelled at once, but after the answer to this call.
  s.simulation.after(Duration{}, [&s, &fleet] { s.cancelled_if_done(fleet); });
  return {id, before, after};
}

void Cloud::expire_spot_fleet(const FleetId& id) {
  Fleet& fleet = state_->find(id);
  if (cancelled(fleet) || fleet.state == FleetState::kFailed) return;
  state_->record(fleet, "fleetRequestChange", "expired", "");
  cancel_spot_fleet(id, fleet.terminate_instances_with_expiration);
}

void Cloud::modify_spot_fleet(const FleetId& id, double target_capacity) {
  State& s = *state_;
  Fleet& fleet = s.find(id);
  check_target(target_capacity);
  if (fleet.type != "maintain") throw_invalid("Only a fleet of type maintain can be modified");
  if (fleet.state != FleetState::kActive)
    throw ApiError("FleetNotInModifiableState",
                   fmt::format("The Spot Fleet request '{}' must be in the active state to modify "
                               "it; it is '{}'.",
                               id.value, name(fleet.state)));
  Retry& retry = s.fleet_work[id].retry;
  s.cancel(retry.attempt);
  retry.waiting = false;
  fleet.target_capacity = target_capacity;
  s.advance(fleet, FleetState::kModifying);
  const std::string stream_id = fmt::format("{}/{}", id.value, retry.draws++);
  retry.attempt =
      s.simulation.after(s.draw(s.config.durations.spot_evaluation, "spot-evaluation", stream_id),
                         [&s, &fleet] { s.activate(fleet); });
}

}  // namespace sim::cloud
