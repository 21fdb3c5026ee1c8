#include "sim/run/schedule.h"

#include <memory>

namespace sim::run {
namespace {

using cloud::InstanceId;

std::vector<InstanceId> running(const cloud::Cloud& cloud, const market::Pool& pool) {
  std::vector<InstanceId> list;
  for (const auto& [id, instance] : cloud.instances()) {
    if (instance.lifecycle == cloud::Lifecycle::kSpot &&
        instance.state == cloud::InstanceState::kRunning &&
        market::Pool{instance.spec.instance_type, instance.spec.availability_zone} == pool) {
      list.push_back(id);
    }
  }
  return list;
}

void strike(const Interruption& interruption, const market::Pool& pool,
            const std::vector<InstanceId>& instances, EventLog& log, cloud::Cloud& cloud) {
  Json struck = Json::array();
  for (const InstanceId& id : instances) struck.push_back(id.value);
  log.append(cloud.simulation().now(), "scenario.interruption",
             {{"instance_type", pool.instance_type},
              {"availability_zone", pool.availability_zone},
              {"instances", struck}});
  if (interruption.capacity_after) cloud.market().set_capacity(pool, *interruption.capacity_after);
  for (const InstanceId& id : instances) {
    cloud.interrupt(id, interruption.notice, interruption.reason);
  }
}

void at_pool(const Interruption& interruption, Time start, Simulation& simulation, EventLog& log,
             cloud::Cloud& cloud) {
  const market::Pool pool = *interruption.pool;
  const Time at = start + interruption.after;
  if (interruption.rebalance) {
    simulation.at(std::max(start, at - *interruption.rebalance), [pool, &cloud] {
      for (const InstanceId& id : running(cloud, pool)) cloud.recommend_rebalance(id);
    });
  }
  simulation.at(at, [interruption, pool, &log, &cloud] {
    strike(interruption, pool, running(cloud, pool), log, cloud);
  });
}

// The instance is known when it is launched, and its time counts from when it runs.
class NthInstance {
 public:
  NthInstance(Interruption interruption, Simulation& simulation, EventLog& log, cloud::Cloud& cloud)
      : interruption_(std::move(interruption)), simulation_(simulation), log_(log), cloud_(cloud) {}

  void hear(const Event& event) {
    if (event.kind != "instance.state") return;
    const Json& f = event.fields;
    if (f.value("from", "") == "" && f.value("lifecycle", "") == "spot" &&
        ++seen_ == interruption_.instance) {
      id_.value = f.value("instance_id", "");
    }
    if (!id_.empty() && f.value("instance_id", "") == id_.value && f.value("to", "") == "running") {
      put_on_the_clock();
    }
  }

 private:
  void put_on_the_clock() {
    if (const auto rebalance = interruption_.rebalance) {
      simulation_.after(std::max(Duration{}, interruption_.after - *rebalance),
                        [this] { cloud_.recommend_rebalance(id_); });
    }
    simulation_.after(interruption_.after, [this] {
      const cloud::Instance& instance = cloud_.instance(id_);
      const bool runs = instance.state == cloud::InstanceState::kRunning;
      strike(interruption_, {instance.spec.instance_type, instance.spec.availability_zone},
             runs ? std::vector{id_} : std::vector<InstanceId>{}, log_, cloud_);
    });
  }

  Interruption interruption_;
  Simulation& simulation_;
  EventLog& log_;
  cloud::Cloud& cloud_;
  int seen_ = 0;
  InstanceId id_;
};

}  // namespace

void schedule(const Scenario& scenario, Simulation& simulation, EventLog& log,
              cloud::Cloud& cloud) {
  for (const CapacityStep& step : scenario.capacity) {
    cloud.market().schedule({scenario.start + step.after, step.pool, step.slots});
  }
  for (const Interruption& interruption : scenario.interruptions) {
    if (interruption.pool) {
      at_pool(interruption, scenario.start, simulation, log, cloud);
    } else {
      const auto nth = std::make_shared<NthInstance>(interruption, simulation, log, cloud);
      log.subscribe([nth](const Event& event, std::string_view) { nth->hear(event); });
    }
  }
}

}  // namespace sim::run
