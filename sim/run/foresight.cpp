#include "sim/run/foresight.h"

#include <algorithm>

namespace sim::run {
namespace {

using cloud::Instance;

using cloud::Cloud;

// The strike from `now` on after which the instance is gone first.
class Earliest {
 public:
  Earliest(Time now, Duration notice) : now_(now), notice_(notice) {}
  void strike(Time at, Cloud::Notice notice = Cloud::Notice::kGiven) {
    const bool noticed = notice == Cloud::Notice::kGiven;
    if (at >= now_) see({at + (noticed ? notice_ : Duration{}), noticed});
  }
  void see(guest::InterruptionAhead ahead) {
    if (!found_ || ahead.at < found_->at) found_ = ahead;
  }
  std::optional<guest::InterruptionAhead> found() const { return found_; }

 private:
  Time now_;
  Duration notice_;
  std::optional<guest::InterruptionAhead> found_;
};

}  // namespace

market::Pool pool_of(const Instance& instance) {
  return {instance.spec.instance_type, instance.spec.availability_zone};
}

std::vector<cloud::InstanceId> running_spot(const cloud::Cloud& cloud, const market::Pool& pool) {
  std::vector<cloud::InstanceId> list;
  for (const auto& [id, instance] : cloud.instances()) {
    if (instance.lifecycle == cloud::Lifecycle::kSpot &&
        instance.state == cloud::InstanceState::kRunning && pool_of(instance) == pool) {
      list.push_back(id);
    }
  }
  return list;
}

std::vector<const Instance*> held_spot(const cloud::Cloud& cloud, const market::Pool& pool) {
  std::vector<const Instance*> held;
  for (const auto& [id, instance] : cloud.instances()) {
    const bool up = instance.state == cloud::InstanceState::kPending ||
                    instance.state == cloud::InstanceState::kRunning;
    if (up && instance.lifecycle == cloud::Lifecycle::kSpot && !instance.interruption_notice_at &&
        pool_of(instance) == pool) {
      held.push_back(&instance);
    }
  }
  std::stable_sort(held.begin(), held.end(),
                   [](const auto* a, const auto* b) { return a->launched_at < b->launched_at; });
  return held;
}

std::optional<guest::InterruptionAhead> Foresight::next(const cloud::InstanceId& id) const {
  const Instance& instance = cloud_.instance(id);
  const market::Pool pool = pool_of(instance);
  const Time now = cloud_.simulation().now();
  Earliest earliest(now, cloud_.config().durations.interruption_notice);
  if (instance.interruption_at) earliest.see({*instance.interruption_at, true});
  if (const auto told = told_.find(id); told != told_.end())
    for (const Strike& strike : told->second) earliest.strike(strike.at, strike.notice);
  for (const Interruption& interruption : scenario_.interruptions) {
    if (!interruption.lifetime && interruption.pool == pool)
      earliest.strike(scenario_.start + interruption.after, interruption.notice);
  }
  const auto held = held_spot(cloud_, pool);
  const auto place = std::ranges::find(held, &instance) - held.begin();
  for (const CapacityStep& step : scenario_.capacity) {
    if (step.reclaim && step.pool == pool && step.slots <= place)
      earliest.strike(scenario_.start + step.after);
  }
  const auto above = cloud_.market().first_above(pool, cloud_.max_price(instance.spec), now);
  if (above) earliest.strike(*above);
  return earliest.found();
}

}  // namespace sim::run
