#include "sim/autoscaling/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/autoscaling/work.h"
#include "sim/events/event.h"
#include "sim/kernel/check.h"

namespace sim::autoscaling {
namespace {

using cloud::ApiError;

std::string arn_of(const cloud::Config& config, const std::string& kind, const std::string& id,
                   const std::string& rest) {
  return fmt::format("arn:aws:autoscaling:{}:{}:{}:{}:{}", config.region, config.account_id, kind,
                     id, rest);
}

void check_sizes(const Settings& settings) {
  if (settings.min < 0 || settings.max < 0 || settings.desired < 0)
    throw validation_error("Group sizes must not be negative");
  if (settings.min > settings.max)
    throw validation_error("Max bound, {" + std::to_string(settings.max) +
                           "}, must be greater than or equal to min bound, {" +
                           std::to_string(settings.min) + "}");
  if (settings.desired < settings.min || settings.desired > settings.max)
    throw validation_error(
        fmt::format("Desired capacity:{} must be between the specified min size:{} and max size:{}",
                    settings.desired, settings.min, settings.max));
}

std::string constraints(const Settings& settings) {
  return fmt::format("constraints to min: {}, max: {}, desired: {}", settings.min, settings.max,
                     settings.desired);
}

}  // namespace

std::string at_time(Time t, const std::string& what) { return "At " + iso_seconds(t) + " " + what; }

ApiError validation_error(const std::string& message) { return {"ValidationError", message}; }

Groups::Groups(Simulation& simulation, EventLog& log, const Streams& streams, cloud::Cloud& cloud)
    : simulation_(simulation), log_(log), streams_(streams), cloud_(cloud) {}

Groups::~Groups() = default;

// ---- launch configurations

void Groups::create_launch_configuration(const std::string& name, LaunchRequest request,
                                         std::any asked) {
  if (configurations_.contains(name))
    throw ApiError("AlreadyExists",
                   "Launch Configuration by this name already exists - A launch "
                   "configuration already exists with the name " +
                       name);
  if (std::ssize(configurations_) >= kMostConfigurations)
    throw ApiError("LimitExceeded",
                   fmt::format("You have already reached your limit of {} launch configurations",
                               kMostConfigurations));
  request.made = simulation_.now();
  const std::string arn = arn_of(cloud_.config(), "launchConfiguration", unique("configuration"),
                                 "launchConfigurationName/" + name);
  configurations_[name] = {name, arn, std::move(request), std::move(asked)};
}

const LaunchConfiguration& Groups::launch_configuration(const std::string& name) const {
  const auto found = configurations_.find(name);
  if (found == configurations_.end())
    throw validation_error("Launch configuration name not found - Launch configuration " + name +
                           " not found");
  return found->second;
}

void Groups::delete_launch_configuration(const std::string& name) {
  launch_configuration(name);
  for (const auto& [group, work] : groups_)
    if (work->group.settings.source && work->group.settings.source->launch_configuration == name)
      throw ApiError("ResourceInUse", "Cannot delete launch configuration " + name +
                                          " because it is attached to AutoScalingGroup " + group);
  configurations_.erase(name);
}

// ---- groups

void Groups::create(const std::string& name, Settings settings, GroupTags tags,
                    const std::vector<Hook>& hooks) {
  if (groups_.contains(name))
    throw ApiError("AlreadyExists",
                   "AutoScalingGroup by this name already exists - A group with the "
                   "name " +
                       name + " already exists");
  if (std::ssize(groups_) >= kMostGroups)
    throw ApiError(
        "LimitExceeded",
        fmt::format("You have already reached your limit of {} Auto Scaling groups", kMostGroups));
  check_sizes(settings);
  if (!std::exchange(observes_, true)) cloud_.observe(*this);  // called after the log's observer
  auto& work = groups_[name] = std::make_unique<Work>();
  Group& group = work->group;
  group.name = name;
  group.arn =
      arn_of(cloud_.config(), "autoScalingGroup", unique("group"), "autoScalingGroupName/" + name);
  group.settings = std::move(settings);
  group.tags = std::move(tags);
  group.created = simulation_.now();
  for (const Hook& hook : hooks) group.hooks[hook.name] = hook;
  because(*work, fmt::format("a user request created an AutoScalingGroup changing the desired "
                             "capacity from 0 to {}.",
                             group.settings.desired));
  changed(*work, "created");
  settle_soon(*work);
}

void Groups::update(const std::string& name, Settings settings) {
  Work& work = changeable(name);
  Group& group = work.group;
  check_sizes(settings);
  const int before = std::exchange(group.settings, std::move(settings)).desired;
  if (group.settings.desired != before)
    because(work, fmt::format("a user request update of AutoScalingGroup {} changing the desired "
                              "capacity from {} to {}.",
                              constraints(group.settings), before, group.settings.desired));
  work.failures = 0;  // the update may remove the cause of failed launches
  work.no_launch_before = {};
  changed(work, "updated");
  settle_soon(work);
}

void Groups::set_desired(const std::string& name, int desired, Cooldown cooldown) {
  Work& work = changeable(name);
  Settings& settings = work.group.settings;
  if (desired > settings.max)
    throw validation_error(fmt::format(
        "New SetDesiredCapacity value {} is above max value {} for the AutoScalingGroup.", desired,
        settings.max));
  if (desired < settings.min)
    throw validation_error(fmt::format(
        "New SetDesiredCapacity value {} is below min value {} for the AutoScalingGroup.", desired,
        settings.min));
  const Duration pause = std::chrono::seconds{settings.default_cooldown};
  if (cooldown == Cooldown::kHonored && work.scaled_at &&
      simulation_.now() < *work.scaled_at + pause)
    throw ApiError("ScalingActivityInProgress",
                   "Scaling activity is in progress or in its cooldown and blocks this action");
  const int before = std::exchange(settings.desired, desired);
  if (before != desired)
    because(work, fmt::format("a user request explicitly set group desired capacity changing the "
                              "desired capacity from {} to {}.",
                              before, desired));
  work.no_launch_before = {};
  work.failures = 0;
  changed(work, "updated");
  settle_soon(work);
}

void Groups::remove(const std::string& name, Force force) {
  Work& work = own(name);
  Group& group = work.group;
  if (force == Force::kNo) {
    const bool busy = std::ranges::any_of(
        group.members, [](const Member& m) { return m.state != LifecycleState::kInService; });
    if (busy)
      throw ApiError("ScalingActivityInProgress",
                     "You cannot delete an AutoScalingGroup while there are scaling activities in "
                     "progress for that group.");
    if (!group.members.empty())
      throw ApiError("ResourceInUse",
                     "You cannot delete an AutoScalingGroup while there are instances or pending "
                     "Spot instance request(s) still in the group.");
  }
  if (std::exchange(group.deleting, true)) return;
  for (auto& [action, scheduled] : group.schedule)
    if (scheduled.next) simulation_.cancel(*std::exchange(scheduled.next, {}));
  group.schedule.clear();
  group.hooks.clear();  // also deletes outstanding actions (API reference, DeleteAutoScalingGroup)
  const std::string cause =
      at_time(simulation_.now(),
              "a user request force deleted AutoScalingGroup changing the desired "
              "capacity from " +
                  std::to_string(group.settings.desired) + " to 0.");
  group.settings.min = group.settings.max = group.settings.desired = 0;
  changed(work, "deleting");
  std::vector<cloud::InstanceId> ids;
  for (const Member& each : group.members) ids.push_back(each.id);
  for (const auto& id : ids) {
    Member& each = *group.find(id);
    cancel_actions(each);
    if (each.state == LifecycleState::kTerminatingWait)
      end(work, each);
    else if (!is_leaving(each.state))
      retire(work, each, cause);
  }
  settle_after(work, {});
}

const Group& Groups::group(const std::string& name) const { return own(name).group; }

std::vector<const Group*> Groups::groups() const {
  std::vector<const Group*> all;
  for (const auto& [name, work] : groups_) all.push_back(&work->group);
  return all;
}

const Group* Groups::group_of(const cloud::InstanceId& id) const {
  const auto found = of_instance_.find(id);
  return found == of_instance_.end() ? nullptr : &own(found->second).group;
}

void Groups::suspend(const std::string& name, const std::vector<std::string>& processes) {
  Work& work = own(name);
  for (const std::string& process : processes)
    work.group.suspended.emplace(process, "User suspended at " + iso_seconds(simulation_.now()));
}

void Groups::resume(const std::string& name, const std::vector<std::string>& processes) {
  Work& work = own(name);
  for (const std::string& process : processes) work.group.suspended.erase(process);
  for (const Member& each : work.group.members)
    if (cloud_.instance(each.id).shutting_down_at && !is_leaving(each.state))
      later(each.id, until_health_check(each.id), &Groups::check_health);
  settle_soon(work);
}

void Groups::put_tag(const std::string& name, const std::string& key, const GroupTag& tag) {
  constexpr std::size_t kMost = 50;
  GroupTags& tags = own(name).group.tags;
  if (!tags.contains(key) && tags.size() >= kMost)
    throw ApiError("LimitExceeded", fmt::format("A group has at most {} tags", kMost));
  tags[key] = tag;
}

void Groups::delete_tag(const std::string& name, const std::string& key) {
  own(name).group.tags.erase(key);
}

bool Groups::any_may_launch() const {
  return std::ranges::any_of(groups_, [this](const auto& entry) {
    const Group& group = entry.second->group;
    if (group.deleting || !group.runs("Launch")) return false;
    const bool scheduled =
        group.runs("ScheduledActions") && std::ranges::any_of(group.schedule, [](const auto& of) {
          return of.second.next &&
                 std::max(of.second.min.value_or(0), of.second.desired.value_or(0)) > 0;
        });
    // An instance that has ended still counts until a health check detects its end.
    const bool replaces = group.runs("HealthCheck") && group.runs("ReplaceUnhealthy") &&
                          std::ranges::any_of(group.members, [this](const Member& each) {
                            return each.state == LifecycleState::kInService &&
                                   cloud_.instance(each.id).shutting_down_at;
                          });
    return scheduled || replaces || group.capacity() < group.settings.desired;
  });
}

// ---- functions shared by the other files

const Groups::Work& Groups::own(const std::string& name) const {
  const auto found = groups_.find(name);
  if (found == groups_.end())
    throw validation_error("AutoScalingGroup name not found - AutoScalingGroup '" + name +
                           "' not found");
  return *found->second;
}

Groups::Work& Groups::own(const std::string& name) {
  return const_cast<Work&>(std::as_const(*this).own(name));
}

Groups::Work& Groups::changeable(const std::string& name) {
  Work& work = own(name);
  if (work.group.deleting)
    throw ApiError("ScalingActivityInProgress", "AutoScalingGroup " + name + " is pending delete");
  return work;
}

Groups::Work* Groups::work_of(const cloud::InstanceId& id) {
  const auto found = of_instance_.find(id);
  return found == of_instance_.end() ? nullptr : groups_.at(found->second).get();
}

Member& Groups::member(Work& work, const cloud::InstanceId& id) {
  if (Member* const found = work.group.find(id)) return *found;
  throw validation_error("The instance " + id.value + " is not part of Auto Scaling group " +
                         work.group.name + ".");
}

void Groups::changed(Work& work, const std::string& what) {
  const Group& group = work.group;
  log_.append(events::AutoscalingGroup{.time = simulation_.now(),
                                       .group = group.name,
                                       .what = what,
                                       .min = group.settings.min,
                                       .max = group.settings.max,
                                       .desired = group.settings.desired});
}

void Groups::advance(Work& work, Member& each, LifecycleState to) {
  const auto from = std::exchange(each.state, to);
  SIM_CHECK(allowed(name(from), name(to)));
  log_.append(events::AutoscalingInstance{.time = simulation_.now(),
                                          .instance_id = each.id.value,
                                          .group = work.group.name,
                                          .from = name(from),
                                          .to = name(to)});
  for (GroupObserver* const observer : observers_) observer->lifecycle_state(work.group, each);
}

void Groups::log_entry(Work& work, const Member& each) {
  log_.append(events::AutoscalingInstance{.time = simulation_.now(),
                                          .instance_id = each.id.value,
                                          .group = work.group.name,
                                          .from = "",
                                          .to = name(each.state)});
}

std::string Groups::unique(const char* what) {
  Stream stream = streams_.stream("autoscaling-id", fmt::format("{}/{}", what, made_++));
  const auto a = stream.next(), b = stream.next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
}

void Groups::because(Work& work, const std::string& text) {
  if (!work.why.empty()) work.why += "  ";
  work.why += at_time(simulation_.now(), text);
}

}  // namespace sim::autoscaling
