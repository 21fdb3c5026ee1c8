// An instance's life from pending to terminated.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/cloud/parts/state.h"
#include "sim/kernel/check.h"

namespace sim::cloud {

void Cloud::require_imds_v2(const InstanceId& id) {
  state_->find(id).spec.imds_v2_required = true;
  state_->tell(&Observer::changed);
}

void Cloud::require_imds_v2_of_launches() { state_->launches_require_imds_v2 = true; }

void Cloud::State::become_running(Instance& instance) {
  instance_work[instance.id].start.reset();
  if (!has_usable_keys(config, instance.spec))
    return shut_down(
        instance, Shutdown::kHard,
        {"Client.InvalidKMSKey.InvalidState", "The KMS key provided is in an incorrect state"},
        Ended::kByEc2);
  instance.running_at = now();
  set_state(instance, InstanceState::kRunning);
  if (!instance.spec.managed_by.empty()) return boot(instance);
  attach_launch_volumes(instance);
  instance_work[instance.id].start =
      simulation.after(draw(config.durations.boot, "boot", instance.id.value),
                       [this, &instance] { boot(instance); });
}

void Cloud::State::boot(Instance& instance) {
  InstanceWork& work = instance_work[instance.id];
  work.start.reset();
  work.booted = true;
  tell(&Observer::booted, instance);
  if (!instance.spec.managed_by.empty()) return;
  host.boot(instance);
  plug_all(instance);
}

void Cloud::State::shut_down(Instance& instance, Shutdown how, const Reason& reason, Ended ended) {
  SIM_CHECK(!instance.shutting_down_at);
  InstanceWork& work = instance_work[instance.id];
  cancel(work.start);
  cancel(work.price_watch);
  cancel(work.interruption);

  instance.state_reason_code = reason.code;
  instance.state_reason_message = reason.code + ": " + reason.message;
  instance.shutting_down_at = now();
  set_state(instance, InstanceState::kShuttingDown);
  bill.settle(bill.of(instance, ended));
  if (!instance.spot_request.empty() && ended == Ended::kByCustomer)
    set_status(find(instance.spot_request), "instance-terminated-by-user");

  simulation.after(draw(config.durations.instance_shutdown, "instance-shutdown", instance.id.value),
                   [this, &instance, &work] {
                     work.shutdown_elapsed = true;
                     terminate_if_done(instance);
                   });
  host.shut_down(instance, how, [this, &instance, &work] {
    work.machine_gone = true;
    detach_all_from(instance);
    terminate_if_done(instance);
  });

  if (!instance.fleet.empty()) fleet_instance_lost(instance);
  if (instance.lifecycle == Lifecycle::kSpot) {
    const Pool pool{instance.spec.instance_type, instance.spec.availability_zone};
    --spot_in_use[pool];
    pool_changed(pool);
  }
}

void Cloud::State::terminate_if_done(Instance& instance) {
  const InstanceWork& work = instance_work[instance.id];
  if (!work.machine_gone || !work.shutdown_elapsed || instance.terminated_at) return;
  instance.terminated_at = now();
  set_state(instance, InstanceState::kTerminated);
  bill.settle(bill.transfer_of(instance));
  finish_all_detaching_from(instance);
  request_instance_ended(instance);
  if (instance.fleet.empty()) return;
  FleetWork& fleet = fleet_work[instance.fleet];
  --fleet.not_terminated;
  if (fleet.excess.erase(instance.id) > 0) --find(instance.fleet).excess;
  cancelled_if_done(find(instance.fleet));
}

void Cloud::State::terminate_by_user(Instance& instance) {
  if (instance.shutting_down_at) return;
  shut_down(instance, Shutdown::kGraceful,
            {"Client.UserInitiatedShutdown", "User initiated shutdown"}, Ended::kByCustomer);
}

void Cloud::terminate_instances(const std::vector<InstanceId>& requested) {
  const auto ids = requested;  // may be a fleet's own list, which shrinks meanwhile
  std::map<std::string, InstanceId> is_protected;  // by zone, the first that is named
  for (const InstanceId& id : ids)
    if (const Instance& instance = state_->shown(id); instance.disable_api_termination)
      is_protected.emplace(instance.spec.availability_zone, id);
  // One keeps the others of its zone (EC2 API reference, TerminateInstances).
  for (const InstanceId& id : ids)
    if (Instance& instance = state_->find(id);
        !is_protected.contains(instance.spec.availability_zone))
      state_->terminate_by_user(instance);
  if (is_protected.empty()) return;
  throw ApiError("OperationNotPermitted",
                 "The instance '" + is_protected.begin()->second.value +
                     "' may not be terminated. Modify its 'disableApiTermination' instance "
                     "attribute and try again.");
}

void Cloud::reboot_instances(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) shown(id);
  for (const InstanceId& id : ids) {
    const Instance& instance = state_->find(id);
    InstanceWork& work = state_->instance_work[id];
    if (!work.booted || instance.shutting_down_at) continue;
    const std::string stream_id = fmt::format("{}/{}", id.value, ++work.reboots);
    state_->host.reboot(instance, state_->draw(state_->config.durations.boot, "boot", stream_id));
  }
}

void Cloud::set_disable_api_termination(const InstanceId& id, bool disabled) {
  Instance& instance = state_->shown(id);
  if (disabled && instance.lifecycle == Lifecycle::kSpot)
    throw ApiError("UnsupportedOperation",
                   "You can't enable termination protection for Spot Instances.");
  instance.disable_api_termination = disabled;
  state_->tell(&Observer::changed);
}

void Cloud::set_security_groups(const InstanceId& id, const std::vector<std::string>& ids) {
  Instance& instance = state_->shown(id);
  if (instance.state == InstanceState::kTerminated)
    throw ApiError("IncorrectInstanceState",
                   "The instance '" + id.value +
                       "' is not in a state from which it can be modified: terminated");
  instance.spec.security_group_ids = ids;
  state_->tell(&Observer::changed);
}

void Cloud::guest_powered_off(const InstanceId& id) {
  Instance& instance = state_->find(id);
  if (instance.shutting_down_at) return;
  state_->shut_down(instance, Shutdown::kGraceful,
                    {"Client.InstanceInitiatedShutdown", "Instance initiated shutdown"},
                    Ended::kByCustomer);
}

}  // namespace sim::cloud
