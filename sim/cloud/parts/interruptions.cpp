// EC2 interrupts a spot instance (EC2 user guide, "Spot Instance interruptions"), and failures of
// EC2's hardware under any instance.
#include "sim/cloud/error.h"
#include "sim/cloud/parts/instances.h"

namespace sim::cloud {

void Instances::watch_price(Instance& instance) {
  Work& work = work_[instance.id];
  context_.cancel(work.price_watch);
  if (const auto above = capacity_.first_above_max(instance.spec))
    work.price_watch = context_.simulation.at(
        *above, [this, id = instance.id] { interrupt(id, Notice::kGiven, "by-price"); });
}

void Instances::watch_prices(const Pool& pool) {
  for (const InstanceId& id : launch_order_) {
    Instance& instance = own(id);
    if (instance.lifecycle == Lifecycle::kSpot && !instance.shutting_down_at &&
        work_[id].interruption_reason.empty() && pool_of(instance.spec) == pool)
      watch_price(instance);
  }
}

void Instances::interrupt(Instance& instance, Notice notice, Duration before,
                          const std::string& reason) {
  if (instance.lifecycle != Lifecycle::kSpot)
    throw ApiError("UnsupportedOperation",
                   "EC2 interrupts Spot Instances only; '" + instance.id.value + "' is on demand");
  if (instance.shutting_down_at || is_stopped(instance)) return;
  Work& work = work_[instance.id];
  const bool noticed = !work.interruption_reason.empty();
  if (noticed && notice == Notice::kGiven) return;

  context_.cancel(work.price_watch);
  if (!noticed) {
    work.interruption_reason = reason;
    context_.tell(&Observer::interrupted, instance, reason, notice == Notice::kGiven);
    notify(&InstanceListener::interrupted, instance, reason);
  }
  if (notice == Notice::kNone) return take_back(instance, Shutdown::kHard);

  // "You do not receive a two-minute warning because the hibernation process begins immediately"
  // (EC2 user guide, "Spot Instance interruption notices").
  const bool hibernates = instance.spec.stops_when_interrupted && instance.spec.hibernation;
  instance.interruption_notice_at = context_.now();
  instance.interruption_at = context_.now() + (hibernates ? Duration{} : before);
  context_.tell(&Observer::noticed, instance, reason);
  notify(&InstanceListener::noticed, instance);
  work.interruption = context_.simulation.at(*instance.interruption_at, [this, &instance, &work] {
    work.interruption.reset();
    take_back(instance, Shutdown::kGraceful);
  });
}

void Instances::take_back(Instance& instance, Shutdown how) {
  if (instance.spec.stops_when_interrupted) {
    const Reason reason{kInterruptedStop,
                        "The instance was stopped because of an interruption of the Spot Instance"};
    return instance.spec.hibernation && how == Shutdown::kGraceful
               ? begin_hibernation(instance, reason, Ended::kByEc2)
               : begin_stop(instance, reason, Ended::kByEc2, how);
  }
  shut_down(instance, how, {"Server.SpotInstanceTermination", "Spot instance termination"},
            Ended::kByEc2);
}

void Instances::interrupt(const InstanceId& id, Notice notice, const std::string& reason) {
  interrupt(own(id), notice, context_.config.durations.interruption_notice, reason);
}

void Instances::interrupt_after(const InstanceId& id, Duration notice, const std::string& reason) {
  interrupt(own(id), Notice::kGiven, notice, reason);
}

// EC2 user guide, "Instance retirement" and "Troubleshoot instances". Server.InternalError is the
// reason if a failure at AWS has ended an instance.
void Instances::fail_host(const InstanceId& id) {
  Instance& instance = own(id);
  if (instance.shutting_down_at || is_stopped(instance)) return;
  shut_down(instance, Shutdown::kHard,
            {"Server.InternalError",
             "An internal error has occurred during instance launch"
             " or operation"},
            Ended::kByCustomer);
}

std::vector<InstanceId> Instances::reclaim(const Pool& pool, Notice notice,
                                           const std::string& reason) {
  std::vector<InstanceId> taken;
  for (const InstanceId& id : launch_order_) {
    const Instance& instance = find(id);
    if (instance.lifecycle == Lifecycle::kSpot && instance.state == InstanceState::kRunning &&
        pool_of(instance.spec) == pool)
      taken.push_back(id);
  }
  for (const InstanceId& id : taken) interrupt(id, notice, reason);
  return taken;
}

void Instances::recommend_rebalance(const InstanceId& id) {
  Instance& instance = own(id);
  if (instance.lifecycle != Lifecycle::kSpot || instance.shutting_down_at || is_stopped(instance) ||
      instance.rebalance_recommended_at)
    return;
  instance.rebalance_recommended_at = context_.now();
  context_.tell(&Observer::rebalance_recommended, instance);
  notify(&InstanceListener::rebalance_recommended, instance);
}

}  // namespace sim::cloud
