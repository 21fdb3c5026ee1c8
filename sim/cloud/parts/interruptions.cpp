// EC2 takes a spot instance back (EC2 user guide, "Spot Instance interruptions").
#include "sim/cloud/parts/state.h"

namespace sim::cloud {

void Cloud::State::interrupt(Instance& instance, Notice notice, const std::string& reason) {
  interrupt(instance, notice, config.durations.interruption_notice, reason);
}

void Cloud::State::interrupt(Instance& instance, Notice notice, Duration before,
                             const std::string& reason) {
  if (instance.lifecycle != Lifecycle::kSpot)
    throw ApiError("UnsupportedOperation",
                   "EC2 interrupts Spot Instances only; '" + instance.id.value + "' is on demand");
  if (instance.shutting_down_at) return;
  InstanceWork& work = instance_work[instance.id];
  const bool noticed = !work.interruption_reason.empty();
  if (noticed && notice == Notice::kGiven) return;

  cancel(work.price_watch);
  if (!noticed) {
    work.interruption_reason = reason;
    tell(&Observer::interrupted, instance, reason, notice == Notice::kGiven);
    set_status(find(instance.spot_request), "instance-terminated-" + reason);
  }
  if (notice == Notice::kNone) return take_back(instance, Shutdown::kHard);

  instance.interruption_notice_at = now();
  instance.interruption_at = now() + before;
  tell(&Observer::noticed, instance, reason);
  if (!instance.fleet.empty())
    record(find(instance.fleet), "instanceChange", "termination_notified", "", instance.id);
  work.interruption = simulation.at(*instance.interruption_at, [this, &instance, &work] {
    work.interruption.reset();
    take_back(instance, Shutdown::kGraceful);
  });
}

void Cloud::State::take_back(Instance& instance, Shutdown how) {
  shut_down(instance, how, {"Server.SpotInstanceTermination", "Spot instance termination"},
            Ended::kByEc2);
}

void Cloud::interrupt(const InstanceId& id, Notice notice, const std::string& reason) {
  state_->interrupt(state_->find(id), notice, reason);
}

void Cloud::interrupt_after(const InstanceId& id, Duration notice, const std::string& reason) {
  state_->interrupt(state_->find(id), Notice::kGiven, notice, reason);
}

// EC2 user guide, "Instance retirement" and "Troubleshoot instances": Server.InternalError is the
// reason of an instance that a failure of AWS's has ended.
void Cloud::fail_host(const InstanceId& id) {
  Instance& instance = state_->find(id);
  if (instance.shutting_down_at) return;
  state_->shut_down(instance, Shutdown::kHard,
                    {"Server.InternalError",
                     "An internal error has occurred during instance launch"
                     " or operation"},
                    Ended::kByCustomer);
}

std::vector<InstanceId> Cloud::reclaim(const Pool& pool, Notice notice, const std::string& reason) {
  State& s = *state_;
  std::vector<InstanceId> taken;
  for (const InstanceId& id : s.launch_order) {
    const Instance& i = s.instances.at(id);
    if (i.lifecycle == Lifecycle::kSpot && i.state == InstanceState::kRunning &&
        Pool{i.spec.instance_type, i.spec.availability_zone} == pool)
      taken.push_back(id);
  }
  for (const InstanceId& id : taken) interrupt(id, notice, reason);
  return taken;
}

void Cloud::set_price(const Pool& pool, Usd price) {
  state_->market.set_price(pool, price);
  state_->watch_prices(pool);
}

void Cloud::raise_price(const Pool& pool, double factor, Time until) {
  state_->market.raise_price(pool, factor, until);
  state_->watch_prices(pool);
}

void Cloud::State::watch_prices(const Pool& pool) {
  for (const InstanceId& id : launch_order) {
    Instance& i = instances.at(id);
    if (i.lifecycle == Lifecycle::kSpot && !i.shutting_down_at &&
        instance_work[id].interruption_reason.empty() &&
        Pool{i.spec.instance_type, i.spec.availability_zone} == pool)
      watch_price(i);
  }
}

void Cloud::recommend_rebalance(const InstanceId& id) {
  Instance& instance = state_->find(id);
  if (instance.lifecycle != Lifecycle::kSpot || instance.shutting_down_at ||
      instance.rebalance_recommended_at)
    return;
  instance.rebalance_recommended_at = state_->now();
  state_->tell(&Observer::rebalance_recommended, instance);
}

}  // namespace sim::cloud
