// Stops instances and starts them again (EC2 user guide, "Stop and start Amazon EC2 instances").
//
// A stopped instance costs nothing. It keeps its ID, its volumes and its private address, and gets
// another public address when it starts, except for an Elastic IP address. A hibernated instance
// also keeps its memory: its programs continue when it starts (EC2 user guide, "Hibernate your
// Amazon EC2 instance").
#include <fmt/format.h>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/instances.h"

namespace sim::cloud {
namespace {

ApiError wrong_state(const InstanceId& id, const char* action) {
  return {"IncorrectInstanceState",
          fmt::format("The instance '{}' is not in a state from which it can be {}.", id.value,
                      action)};
}

}  // namespace

void Instances::check_may_stop_now(const std::vector<InstanceId>& ids) const {
  for (const InstanceId& id : ids) {
    const InstanceState state = shown(id).state;
    if (state == InstanceState::kPending || state == InstanceState::kShuttingDown ||
        state == InstanceState::kTerminated)
      throw wrong_state(id, "stopped");
  }
}

void Instances::stop(const std::vector<InstanceId>& ids) {
  check_may_stop_now(ids);
  for (const InstanceId& id : ids)
    if (Instance& instance = own(id); instance.state == InstanceState::kRunning)
      begin_stop(instance, {"Client.UserInitiatedShutdown", "User initiated shutdown"},
                 Ended::kByCustomer);
}

void Instances::hibernate(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids)
    if (!shown(id).spec.hibernation)
      throw ApiError("UnsupportedHibernationConfiguration",
                     "The instance can't be hibernated because it was not configured at launch for "
                     "hibernation: " +
                         id.value);
  check_may_stop_now(ids);
  for (const InstanceId& id : ids)
    if (Instance& instance = own(id); instance.state == InstanceState::kRunning)
      begin_hibernation(instance, {"Client.UserInitiatedHibernate", "User initiated hibernate"},
                        Ended::kByCustomer);
}

void Instances::set_stopping(Instance& instance, const Reason& reason) {
  cancel_transitions(instance);
  set_reason(instance, reason);
  context_.set_state(instance, InstanceState::kStopping);
}

// The time that a stop takes at least.
void Instances::wait_for_rest(Instance& instance) {
  Work& work = work_[instance.id];
  const std::string stream_id = fmt::format("{}/stop-{}", instance.id.value, work.starts);
  context_.simulation.after(
      context_.draw(context_.config.durations.instance_shutdown, "instance-shutdown", stream_id),
      [this, &instance, &work] {
        if (instance.state != InstanceState::kStopping) return;
        work.shutdown_elapsed = true;
        stop_if_done(instance);
      });
}

std::function<void()> Instances::at_rest(Instance& instance) {
  return [this, &instance] {
    if (instance.state != InstanceState::kStopping) return;
    work_[instance.id].machine_gone = true;
    stop_if_done(instance);
  };
}

void Instances::begin_stop(Instance& instance, const Reason& reason, Ended ended, Shutdown how) {
  set_stopping(instance, reason);
  bill_.settle(bill_.of(instance, ended));
  instance.running_at.reset();
  work_[instance.id].booted = false;
  instance.hibernated = false;  // it resumed
  notify(&InstanceListener::stopping, instance, ended);
  wait_for_rest(instance);
  host_.halt(instance, how, at_rest(instance));
  give_back_capacity(instance);
}

// "If the instance cannot hibernate successfully, a normal shutdown occurs" (EC2 API reference,
// StopInstances). An instance costs its price while it hibernates (EC2 user guide, "Amazon EC2
// instance state changes"). An instance that still resumes has all its memory.
void Instances::begin_hibernation(Instance& instance, const Reason& reason, Ended ended) {
  Work& work = work_[instance.id];
  if (!work.booted && !instance.hibernated) return begin_stop(instance, reason, ended);
  instance.hibernated = true;
  work.ended = ended;
  work.booted = false;
  set_stopping(instance, reason);
  notify(&InstanceListener::stopping, instance, ended);
  wait_for_rest(instance);
  host_.hibernate(instance, at_rest(instance));
  give_back_capacity(instance);
}

void Instances::stop_if_done(Instance& instance) {
  Work& work = work_[instance.id];
  if (!work.machine_gone || !work.shutdown_elapsed) return;
  work.machine_gone = work.shutdown_elapsed = false;
  bill_.settle(bill_.of(instance, work.ended));  // nothing unless it hibernates
  instance.running_at.reset();
  network_.interfaces.take_public_address(instance.id.value);
  context_.set_state(instance, InstanceState::kStopped);
  notify(&InstanceListener::stopped, instance);
}

void Instances::check_may_start_now(const std::vector<InstanceId>& ids) const {
  for (const InstanceId& id : ids)
    if (const Instance& instance = shown(id);
        instance.state == InstanceState::kStopped && instance.state_reason_code == kInterruptedStop)
      throw ApiError("IncorrectSpotRequestState",
                     fmt::format("You can't start the Spot Instance '{}' because the associated "
                                 "Spot Instance request is not in an appropriate state to support "
                                 "start.",
                                 id.value));
}

void Instances::start(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) {
    const Instance& instance = shown(id);
    if (instance.state == InstanceState::kPending || instance.state == InstanceState::kRunning)
      continue;
    if (instance.state != InstanceState::kStopped) throw wrong_state(id, "started");
  }
  for (const InstanceId& id : ids) {
    Instance& instance = own(id);
    if (instance.state != InstanceState::kStopped) continue;
    if (!may_start(instance)) throw start_refusal(instance);
    start(instance);
  }
}

bool Instances::may_start(const Instance& instance) const {
  if (instance.lifecycle == Lifecycle::kOnDemand)
    return capacity_.free_on_demand(instance.spec) > 0;
  return capacity_.place(instance.spec, SpotCapacity::Addresses::kKept).obstacle.empty();
}

ApiError Instances::start_refusal(const Instance& instance) const {
  if (instance.lifecycle == Lifecycle::kOnDemand)
    return capacity_.on_demand_refusal(instance.spec, 1);
  return {"InsufficientInstanceCapacity",
          "There is no Spot capacity available that matches your request.", 500};
}

void Instances::start(Instance& instance) {
  Work& work = work_[instance.id];
  ++work.starts;
  instance.launched_at = context_.now();
  instance.state_reason_code.clear();
  instance.state_reason_message.clear();
  network_.interfaces.give_public_address(instance.id.value, instance.spec.public_ip);
  instance.interruption_notice_at = instance.interruption_at = instance.rebalance_recommended_at =
      std::nullopt;
  work.interruption_reason.clear();
  network_.placement_groups.set_state(instance.id.value,
                                      vpc::PlacementGroups::Member::State::kRunning);
  context_.set_state(instance, InstanceState::kPending);
  notify(&InstanceListener::starting, instance);
  if (instance.lifecycle == Lifecycle::kSpot) {
    capacity_.take(pool_of(instance.spec));
    watch_price(instance);
  } else {
    capacity_.take_on_demand(instance.spec);
  }
  const std::string stream_id = fmt::format("{}/start-{}", instance.id.value, work.starts);
  work.start = context_.simulation.after(
      context_.draw(context_.config.durations.instance_pending, "instance-pending", stream_id),
      [this, &instance] { run_again(instance); });
}

void Instances::run_again(Instance& instance) {
  Work& work = work_[instance.id];
  work.start.reset();
  instance.running_at = context_.now();
  context_.set_state(instance, InstanceState::kRunning);
  const Duration takes = context_.draw(context_.config.durations.boot, "boot",
                                       fmt::format("{}/start-{}", instance.id.value, work.starts));
  if (instance.hibernated) {
    work.start = context_.simulation.after(takes, [this, &instance] { resume(instance); });
    return;
  }
  if (!work.has_system) {  // it was stopped before its first boot
    work.start = context_.simulation.after(takes, [this, &instance] { boot(instance); });
    return;
  }
  work.booted = true;
  notify(&InstanceListener::starting_machine, instance);
  host_.start_again(instance, takes);
}

void Instances::resume(Instance& instance) {
  Work& work = work_[instance.id];
  work.start.reset();
  work.booted = true;
  instance.hibernated = false;
  notify(&InstanceListener::starting_machine, instance);
  host_.resume(instance);
}

void Instances::terminate_stopped(Instance& instance, const Reason& reason) {
  set_reason(instance, reason);
  instance.shutting_down_at = instance.terminated_at = context_.now();
  context_.set_state(instance, InstanceState::kTerminated);
  bill_.settle(bill_.transfer_of(instance));
  notify(&InstanceListener::shutting_down, instance, Ended::kByCustomer);
  notify(&InstanceListener::stopping_machine, instance);
  leave_group(instance);
  const Shutdown how = instance.hibernated ? Shutdown::kHard : Shutdown::kGraceful;
  host_.shut_down(instance, how, [this, &instance] {
    notify(&InstanceListener::machine_gone, instance);
    network_.release(instance.id.value);
    notify(&InstanceListener::terminated, instance);
  });
}

}  // namespace sim::cloud
