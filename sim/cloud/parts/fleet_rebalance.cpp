// Capacity rebalancing of fleets (EC2 user guide, "Use Capacity Rebalancing in EC2 Fleet and Spot
// Fleet to replace at-risk Spot Instances"). A fleet launches a replacement for an instance with a
// rebalance recommendation, beyond its target. It does not replace the instance once more when the
// instance ends.
#include "sim/cloud/parts/fleets.h"

namespace sim::cloud {

void Fleets::rebalance_recommended(const Instance& instance) {
  if (instance.fleet.empty()) return;
  Fleet& fleet = own(instance.fleet);
  if (!fleet.rebalance || fleet.state != FleetState::kActive) return;
  Work& work = work_[fleet.id];
  work.at_risk.insert(instance.id);
  work.at_risk_capacity += instance.spec.weighted_capacity;
  if (work.retry.attempt) return;
  work.retry.waiting = false;
  allocate_at(fleet, context_.now());
}

// With launch-before-terminate: once the fleet has launched all replacements, ends the instances at
// risk after the delay.
void Fleets::end_replaced(Fleet& fleet) {
  if (!fleet.rebalance || !fleet.rebalance->termination_delay) return;
  Work& work = work_[fleet.id];
  for (const InstanceId& id : work.at_risk) {
    if (!work.replaced.insert(id).second) continue;
    context_.simulation.after(*fleet.rebalance->termination_delay, [this, id, &fleet] {
      const Instance& instance = instances_.find(id);
      if (instance.shutting_down_at || fleet.state != FleetState::kActive) return;
      record(fleet, "instanceChange", "termination_notified", "", id);
      instances_.terminate_by_user(id);
    });
  }
}

void Fleets::forget_at_risk(Work& work, const Instance& instance) {
  work.replaced.erase(instance.id);
  if (work.at_risk.erase(instance.id) == 0) return;
  work.at_risk_capacity -= instance.spec.weighted_capacity;
}

}  // namespace sim::cloud
