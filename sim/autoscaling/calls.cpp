// The calls of users that concern single instances of a group.
#include <fmt/format.h>

#include <algorithm>

#include "sim/autoscaling/work.h"

namespace sim::autoscaling {
namespace {

using cloud::InstanceId;

std::string shrinking(int before, int after) {
  return fmt::format(", shrinking the capacity from {} to {}", before, after);
}

void check_state(const Member& each, const std::string& group,
                 std::initializer_list<LifecycleState> in, const char* wanted) {
  if (std::ranges::find(in, each.state) != in.end()) return;
  throw validation_error(
      fmt::format("The instance {} in AutoScalingGroup {} is not in {}. It is {}.", each.id.value,
                  group, wanted, name(each.state)));
}

void check_decrement(const Settings& settings, std::size_t count) {
  const int left = settings.desired - static_cast<int>(count);
  if (left < settings.min)
    throw validation_error(
        fmt::format("Currently, desired capacity is {}, min size is {}: decrementing the desired "
                    "capacity by {} would violate the group's min size constraint.",
                    settings.desired, settings.min, count));
}

}  // namespace

std::size_t Groups::terminate(const InstanceId& id, Desired desired) {
  Work* const work = work_of(id);
  if (!work)
    throw validation_error("Instance Id not found - No managed instance found for instance ID " +
                           id.value);
  Settings& settings = work->group.settings;
  Member& each = member(*work, id);
  if (is_leaving(each.state)) return each.activity;
  std::string cause = at_time(simulation_.now(), "instance " + id.value +
                                                     " was taken out of service in response to a "
                                                     "user request");
  if (desired == Desired::kDecremented) {
    check_decrement(settings, 1);
    const int before = settings.desired--;
    cause += shrinking(before, settings.desired);
    changed(*work, "updated");
  } else {
    ++work->replacing;
  }
  const std::size_t number = retire(*work, each, cause + ".");
  settle_soon(*work);
  return number;
}

void Groups::set_health(const InstanceId& id, Health health, GracePeriod grace) {
  Work* const work = work_of(id);
  if (!work)
    throw validation_error("Instance Id not found - No managed instance found for instance ID " +
                           id.value);
  Member& each = member(*work, id);
  const Duration period = std::chrono::seconds{work->group.settings.grace_period};
  const bool young = !each.in_service_since || simulation_.now() < *each.in_service_since + period;
  if (is_leaving(each.state) || each.state == LifecycleState::kStandby) return;
  if (health == Health::kUnhealthy && grace == GracePeriod::kRespected && young) return;
  each.healthy = health == Health::kHealthy;
  each.unhealthy_cause = each.healthy ? ""
                                      : at_time(simulation_.now(),
                                                "an instance was taken out of service in response "
                                                "to a user health-check.");
  settle_soon(*work);
}

void Groups::set_protection(const std::string& name, const std::vector<InstanceId>& ids,
                            Protection protection) {
  Work& work = own(name);
  for (const InstanceId& id : ids) member(work, id);
  for (const InstanceId& id : ids) member(work, id).is_protected = protection == Protection::kOn;
}

void Groups::attach(const std::string& name, const std::vector<InstanceId>& ids) {
  Work& work = changeable(name);
  Settings& settings = work.group.settings;
  if (settings.desired + static_cast<int>(ids.size()) > settings.max)
    throw validation_error(fmt::format(
        "Attaching {} instances would violate the group's max size constraint of {}: its desired "
        "capacity is {}.",
        ids.size(), settings.max, settings.desired));
  for (const InstanceId& id : ids) {
    if (work_of(id))
      throw validation_error("Instance " + id.value + " is already part of an Auto Scaling group");
    const cloud::Instance& instance = cloud_.shown(id);
    if (instance.state != cloud::InstanceState::kRunning)
      throw validation_error("Instance " + id.value +
                             " is not in correct state. It must be running.");
    if (std::ranges::find(settings.places, instance.spec.availability_zone, &LaunchZone::zone) ==
        settings.places.end())
      throw validation_error("Instance " + id.value +
                             " is not in an Availability Zone of the group");
  }
  for (const InstanceId& id : ids) {
    const cloud::Instance& instance = cloud_.instance(id);
    of_instance_[id] = name;
    work.group.members.push_back({.id = id,
                                  .instance_type = instance.spec.instance_type,
                                  .zone = instance.spec.availability_zone,
                                  .source = {},
                                  .lifecycle = instance.lifecycle,
                                  .is_protected = settings.protect_new});
    Member& each = work.group.members.back();
    ++settings.desired;
    log_entry(work, each);
    tag_attached(work.group, id);
    begin(work, &each, "Attaching an existing EC2 instance: " + id.value,
          at_time(simulation_.now(), "an instance was attached in response to a user request."));
    later(id, {}, &Groups::is_running);
  }
  changed(work, "updated");
}

// Gives an attached instance the same tags as a launched one (Amazon EC2 Auto Scaling User Guide,
// "Tag Auto Scaling groups and instances").
void Groups::tag_attached(const Group& group, const InstanceId& id) {
  cloud::Tags own, from_services{{kGroupTag, group.name}};
  for (const auto& [key, tag] : group.tags)
    if (tag.propagate) (key.starts_with("aws:") ? from_services : own)[key] = tag.value;
  if (!own.empty()) cloud_.create_tags({id.value}, own);
  cloud_.add_service_tags(id.value, from_services);
}

Activity& Groups::move(Work& work, Member& each, const std::string& description,
                       const std::string& cause) {
  Activity& moved =
      begin(work, &each, description + each.id.value, at_time(simulation_.now(), cause));
  finish(moved, ActivityStatus::kSuccessful);
  return moved;
}

Groups::Numbers Groups::detach(const std::string& name, const std::vector<InstanceId>& ids,
                               Desired desired) {
  Work& work = changeable(name);
  Settings& settings = work.group.settings;
  for (const InstanceId& id : ids)
    check_state(member(work, id), name, {LifecycleState::kInService, LifecycleState::kStandby},
                "InService or Standby");
  const bool fewer = desired == Desired::kDecremented;
  if (fewer) check_decrement(settings, ids.size());
  Numbers numbers;
  for (const InstanceId& id : ids) {
    Member& each = member(work, id);
    std::string cause = "instance " + id.value + " was detached in response to a user request";
    if (fewer) {
      const int before = settings.desired--;
      cause += shrinking(before, settings.desired);
    }
    advance(work, each, LifecycleState::kDetaching);
    move(work, each, "Detaching EC2 instance: ", cause + ".");
    numbers.push_back(each.activity);
    advance(work, each, LifecycleState::kDetached);
    forget(work, id);
    if (cloud_.shows(cloud_.instance(id))) cloud_.remove_service_tag(id.value, kGroupTag);
  }
  if (fewer) changed(work, "updated");
  return numbers;
}

Groups::Numbers Groups::enter_standby(const std::string& name, const std::vector<InstanceId>& ids,
                                      Desired desired) {
  Work& work = changeable(name);
  Settings& settings = work.group.settings;
  for (const InstanceId& id : ids)
    check_state(member(work, id), name, {LifecycleState::kInService}, "InService");
  if (desired == Desired::kDecremented) check_decrement(settings, ids.size());
  Numbers numbers;
  for (const InstanceId& id : ids) {
    Member& each = member(work, id);
    std::string cause =
        "instance " + id.value + " was moved to standby in response to a user request";
    if (desired == Desired::kDecremented) {
      const int before = settings.desired--;
      cause += shrinking(before, settings.desired);
    }
    advance(work, each, LifecycleState::kEnteringStandby);
    move(work, each, "Moving EC2 instance to Standby: ", cause + ".");
    numbers.push_back(each.activity);
    advance(work, each, LifecycleState::kStandby);
  }
  changed(work, "updated");
  settle_soon(work);
  return numbers;
}

Groups::Numbers Groups::exit_standby(const std::string& name, const std::vector<InstanceId>& ids) {
  Work& work = changeable(name);
  Settings& settings = work.group.settings;
  for (const InstanceId& id : ids)
    check_state(member(work, id), name, {LifecycleState::kStandby}, "Standby");
  if (settings.desired + static_cast<int>(ids.size()) > settings.max)
    throw validation_error("The desired capacity would exceed the group's max size constraint");
  Numbers numbers;
  for (const InstanceId& id : ids) {
    Member& each = member(work, id);
    const int before = settings.desired++;
    advance(work, each, LifecycleState::kPending);
    begin(work, &each, "Moving EC2 instance out of Standby: " + id.value,
          at_time(simulation_.now(),
                  fmt::format("instance {} was moved out of standby in response to a user request, "
                              "increasing the capacity from {} to {}.",
                              id.value, before, settings.desired)));
    numbers.push_back(each.activity);
    later(id, {}, &Groups::is_running);
  }
  changed(work, "updated");
  return numbers;
}

}  // namespace sim::autoscaling
