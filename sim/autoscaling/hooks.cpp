// Lifecycle hooks: an instance waits until its actions are completed or time out (EC2 Auto Scaling
// User Guide, "Amazon EC2 Auto Scaling lifecycle hooks").
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/autoscaling/work.h"

namespace sim::autoscaling {
namespace {

using cloud::ApiError;
using cloud::InstanceId;

constexpr std::size_t kMostHooks = 50;

}  // namespace

void Groups::put_hook(const std::string& name, const Hook& hook) {
  auto& hooks = changeable(name).group.hooks;
  if (!hooks.contains(hook.name) && hooks.size() >= kMostHooks)
    throw ApiError("LimitExceeded", fmt::format("You have already reached your limit of {} "
                                                "lifecycle hooks for the group",
                                                kMostHooks));
  hooks[hook.name] = hook;
}

// Deletes a hook and completes its outstanding actions: with ABANDON for launching instances, with
// CONTINUE for terminating ones (API reference, DeleteLifecycleHook).
void Groups::delete_hook(const std::string& name, const std::string& hook) {
  Work& work = own(name);
  const auto found = work.group.hooks.find(hook);
  if (found == work.group.hooks.end())
    throw validation_error("No Lifecycle Hook found with name: " + hook +
                           " for AutoScalingGroup: " + name);
  const bool launching = found->second.transition == Hook::Transition::kLaunching;
  work.group.hooks.erase(found);
  std::vector<InstanceId> waiting;
  for (const Member& each : work.group.members)
    if (each.actions.contains(hook)) waiting.push_back(each.id);
  for (const InstanceId& id : waiting)
    conclude(work, *work.group.find(id), hook,
             launching ? Hook::Result::kAbandon : Hook::Result::kContinue,
             "Lifecycle Hook Deleted");
}

bool Groups::begin_actions(Work& work, Member& each, Hook::Transition transition) {
  for (const auto& [hook_name, hook] : work.group.hooks) {
    if (hook.transition != transition) continue;
    each.actions[hook_name] = {.hook = hook_name,
                               .token = unique("action"),
                               .until_at_most = simulation_.now() + global_timeout(hook)};
    watch(work, each, hook_name);
  }
  return !each.actions.empty();
}

void Groups::watch(Work& work, Member& each, const std::string& hook) {
  LifecycleAction& action = each.actions.at(hook);
  const Hook& rule = work.group.hooks.at(hook);
  const Time at = std::min(simulation_.now() + rule.heartbeat, action.until_at_most);
  action.expiry = simulation_.at(at, [this, id = each.id, hook, otherwise = rule.default_result] {
    Work* const now = work_of(id);
    if (now) conclude(*now, *now->group.find(id), hook, otherwise, "Heartbeat Timeout");
  });
}

void Groups::cancel_actions(Member& each) {
  for (const auto& [hook, action] : each.actions) simulation_.cancel(action.expiry);
  each.actions.clear();
}

Member& Groups::waiting(Work& work, const std::string& hook, const std::string& token,
                        const InstanceId& id) {
  if (token.empty() && id.empty())
    throw validation_error("Either LifecycleActionToken or InstanceId must be given");
  for (Member& each : work.group.members) {
    const auto found = each.actions.find(hook);
    if (found != each.actions.end() && (id.empty() || each.id == id) &&
        (token.empty() || found->second.token == token))
      return each;
  }
  throw validation_error("No active Lifecycle Action found with " +
                         (token.empty() ? "instance ID " + id.value : "token " + token));
}

void Groups::heartbeat(const std::string& name, const std::string& hook, const std::string& token,
                       const InstanceId& id) {
  Work& work = own(name);
  Member& each = waiting(work, hook, token, id);
  simulation_.cancel(each.actions.at(hook).expiry);
  watch(work, each, hook);
}

void Groups::complete(const std::string& name, const std::string& hook, const std::string& token,
                      const InstanceId& id, Hook::Result result) {
  Work& work = own(name);
  Member& each = waiting(work, hook, token, id);
  conclude(work, each, hook, result,
           fmt::format("Lifecycle Action Completed with {} Result", autoscaling::name(result)));
}

// Completes one action. ABANDON also ends the other actions of the instance.
void Groups::conclude(Work& work, Member& each, const std::string& hook, Hook::Result result,
                      const std::string& how) {
  const auto found = each.actions.find(hook);
  if (found == each.actions.end()) return;
  const std::string token = found->second.token;
  simulation_.cancel(found->second.expiry);
  each.actions.erase(found);
  const bool abandoned = result == Hook::Result::kAbandon;
  if (abandoned) cancel_actions(each);
  if (!each.actions.empty()) return;
  if (each.state == LifecycleState::kTerminatingWait) return end(work, each);
  if (!abandoned) {
    advance(work, each, LifecycleState::kPendingProceed);
    return enter_service(work, each);
  }
  const std::string why = fmt::format(
      "Instance failed to complete user's Lifecycle Action: Lifecycle Action with token {} was "
      "abandoned: {}",
      token, how);
  finish(activity_of(each), ActivityStatus::kCancelled, why);
  retire(work, each, at_time(simulation_.now(), "an instance was taken out of service: " + why));
  pause_launches(work);
}

}  // namespace sim::autoscaling
