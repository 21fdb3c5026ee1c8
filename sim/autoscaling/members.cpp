// The states of an instance in its group, from Pending to Terminated.
#include <algorithm>
#include <utility>

#include "sim/autoscaling/work.h"
#include "sim/events/event.h"

namespace sim::autoscaling {

using cloud::InstanceId;

// ---- cloud::Observer. The cloud is still changing the instance, so the group acts a moment later

void Groups::later(const InstanceId& id, Duration d, Step step) {
  simulation_.after(d, [this, id, step] {
    Work* const work = work_of(id);
    if (work) (this->*step)(*work, *work->group.find(id));
  });
}

Duration Groups::until_health_check(const InstanceId& id) const {
  const auto& range = cloud_.config().durations.autoscaling_health_check;
  return streams_.stream("autoscaling-health-check", id.value).between(range.low, range.high);
}

void Groups::instance_state(const cloud::Instance& instance, std::optional<cloud::InstanceState>) {
  const Work* const work = work_of(instance.id);
  if (!work) return;
  const bool leaves = is_leaving(work->group.find(instance.id)->state);
  switch (instance.state) {
    case cloud::InstanceState::kRunning:
      return later(instance.id, {}, &Groups::is_running);
    case cloud::InstanceState::kShuttingDown:
    case cloud::InstanceState::kStopping:
      if (leaves) return later(instance.id, {}, &Groups::end);
      return later(instance.id, until_health_check(instance.id), &Groups::check_health);
    case cloud::InstanceState::kTerminated:
      if (leaves) later(instance.id, {}, &Groups::is_gone);
      return;
    default:
      return;
  }
}

void Groups::rebalance_recommended(const cloud::Instance& instance) {
  Work* const work = work_of(instance.id);
  if (!work) return;
  work->group.find(instance.id)->at_risk = true;
  if (work->group.settings.capacity_rebalance) settle_soon(*work);
}

// A notice counts as a rebalance recommendation, too: EC2 sends the recommendation no later than
// the notice (EC2 User Guide, "EC2 instance rebalance recommendations").
void Groups::noticed(const cloud::Instance& instance, const std::string&) {
  rebalance_recommended(instance);
}

// ---- into service

void Groups::is_running(Work& work, Member& each) {
  if (each.state != LifecycleState::kPending) return;
  if (cloud_.instance(each.id).shutting_down_at)  // it was terminated in standby
    return later(each.id, until_health_check(each.id), &Groups::check_health);
  if (!begin_actions(work, each, Hook::Transition::kLaunching)) return enter_service(work, each);
  advance(work, each, LifecycleState::kPendingWait);
  activity_of(each).status = ActivityStatus::kMidLifecycleAction;
}

void Groups::enter_service(Work& work, Member& each) {
  advance(work, each, LifecycleState::kInService);
  each.in_service_since = simulation_.now();
  finish(activity_of(each), ActivityStatus::kSuccessful);
  std::vector<InstanceId> replaced;
  for (const Member& other : work.group.members)
    if (other.replacement == each.id && !is_leaving(other.state)) replaced.push_back(other.id);
  for (const InstanceId& id : replaced)
    retire(work, *work.group.find(id),
           at_time(simulation_.now(),
                   "an instance was taken out of service in response to an EC2 instance rebalance "
                   "recommendation."));
  settle_after(work, {});
}

// ---- out of service

void Groups::check_health(Work& work, Member& each) {
  const cloud::Instance& instance = cloud_.instance(each.id);
  const bool watched = each.state == LifecycleState::kInService || is_pending(each.state);
  const bool ended = instance.shutting_down_at || cloud::is_stopped(instance);
  if (!watched || !ended || !work.group.runs("HealthCheck")) return;
  each.healthy = false;
  each.unhealthy_cause =
      at_time(simulation_.now(),
              "an instance was taken out of service in response to an EC2 health "
              "check indicating it has been terminated or stopped.");
  if (is_pending(each.state)) pause_launches(work);
  settle_after(work, {});
}

std::size_t Groups::retire(Work& work, Member& each, const std::string& cause) {
  cancel_actions(each);
  if (is_pending(each.state) && !has_ended(activity_of(each).status))
    finish(activity_of(each), ActivityStatus::kFailed,
           each.healthy ? "Instance was terminated before it was in service."
                        : "Instance became unhealthy while waiting for instance to be in InService "
                          "state. Termination Reason: " +
                              cloud_.instance(each.id).state_reason_message);
  advance(work, each, LifecycleState::kTerminating);
  begin(work, &each, "Terminating EC2 instance: " + each.id.value, cause);
  const std::size_t number = each.activity;
  const bool runs = !cloud_.instance(each.id).shutting_down_at && !work.group.deleting;
  if (runs && begin_actions(work, each, Hook::Transition::kTerminating)) {
    advance(work, each, LifecycleState::kTerminatingWait);
    activity_of(each).status = ActivityStatus::kMidLifecycleAction;
  } else {
    end(work, each);
  }
  return number;
}

void Groups::end(Work& work, Member& each) {
  cancel_actions(each);
  if (each.state == LifecycleState::kTerminatingWait) {
    advance(work, each, LifecycleState::kTerminatingProceed);
    activity_of(each).status = ActivityStatus::kInProgress;
  }
  const cloud::Instance& instance = cloud_.instance(each.id);
  if (instance.terminated_at) return later(each.id, {}, &Groups::is_gone);
  // The service terminates the instance, not the account, so termination protection has no effect.
  if (!instance.shutting_down_at) cloud_.release_managed({each.id});
}

void Groups::is_gone(Work& work, Member& each) {
  advance(work, each, LifecycleState::kTerminated);
  finish(activity_of(each), ActivityStatus::kSuccessful);
  forget(work, each.id);
}

void Groups::forget(Work& work, const InstanceId& gone) {
  const InstanceId id = gone;  // a copy, because `gone` may be the erased member's ID
  std::erase_if(work.group.members, [&](const Member& each) { return each.id == id; });
  for (Member& each : work.group.members)
    if (each.replacement == id) each.replacement = {};
  of_instance_.erase(id);
  settle_after(work, {});
}

}  // namespace sim::autoscaling
