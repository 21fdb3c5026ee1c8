#include <algorithm>
#include <chrono>

#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"

namespace fakes::autoscaling {
namespace {

using model::Hook;

Hook::Result read_result(const std::string& text, const char* member) {
  if (text == "CONTINUE") return Hook::Result::kContinue;
  if (text == "ABANDON") return Hook::Result::kAbandon;
  throw validation_error(std::string(member) + ": found " + text +
                         ", expected CONTINUE or ABANDON");
}

Hook::Transition read_transition(const std::string& text) {
  for (const auto transition : {Hook::Transition::kLaunching, Hook::Transition::kTerminating})
    if (model::name(transition) == text) return transition;
  throw validation_error("LifecycleTransition: found " + text +
                         ", expected autoscaling:EC2_INSTANCE_LAUNCHING or "
                         "autoscaling:EC2_INSTANCE_TERMINATING");
}

// Copies the members that both requests for a hook have.
template <class Asked>
void read_into(const Asked& asked, Hook& hook) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(hook.heartbeat).count();
  hook.heartbeat = std::chrono::seconds{
      whole(asked.heartbeat_timeout, "HeartbeatTimeout", static_cast<int>(seconds), 30, 7200)};
  if (asked.default_result)
    hook.default_result = read_result(*asked.default_result, "DefaultResult");
  if (asked.lifecycle_transition) hook.transition = read_transition(*asked.lifecycle_transition);
  if (asked.notification_metadata) hook.metadata = *asked.notification_metadata;
  if (asked.notification_target_arn) hook.target_arn = *asked.notification_target_arn;
  if (asked.role_arn) hook.role_arn = *asked.role_arn;
}

aws::LifecycleHook shown_hook(const std::string& group, const Hook& hook) {
  const auto whole_seconds = [](sim::Duration d) {
    return std::chrono::duration_cast<std::chrono::seconds>(d).count();
  };
  aws::LifecycleHook shown{.auto_scaling_group_name = group,
                           .default_result = std::string(name(hook.default_result)),
                           .global_timeout = whole_seconds(global_timeout(hook)),
                           .heartbeat_timeout = whole_seconds(hook.heartbeat),
                           .lifecycle_hook_name = hook.name,
                           .lifecycle_transition = std::string(name(hook.transition))};
  if (!hook.metadata.empty()) shown.notification_metadata = hook.metadata;
  if (!hook.target_arn.empty()) shown.notification_target_arn = hook.target_arn;
  if (!hook.role_arn.empty()) shown.role_arn = hook.role_arn;
  return shown;
}

}  // namespace

Hook read_hook(const aws::LifecycleHookSpecification& asked) {
  Hook hook{.name = asked.lifecycle_hook_name.value()};
  read_into(asked, hook);
  return hook;
}

// If the hook exists, settings that the request omits remain.
Out<op::PutLifecycleHook> put_lifecycle_hook(Call& call, const In<op::PutLifecycleHook>& request) {
  auto& groups = call.backend.groups;
  const std::string& group = request.auto_scaling_group_name.value();
  const auto& hooks = groups.group(group).hooks;
  Hook hook{.name = request.lifecycle_hook_name.value()};
  if (const auto before = hooks.find(hook.name); before != hooks.end())
    hook = before->second;
  else if (!request.lifecycle_transition)
    throw validation_error("The LifecycleTransition is required for a new lifecycle hook");
  read_into(request, hook);
  groups.put_hook(group, hook);
  return {};
}

Out<op::DeleteLifecycleHook> delete_lifecycle_hook(Call& call,
                                                   const In<op::DeleteLifecycleHook>& request) {
  call.backend.groups.delete_hook(request.auto_scaling_group_name.value(),
                                  request.lifecycle_hook_name.value());
  return {};
}

Out<op::DescribeLifecycleHooks> describe_lifecycle_hooks(
    Call& call, const In<op::DescribeLifecycleHooks>& request) {
  const std::string& group = request.auto_scaling_group_name.value();
  const auto& asked = request.lifecycle_hook_names;
  Out<op::DescribeLifecycleHooks> response;
  response.lifecycle_hooks.give();
  for (const auto& [name, hook] : call.backend.groups.group(group).hooks)
    if (asked.empty() || std::ranges::find(asked, name) != asked.end())
      response.lifecycle_hooks.push_back(shown_hook(group, hook));
  return response;
}

Out<op::RecordLifecycleActionHeartbeat> record_heartbeat(
    Call& call, const In<op::RecordLifecycleActionHeartbeat>& request) {
  call.backend.groups.heartbeat(
      request.auto_scaling_group_name.value(), request.lifecycle_hook_name.value(),
      request.lifecycle_action_token.value_or(""), {request.instance_id.value_or("")});
  return {};
}

Out<op::CompleteLifecycleAction> complete_lifecycle_action(
    Call& call, const In<op::CompleteLifecycleAction>& request) {
  call.backend.groups.complete(
      request.auto_scaling_group_name.value(), request.lifecycle_hook_name.value(),
      request.lifecycle_action_token.value_or(""), {request.instance_id.value_or("")},
      read_result(request.lifecycle_action_result.value(), "LifecycleActionResult"));
  return {};
}

}  // namespace fakes::autoscaling
