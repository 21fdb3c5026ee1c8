// Settles a group: terminates unhealthy instances, launches missing ones, terminates surplus ones.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sim/autoscaling/termination.h"
#include "sim/autoscaling/work.h"

namespace sim::autoscaling {
namespace {

using cloud::ApiError;
using cloud::InstanceId;

// The reason of a failed launch. AWS ends each with "Launching EC2 instance failed."
std::string reason_of(const Candidate& one, const ApiError& error) {
  std::string text = error.what();
  if (!text.ends_with('.')) text += '.';
  const std::string what =
      one.request.spot ? "Could not launch Spot Instances. " + error.code() + " - " + text : text;
  return what + " Launching EC2 instance failed.";
}

// By how much a group may exceed its maximum while it replaces instances: 10 %, at least one
// instance (User Guide, "Capacity Rebalancing").
int margin(const Group& group) { return std::max(1, group.settings.max / 10); }

int live_weight(const Group& group) {
  int sum = 0;
  for (const Member& member : group.members)
    if (!is_leaving(member.state)) sum += member.weight;
  return sum;
}

// The number of live instances in each of the group's zones.
std::map<std::string, int> by_zone(const Group& group) {
  std::map<std::string, int> count;
  for (const LaunchZone& place : group.settings.places) count[place.zone];
  for (const Member& member : group.members)
    if (!is_leaving(member.state)) ++count[member.zone];
  return count;
}

// The best candidate for `zone` that has capacity now.
std::optional<Candidate> launchable(const Group& group, cloud::Cloud& cloud,
                                    const std::string& zone) {
  try {
    for (Candidate& one : candidates(group, cloud, zone))
      if (!one.request.spot || cloud.usable_spot_slots(one.request.spec) > 0) return std::move(one);
  } catch (const ApiError&) {  // the launch template was deleted
  }
  return {};
}

// Whether an instance of another zone is terminated once this candidate is in service. If all those
// are protected, the new instance would be the surplus, and the group would launch forever.
bool frees_elsewhere(Group group, const Candidate& one, const std::string& zone, Time now,
                     const cloud::Cloud& cloud) {
  group.members.push_back(
      {.instance_type = one.request.spec.instance_type,
       .zone = zone,
       .weight = one.weight,
       .lifecycle = one.request.spot ? cloud::Lifecycle::kSpot : cloud::Lifecycle::kOnDemand,
       .state = LifecycleState::kInService,
       .is_protected = group.settings.protect_new});
  const Member* const goes = to_terminate(group, now, [&](const InstanceId& id) {
    return id.value.empty() ? now : cloud.instance(id).launched_at;
  });
  return goes && goes->zone != zone;
}

}  // namespace

void Groups::settle_after(Work& work, Duration d) {
  const Time at = simulation_.now() + d;
  if (work.settling && work.settles_at <= at) return;
  if (work.settling) simulation_.cancel(*work.settling);
  work.settles_at = at;
  work.settling = simulation_.at(at, [this, &work] {
    work.settling.reset();
    settle(work);
  });
}

void Groups::settle_soon(Work& work) {
  const auto& range = cloud_.config().durations.autoscaling_reaction;
  settle_after(work, streams_
                         .stream("autoscaling-reaction",
                                 fmt::format("{}/{}", work.group.arn, work.reactions++))
                         .between(range.low, range.high));
}

void Groups::settle(Work& work) {
  if (work.group.deleting) return delete_when_empty(work);
  retire_unhealthy(work);
  replace_at_risk(work);
  grow(work);
  shrink(work);
  if (work.group.capacity() == work.group.settings.desired) {
    work.why.clear();
    work.replacing = 0;
    balance_zones(work);
  }
}

void Groups::delete_when_empty(Work& work) {
  if (!work.group.members.empty()) return;  // the group settles again after its last instance ends
  for (const auto& [name, action] : work.group.schedule)
    if (action.next) simulation_.cancel(*action.next);
  changed(work, "deleted");
  groups_.erase(std::string(work.group.name));
}

void Groups::retire_unhealthy(Work& work) {
  if (!work.group.runs("ReplaceUnhealthy") || !work.group.runs("Terminate")) return;
  std::vector<InstanceId> unhealthy;
  for (const Member& each : work.group.members)
    if (!each.healthy && !is_leaving(each.state)) unhealthy.push_back(each.id);
  for (const InstanceId& id : unhealthy) {
    Member& each = *work.group.find(id);
    if (each.replacement.empty()) ++work.replacing;
    retire(work, each, each.unhealthy_cause);
  }
}

// Launches the replacement first. The instance at risk is terminated when the replacement is in
// service.
void Groups::replace_at_risk(Work& work) {
  Group& group = work.group;
  if (!group.settings.capacity_rebalance || !group.runs("Launch")) return;
  std::vector<InstanceId> at_risk;
  for (const Member& each : group.members)
    if (each.at_risk && each.healthy && each.state == LifecycleState::kInService &&
        each.replacement.empty())
      at_risk.push_back(each.id);
  for (const InstanceId& id : at_risk) {
    if (simulation_.now() < work.no_launch_before)
      return settle_after(work, work.no_launch_before - simulation_.now());
    if (live_weight(group) >= group.settings.max + margin(group)) return;
    const std::string cause = at_time(
        simulation_.now(),
        "an instance was launched in response to an EC2 instance rebalance recommendation.");
    if (!launch(work, cause)) return;
    group.find(id)->replacement = group.members.back().id;
  }
}

void Groups::grow(Work& work) {
  Group& group = work.group;
  while (group.capacity() < group.settings.desired) {
    if (!group.runs("Launch")) return;
    const Time now = simulation_.now();
    if (now < work.no_launch_before) return settle_after(work, work.no_launch_before - now);
    const std::string cause =
        work.replacing > 0
            ? at_time(now,
                      "an instance was launched in response to an unhealthy instance needing "
                      "to be replaced.")
            : (work.why.empty() ? "" : work.why + "  ") +
                  at_time(now, fmt::format("an instance was started in response to a difference "
                                           "between desired and actual capacity, increasing the "
                                           "capacity from {} to {}.",
                                           group.capacity(), group.settings.desired));
    if (!launch(work, cause)) return;
    if (work.replacing > 0) --work.replacing;
  }
}

void Groups::shrink(Work& work) {
  Group& group = work.group;
  if (!group.runs("Terminate")) return;
  const Time now = simulation_.now();
  while (const Member* const goes = to_terminate(
             group, now, [&](const InstanceId& id) { return cloud_.instance(id).launched_at; })) {
    const int have = group.capacity();
    const std::string cause =
        (work.why.empty() ? "" : work.why + "  ") +
        at_time(now, fmt::format("an instance was taken out of service in response to a difference "
                                 "between desired and actual capacity, shrinking the capacity from "
                                 "{} to {}.  ",
                                 have, have - goes->weight)) +
        at_time(now, "instance " + goes->id.value + " was selected for termination.");
    retire(work, member(work, goes->id), cause);
  }
}

// Rebalances if two zones differ by two instances or more, or if an instance is outside the group's
// zones. Launches one instance in the zone with the fewest, after which a surplus instance of
// another zone is terminated.
void Groups::balance_zones(Work& work) {
  Group& group = work.group;
  if (!group.runs("AZRebalance") || !group.runs("Launch") || !group.runs("Terminate")) return;
  const auto count = by_zone(group);
  const auto& places = group.settings.places;
  const auto fewest = std::ranges::min_element(
      places, {}, [&](const LaunchZone& place) { return count.at(place.zone); });
  if (fewest == places.end()) return;
  const bool outside = std::ranges::any_of(count, [&](const auto& of) {
    return std::ranges::find(places, of.first, &LaunchZone::zone) == places.end();
  });
  const auto most = std::ranges::max_element(count, {}, [](const auto& of) { return of.second; });
  const bool settled = std::ranges::all_of(group.members, [](const Member& each) {
    return each.state == LifecycleState::kInService || is_leaving(each.state);
  });
  if (!outside && most->second - count.at(fewest->zone) < 2) return;
  const auto one = settled ? launchable(group, cloud_, fewest->zone) : std::nullopt;
  if (one && live_weight(group) < group.settings.max + margin(group) &&
      frees_elsewhere(group, *one, fewest->zone, simulation_.now(), cloud_))
    launch(work,
           at_time(simulation_.now(),
                   "instances were launched to balance instances in zones " + most->first +
                       " with other zones resulting in more than desired number of instances in "
                       "the group."),
           fewest->zone);
  settle_after(work, timing_.zone_look);
}

// ---- one launch

bool Groups::launch(Work& work, const std::string& cause, const std::string& only_zone) {
  std::string problem;
  try {
    for (const Candidate& one : candidates(work.group, cloud_, only_zone)) {
      try {
        const InstanceId id = start(one, work.group);
        Member& entered = enter(work, one, id);
        begin(work, &entered, "Launching a new EC2 instance: " + id.value, cause).status =
            ActivityStatus::kPreInService;
        return true;
      } catch (const ApiError& error) {
        if (problem.empty()) problem = reason_of(one, error);
      }
    }
  } catch (const ApiError& error) {  // the launch template was deleted
    problem = std::string(error.what()) + " Launching EC2 instance failed.";
  }
  fail_launch(work, cause, problem);
  return false;
}

InstanceId Groups::start(const Candidate& one, const Group& group) {
  cloud::LaunchSpec spec = one.request.spec;
  for (const auto& [key, tag] : group.tags)
    if (tag.propagate) (key.starts_with("aws:") ? spec.service_tags : spec.tags)[key] = tag.value;
  spec.service_tags[kGroupTag] = group.name;
  if (!group.settings.placement_group.empty())
    spec.placement_group = group.settings.placement_group;
  return (one.request.spot ? cloud_.run_spot_instances(spec, 1, 1) : cloud_.run_instances(spec, 1))
      .at(0);
}

Member& Groups::enter(Work& work, const Candidate& one, const InstanceId& id) {
  const cloud::Instance& instance = cloud_.instance(id);
  work.failures = 0;
  of_instance_[id] = work.group.name;
  LaunchSource source = one.source;
  if (source.launch_configuration.empty()) source.version = instance.spec.launch_template_version;
  work.group.members.push_back({.id = id,
                                .instance_type = instance.spec.instance_type,
                                .zone = instance.spec.availability_zone,
                                .source = std::move(source),
                                .source_made = one.request.made,
                                .weight = one.weight,
                                .weighted = one.weighted,
                                .lifecycle = instance.lifecycle,
                                .is_protected = work.group.settings.protect_new});
  Member& entered = work.group.members.back();
  log_entry(work, entered);
  return entered;
}

void Groups::fail_launch(Work& work, const std::string& cause, const std::string& message) {
  Activity& failed =
      begin(work, nullptr, "Launching a new EC2 instance.  Status Reason: " + message, cause);
  finish(failed, ActivityStatus::kFailed, message);
  pause_launches(work);
}

void Groups::pause_launches(Work& work) {
  Duration pause = timing_.first_pause;
  for (int i = 0; i < work.failures && pause < timing_.longest_pause; ++i) pause *= 2;
  ++work.failures;
  pause = std::min(pause, timing_.longest_pause);
  work.no_launch_before = simulation_.now() + pause;
  settle_after(work, pause);
}

}  // namespace sim::autoscaling
