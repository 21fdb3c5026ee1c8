#include "sim/run/schedule.h"

#include <algorithm>
#include <memory>

namespace sim::run {
namespace {

using cloud::InstanceId;

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
    if (interruption.loses_volumes) cloud.lose_volumes(id);
    cloud.interrupt(id, interruption.notice, interruption.reason);
  }
}

void at_pool(const Interruption& interruption, Time start, Simulation& simulation, EventLog& log,
             cloud::Cloud& cloud) {
  const market::Pool pool = *interruption.pool;
  const Time at = start + interruption.after;
  if (interruption.rebalance) {
    simulation.at(std::max(start, at - *interruption.rebalance), [pool, &cloud] {
      for (const InstanceId& id : running_spot(cloud, pool)) cloud.recommend_rebalance(id);
    });
  }
  simulation.at(at, [interruption, pool, &log, &cloud] {
    strike(interruption, pool, running_spot(cloud, pool), log, cloud);
  });
}

// The instance is known when it is launched, and its time counts from when it runs.
class NthInstance {
 public:
  NthInstance(Interruption interruption, Simulation& simulation, EventLog& log, cloud::Cloud& cloud,
              Foresight& foresight)
      : interruption_(std::move(interruption)),
        simulation_(simulation),
        log_(log),
        cloud_(cloud),
        foresight_(foresight) {}

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
    foresight_.foretell(id_, simulation_.now() + interruption_.after, interruption_.notice);
    simulation_.after(interruption_.after, [this] {
      const cloud::Instance& instance = cloud_.instance(id_);
      const bool runs = instance.state == cloud::InstanceState::kRunning;
      strike(interruption_, pool_of(instance), runs ? std::vector{id_} : std::vector<InstanceId>{},
             log_, cloud_);
    });
  }

  Interruption interruption_;
  Simulation& simulation_;
  EventLog& log_;
  cloud::Cloud& cloud_;
  Foresight& foresight_;
  int seen_ = 0;
  InstanceId id_;
};

// Each spot instance, from when it runs, until the end of a lifetime of its own.
class Lifetimes {
 public:
  Lifetimes(Interruption interruption, const Streams& streams, Simulation& simulation,
            EventLog& log, cloud::Cloud& cloud, Foresight& foresight)
      : interruption_(std::move(interruption)),
        streams_(streams),
        simulation_(simulation),
        log_(log),
        cloud_(cloud),
        foresight_(foresight) {}

  void hear(const Event& event) {
    if (event.kind != "instance.state" || event.fields.value("to", "") != "running") return;
    const InstanceId id{event.fields.value("instance_id", "")};
    const cloud::Instance& instance = cloud_.instance(id);
    if (instance.lifecycle != cloud::Lifecycle::kSpot) return;
    if (interruption_.pool && pool_of(instance) != *interruption_.pool) return;
    const auto& [mean, shape] = *interruption_.lifetime;
    const Duration life = streams_.stream("spot-lifetime", id.value).weibull(mean, shape);
    if (const auto rebalance = interruption_.rebalance) {
      simulation_.after(std::max(Duration{}, life - *rebalance),
                        [this, id] { cloud_.recommend_rebalance(id); });
    }
    foresight_.foretell(id, simulation_.now() + life, interruption_.notice);
    simulation_.after(life, [this, id] {
      const cloud::Instance& struck = cloud_.instance(id);
      if (struck.state != cloud::InstanceState::kRunning) return;
      strike(interruption_, pool_of(struck), {id}, log_, cloud_);
    });
  }

 private:
  Interruption interruption_;
  const Streams& streams_;
  Simulation& simulation_;
  EventLog& log_;
  cloud::Cloud& cloud_;
  Foresight& foresight_;
};

// Interrupts the newest of a pool's spot instances that are more than its slots; those whose notice
// was given already do not count.
void reclaim(const market::Pool& pool, EventLog& log, cloud::Cloud& cloud) {
  const auto held = held_spot(cloud, pool);
  const auto slots = static_cast<std::size_t>(cloud.market().capacity(pool));
  std::vector<InstanceId> surplus;
  for (std::size_t i = slots; i < held.size(); ++i) surplus.push_back(held[i]->id);
  strike({}, pool, surplus, log, cloud);
}

template <typename Listener>
void listen(std::shared_ptr<Listener> listener, EventLog& log) {
  log.subscribe(
      {.hear = [listener](const Event& event, std::string_view) { listener->hear(event); },
       .wants = [](std::string_view kind) { return kind == "instance.state"; }});
}

}  // namespace

void schedule(const Scenario& scenario, Simulation& simulation, EventLog& log,
              const Streams& streams, cloud::Cloud& cloud, Foresight& foresight) {
  for (const CapacityStep& step : scenario.capacity) {
    const Time at = scenario.start + step.after;
    cloud.market().schedule({at, step.pool, step.slots});
    if (step.reclaim) simulation.at(at, [&log, &cloud, &step] { reclaim(step.pool, log, cloud); });
  }
  for (const Interruption& interruption : scenario.interruptions) {
    if (interruption.lifetime) {
      listen(std::make_shared<Lifetimes>(interruption, streams, simulation, log, cloud, foresight),
             log);
    } else if (interruption.pool) {
      at_pool(interruption, scenario.start, simulation, log, cloud);
    } else {
      listen(std::make_shared<NthInstance>(interruption, simulation, log, cloud, foresight), log);
    }
  }
}

}  // namespace sim::run
