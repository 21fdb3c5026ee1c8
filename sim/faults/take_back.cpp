#include "sim/faults/take_back.h"

#include <algorithm>

#include "sim/events/event.h"

namespace sim::faults {

using cloud::Instance;
using cloud::InstanceId;
using cloud::InstanceState;
using Notice = cloud::Cloud::Notice;

market::Pool pool_of(const Instance& instance) {
  return {instance.spec.instance_type, instance.spec.availability_zone};
}

std::vector<InstanceId> running_spot(const cloud::Cloud& cloud, const market::Pool& pool) {
  std::vector<InstanceId> list;
  for (const auto& [id, instance] : cloud.instances()) {
    if (instance.lifecycle == cloud::Lifecycle::kSpot &&
        instance.state == InstanceState::kRunning && pool_of(instance) == pool) {
      list.push_back(id);
    }
  }
  return list;
}

std::vector<const Instance*> held_spot(const cloud::Cloud& cloud, const market::Pool& pool) {
  std::vector<const Instance*> held;
  for (const auto& [id, instance] : cloud.instances()) {
    const bool up =
        instance.state == InstanceState::kPending || instance.state == InstanceState::kRunning;
    if (up && instance.lifecycle == cloud::Lifecycle::kSpot && !instance.interruption_notice_at &&
        pool_of(instance) == pool) {
      held.push_back(&instance);
    }
  }
  std::ranges::stable_sort(held, {}, &Instance::launched_at);
  return held;
}

std::vector<InstanceId> surplus_spot(cloud::Cloud& cloud, const market::Pool& pool) {
  const auto held = held_spot(cloud, pool);
  std::vector<InstanceId> surplus;
  for (auto i = static_cast<std::size_t>(cloud.market().capacity(pool)); i < held.size(); ++i)
    surplus.push_back(held[i]->id);
  return surplus;
}

void log_interruption(EventLog& log, Time now, const market::Pool& pool,
                      const std::vector<InstanceId>& instances) {
  Json struck = Json::array();
  for (const InstanceId& id : instances) struck.push_back(id.value);
  log.append(events::ScenarioInterruption{.time = now,
                                          .instance_type = pool.instance_type,
                                          .availability_zone = pool.availability_zone,
                                          .instances = struck});
}

void take_back(const market::Pool& pool, const std::vector<InstanceId>& instances,
               const Arguments& arguments, const Strike& strike, Targets& targets) {
  cloud::Cloud& cloud = targets.cloud;
  if (strike.interruption) {
    log_interruption(targets.log, targets.simulation.now(), pool, instances);
    strike.interruption->found += std::ssize(instances);
  }
  if (const auto* slots = arguments.find<std::int64_t>("capacity_after"))
    cloud.market().set_capacity(pool, static_cast<int>(*slots));
  const auto* const notice = arguments.find<Duration>("notice");
  const auto* const reason = arguments.find<std::string>("reason");
  const auto* const volumes = arguments.find<std::string>("volumes");
  for (const InstanceId& id : instances) {
    const std::string why = reason ? *reason : "no-capacity";
    if (notice && *notice > Duration{}) {
      cloud.interrupt_after(id, *notice, why);
    } else {
      if (volumes && *volumes == "lost") cloud.lose_volumes(id);
      cloud.interrupt(id, Notice::kNone, why);
    }
  }
}

void cut_power(cloud::Cloud& cloud, const Instance& instance, bool volumes_lost) {
  if (instance.shutting_down_at) return;
  if (volumes_lost) cloud.lose_volumes(instance.id);
  if (instance.lifecycle == cloud::Lifecycle::kSpot)
    cloud.interrupt(instance.id, Notice::kNone, "no-capacity");
  else
    cloud.fail_host(instance.id);
}

}  // namespace sim::faults
