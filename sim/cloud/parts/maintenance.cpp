// Events that EC2 schedules for instances (EC2 user guide, "Scheduled events for Amazon EC2
// instances" and "Actions for scheduled events").
#include "sim/cloud/parts/instances.h"

namespace sim::cloud {

void Instances::schedule_maintenance(const InstanceId& id, MaintenanceEvent event) {
  Instance& instance = own(id);
  if (instance.shutting_down_at || is_stopped(instance)) return;
  event.id = context_.ids.maintenance_event();
  const std::size_t place = instance.maintenance.size();
  context_.simulation.at(event.not_before, [this, id, place] { begin_maintenance(id, place); });
  set_maintenance(instance, instance.maintenance.emplace_back(std::move(event)),
                  MaintenanceState::kActive);
}

void Instances::begin_maintenance(const InstanceId& id, std::size_t place) {
  Instance& instance = own(id);
  MaintenanceEvent& event = instance.maintenance[place];
  if (event.state != MaintenanceState::kActive) return;
  if (event.code == MaintenanceCode::kSystemMaintenance) {
    context_.simulation.at(event.not_after.value_or(event.not_before), [this, id, place] {
      Instance& kept = own(id);
      if (MaintenanceEvent& over = kept.maintenance[place]; over.state == MaintenanceState::kActive)
        set_maintenance(kept, over, MaintenanceState::kCompleted);
    });
    return;
  }
  set_maintenance(instance, event, MaintenanceState::kCompleted);
  if (event.code != MaintenanceCode::kInstanceRetirement) {
    if (work_[id].booted) restart(instance, {});
    return;
  }
  // EC2 API reference, StateReason. An instance with an EBS root stops; a spot instance cannot.
  const Reason reason{"Server.ScheduledStop", "Stopped due to a scheduled retirement"};
  if (instance.lifecycle == Lifecycle::kOnDemand)
    return begin_stop(instance, reason, Ended::kByCustomer);
  shut_down(instance, Shutdown::kGraceful, reason, Ended::kByCustomer);
}

void Instances::set_maintenance(Instance& instance, MaintenanceEvent& event,
                                MaintenanceState state) {
  event.state = state;
  event.changed_at = context_.now();
  context_.tell(&Observer::changed);
  context_.tell(&Observer::maintenance, instance, event);
}

void Instances::end_maintenance(Instance& instance, MaintenanceState state,
                                std::optional<MaintenanceCode> only) {
  for (MaintenanceEvent& event : instance.maintenance)
    if (event.state == MaintenanceState::kActive && (!only || event.code == *only))
      set_maintenance(instance, event, state);
}

}  // namespace sim::cloud
