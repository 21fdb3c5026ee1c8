// Scheduled actions: change the sizes of a group at a time, once or repeatedly.
#include <fmt/format.h>

#include <algorithm>

#include "sim/autoscaling/recurrence.h"
#include "sim/autoscaling/work.h"

namespace sim::autoscaling {
namespace {

using cloud::ApiError;

constexpr std::size_t kMostActions = 125;

void check(const ScheduledAction& action, Time now) {
  if (!action.min && !action.max && !action.desired)
    throw validation_error(
        "At least one of MinSize, MaxSize and DesiredCapacity must be specified");
  if (action.recurrence.empty() && !action.start)
    throw validation_error("Either Recurrence or StartTime must be specified");
  if (!action.recurrence.empty() && !Recurrence::parse(action.recurrence))
    throw validation_error("Given recurrence string: " + action.recurrence + " is invalid");
  if (action.start && *action.start <= now)
    throw validation_error("Given start time is in the past");
  if (action.end && *action.end <= now) throw validation_error("Given end time is in the past");
  if (action.start && action.end && *action.end <= *action.start)
    throw validation_error("Given end time is not after the start time");
}

}  // namespace

void Groups::put_schedule(const std::string& name, ScheduledAction action) {
  Work& work = changeable(name);
  auto& schedule = work.group.schedule;
  check(action, simulation_.now());
  if (!schedule.contains(action.name) && schedule.size() >= kMostActions)
    throw ApiError("LimitExceeded",
                   fmt::format("A group has at most {} scheduled actions", kMostActions));
  const auto before = schedule.find(action.name);
  const auto& config = cloud_.config();
  action.arn = before != schedule.end()
                   ? before->second.arn
                   : fmt::format(
                         "arn:aws:autoscaling:{}:{}:scheduledUpdateGroupAction:{}:"
                         "autoScalingGroupName/{}:scheduledActionName/{}",
                         config.region, config.account_id, unique("scheduled"), name, action.name);
  if (before != schedule.end() && before->second.next) simulation_.cancel(*before->second.next);
  schedule[action.name] = action;
  arm(work, action.name, simulation_.now());
}

void Groups::delete_schedule(const std::string& name, const std::string& action) {
  auto& schedule = own(name).group.schedule;
  const auto found = schedule.find(action);
  if (found == schedule.end())
    throw validation_error(
        "Scheduled action name not found - No scheduled action found with name: " + action);
  if (found->second.next) simulation_.cancel(*found->second.next);
  schedule.erase(found);
}

// Schedules the next time of an action. An action without a further time is deleted.
void Groups::arm(Work& work, const std::string& name, Time after) {
  ScheduledAction& action = work.group.schedule.at(name);
  action.next.reset();
  std::optional<Time> at;
  if (action.recurrence.empty()) {
    if (action.start && *action.start > after) at = action.start;
  } else {
    const Time from = action.start ? std::max(after, *action.start - Duration{1}) : after;
    at = Recurrence::parse(action.recurrence).value().next(from);
  }
  action.next_at = at;
  if (!at || (action.end && *at > *action.end)) {
    work.group.schedule.erase(std::string(name));
    return;
  }
  action.next = simulation_.at(*at, [this, &work, name] { run_action(work, name); });
}

void Groups::run_action(Work& work, const std::string& name) {
  Group& group = work.group;
  const ScheduledAction action = group.schedule.at(name);
  arm(work, name, simulation_.now());
  if (group.deleting || !group.runs("ScheduledActions")) return;
  Settings& settings = group.settings;
  const int before = settings.desired;
  if (action.min) settings.min = *action.min;
  if (action.max) settings.max = *action.max;
  settings.max = std::max(settings.max, settings.min);
  settings.desired = std::clamp(action.desired.value_or(before), settings.min, settings.max);
  if (settings.desired != before) {
    because(work,
            fmt::format("a scheduled action update of AutoScalingGroup constraints to min: {}, "
                        "max: {}, desired: {} changing the desired capacity from {} to {}.",
                        settings.min, settings.max, settings.desired, before, settings.desired));
    because(work,
            fmt::format("the scheduled action {} executed. Setting desired capacity from {} to "
                        "{}.",
                        name, before, settings.desired));
  }
  work.failures = 0;
  work.no_launch_before = {};
  changed(work, "updated");
  settle_soon(work);
}

}  // namespace sim::autoscaling
