#include "sim/run/foresight.h"

#include <algorithm>

namespace sim::run {
namespace {

using cloud::Instance;

// The earliest of the instants from `now` on.
class Earliest {
 public:
  explicit Earliest(Time now) : now_(now) {}
  void see(Time at) {
    if (at >= now_ && (!found_ || at < *found_)) found_ = at;
  }
  void see(std::optional<Time> at) {
    if (at) see(*at);
  }
  std::optional<Time> found() const { return found_; }

 private:
  Time now_;
  std::optional<Time> found_;
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

std::optional<Time> Foresight::next(const cloud::InstanceId& id) const {
  const Instance& instance = cloud_.instance(id);
  if (instance.interruption_at) return instance.interruption_at;
  const market::Pool pool = pool_of(instance);
  const Time now = cloud_.simulation().now();
  Earliest earliest(now);
  if (const auto told = told_.find(id); told != told_.end())
    for (const Time at : told->second) earliest.see(at);
  for (const Interruption& interruption : scenario_.interruptions) {
    if (!interruption.lifetime && interruption.pool == pool)
      earliest.see(scenario_.start + interruption.after);
  }
  const auto held = held_spot(cloud_, pool);
  const auto place = std::ranges::find(held, &instance) - held.begin();
  for (const CapacityStep& step : scenario_.capacity) {
    if (step.reclaim && step.pool == pool && step.slots <= place)
      earliest.see(scenario_.start + step.after);
  }
  earliest.see(cloud_.market().first_above(pool, cloud_.max_price(instance.spec), now));
  return earliest.found();
}

}  // namespace sim::run
