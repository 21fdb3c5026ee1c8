#include <algorithm>
#include <optional>

#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"

namespace fakes::autoscaling {
namespace {

std::optional<int> size(const api::Opt<std::int64_t>& asked, const char* name) {
  if (!asked || *asked == -1) return {};  // -1: no change
  return whole(asked, name, 0, 0, kMostCapacity);
}

template <class Asked>
model::ScheduledAction read_action(const Asked& asked) {
  const std::string zone = asked.time_zone.value_or("UTC");
  if (zone != "UTC" && zone != "Etc/UTC")
    throw validation_error("TimeZone: found " + zone +
                           ", expected UTC: this simulated AWS knows no other time zone");
  model::ScheduledAction action{.name = asked.scheduled_action_name.value(),
                                .recurrence = asked.recurrence.value_or(""),
                                .min = size(asked.min_size, "MinSize"),
                                .max = size(asked.max_size, "MaxSize"),
                                .desired = size(asked.desired_capacity, "DesiredCapacity")};
  if (asked.start_time) action.start = time(*asked.start_time);
  if constexpr (requires { asked.time; })
    if (asked.time && !action.start) action.start = time(*asked.time);
  if (asked.end_time) action.end = time(*asked.end_time);
  return action;
}

aws::ScheduledUpdateGroupAction shown_action(const std::string& group,
                                             const model::ScheduledAction& action) {
  aws::ScheduledUpdateGroupAction shown{.auto_scaling_group_name = group,
                                        .scheduled_action_arn = action.arn,
                                        .scheduled_action_name = action.name};
  if (action.desired) shown.desired_capacity = *action.desired;
  if (action.min) shown.min_size = *action.min;
  if (action.max) shown.max_size = *action.max;
  if (action.end) shown.end_time = timestamp(*action.end);
  if (!action.recurrence.empty()) shown.recurrence = action.recurrence;
  if (action.next_at) shown.start_time = shown.time = timestamp(*action.next_at);
  return shown;
}

// Tries each action, and reports refused ones.
template <class Items, class Name, class Do>
api::List<aws::FailedScheduledUpdateGroupActionRequest> each(const Items& items, Name name,
                                                             Do act) {
  api::List<aws::FailedScheduledUpdateGroupActionRequest> failed;
  failed.give();
  for (const auto& item : items) try {
      act(item);
    } catch (const ApiError& error) {
      failed.push_back({.error_code = error.code(),
                        .error_message = error.what(),
                        .scheduled_action_name = name(item)});
    }
  return failed;
}

}  // namespace

Out<op::PutScheduledUpdateGroupAction> put_scheduled_action(
    Call& call, const In<op::PutScheduledUpdateGroupAction>& request) {
  call.backend.groups.put_schedule(request.auto_scaling_group_name.value(), read_action(request));
  return {};
}

Out<op::BatchPutScheduledUpdateGroupAction> batch_put_scheduled_actions(
    Call& call, const In<op::BatchPutScheduledUpdateGroupAction>& request) {
  const std::string& group = request.auto_scaling_group_name.value();
  call.backend.groups.group(group);
  return {
      .failed_scheduled_update_group_actions = each(
          request.scheduled_update_group_actions,
          [](const auto& asked) { return asked.scheduled_action_name.value(); },
          [&](const auto& asked) { call.backend.groups.put_schedule(group, read_action(asked)); })};
}

Out<op::BatchDeleteScheduledAction> batch_delete_scheduled_actions(
    Call& call, const In<op::BatchDeleteScheduledAction>& request) {
  const std::string& group = request.auto_scaling_group_name.value();
  call.backend.groups.group(group);
  return {.failed_scheduled_actions = each(
              request.scheduled_action_names, [](const std::string& name) { return name; },
              [&](const std::string& name) { call.backend.groups.delete_schedule(group, name); })};
}

Out<op::DeleteScheduledAction> delete_scheduled_action(
    Call& call, const In<op::DeleteScheduledAction>& request) {
  call.backend.groups.delete_schedule(request.auto_scaling_group_name.value(),
                                      request.scheduled_action_name.value());
  return {};
}

Out<op::DescribeScheduledActions> describe_scheduled_actions(
    Call& call, const In<op::DescribeScheduledActions>& request) {
  const auto& names = request.scheduled_action_names;
  if (request.auto_scaling_group_name) call.backend.groups.group(*request.auto_scaling_group_name);
  Out<op::DescribeScheduledActions> response;
  response.scheduled_update_group_actions.give();
  for (const model::Group* group : call.backend.groups.groups()) {
    if (request.auto_scaling_group_name.value_or(group->name) != group->name) continue;
    for (const auto& [name, action] : group->schedule) {
      if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
      if (request.start_time && action.next_at && *action.next_at < time(*request.start_time))
        continue;
      if (request.end_time && action.next_at && *action.next_at > time(*request.end_time)) continue;
      response.scheduled_update_group_actions.push_back(shown_action(group->name, action));
    }
  }
  response.next_token =
      cut_page(request, "scheduled-actions", response.scheduled_update_group_actions);
  return response;
}

}  // namespace fakes::autoscaling
