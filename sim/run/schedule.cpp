#include "sim/run/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/events/event.h"
#include "sim/faults/take_instance.h"

namespace sim::run {
namespace {

using cloud::InstanceId;

void strike(const Interruption& interruption, const market::Pool& pool,
            const std::vector<InstanceId>& instances, EventLog& log, cloud::Cloud& cloud) {
  Json struck = Json::array();
  for (const InstanceId& id : instances) struck.push_back(id.value);
  log.append(events::ScenarioInterruption{.time = cloud.simulation().now(),
                                          .instance_type = pool.instance_type,
                                          .availability_zone = pool.availability_zone,
                                          .instances = struck});
  if (interruption.capacity_after) cloud.market().set_capacity(pool, *interruption.capacity_after);
  for (const InstanceId& id : instances)
    faults::take_instance(cloud, id, interruption.notice, interruption.reason,
                          interruption.loses_volumes);
}

// What interruptions work with; of the run.
struct Hands {
  Simulation& simulation;
  EventLog& log;
  const Streams& streams;
  cloud::Cloud& cloud;
  Foresight& foresight;
  StrikeCounts& struck;
  const CutPowerAt cut_power_at;
};

// An entry of the scenario's list, with its place there.
struct Entry {
  const Interruption& interruption;
  std::size_t place;
};

void strike(const Entry& entry, const market::Pool& pool, const std::vector<InstanceId>& instances,
            const Hands& hands) {
  hands.struck[entry.place] += std::ssize(instances);
  strike(entry.interruption, pool, instances, hands.log, hands.cloud);
}

void at_pool(const Entry& entry, Time start, const Hands& hands) {
  const Interruption& interruption = entry.interruption;
  Simulation& simulation = hands.simulation;
  cloud::Cloud& cloud = hands.cloud;
  const market::Pool pool = *interruption.pool;
  const Time at = start + interruption.after;
  if (interruption.rebalance) {
    simulation.at(std::max(start, at - *interruption.rebalance), [pool, &cloud] {
      for (const InstanceId& id : running_spot(cloud, pool)) cloud.recommend_rebalance(id);
    });
  }
  simulation.at(
      at, [entry, pool, hands] { strike(entry, pool, running_spot(hands.cloud, pool), hands); });
}

bool begins_to_run(const cloud::Instance& instance) {
  return instance.state == cloud::InstanceState::kRunning &&
         instance.lifecycle == cloud::Lifecycle::kSpot;
}

// The instance is known when it is launched, and its time counts from when it runs.
class InterruptsNth : public cloud::Observer {
 public:
  InterruptsNth(const Entry& entry, Hands hands)
      : entry_(entry), interruption_(entry.interruption), hands_(hands) {}

  void instance_state(const cloud::Instance& instance,
                      std::optional<cloud::InstanceState> from) override {
    if (!from && ++launched_ == interruption_.instance) id_ = instance.id;
    if (instance.id != id_ || !begins_to_run(instance)) return;
    interruption_.during ? wait_for_its_file() : put_on_the_clock();
  }

 private:
  void wait_for_its_file() {
    const FileWritten& file = *interruption_.during;
    hands_.cut_power_at(
        id_, {.path = file.path, .bytes = file.bytes, .flushed = file.flushed, .cut = [this] {
                strike_it();
              }});
  }
  void put_on_the_clock() {
    if (const auto rebalance = interruption_.rebalance) {
      hands_.simulation.after(std::max(Duration{}, interruption_.after - *rebalance),
                              [this] { hands_.cloud.recommend_rebalance(id_); });
    }
    hands_.foresight.foretell(id_, hands_.simulation.now() + interruption_.after,
                              interruption_.notice);
    hands_.simulation.after(interruption_.after, [this] { strike_it(); });
  }
  void strike_it() {
    const cloud::Instance& instance = hands_.cloud.instance(id_);
    const bool runs = instance.state == cloud::InstanceState::kRunning;
    strike(entry_, pool_of(instance), runs ? std::vector{id_} : std::vector<InstanceId>{}, hands_);
  }

  Entry entry_;
  const Interruption& interruption_;
  Hands hands_;
  int launched_ = 0;
  InstanceId id_;
};

// Each spot instance, from when it runs, until the end of a lifetime of its own.
class InterruptsEach : public cloud::Observer {
 public:
  InterruptsEach(const Entry& entry, Hands hands)
      : entry_(entry), interruption_(entry.interruption), hands_(hands) {}

  void instance_state(const cloud::Instance& instance,
                      std::optional<cloud::InstanceState>) override {
    if (!begins_to_run(instance)) return;
    if (interruption_.pool && pool_of(instance) != *interruption_.pool) return;
    const InstanceId id = instance.id;
    const auto& [mean, shape] = *interruption_.lifetime;
    const Duration life = hands_.streams.stream("spot-lifetime", id.value).weibull(mean, shape);
    if (const auto rebalance = interruption_.rebalance) {
      hands_.simulation.after(std::max(Duration{}, life - *rebalance),
                              [this, id] { hands_.cloud.recommend_rebalance(id); });
    }
    hands_.foresight.foretell(id, hands_.simulation.now() + life, interruption_.notice);
    hands_.simulation.after(life, [this, id] {
      const cloud::Instance& struck = hands_.cloud.instance(id);
      if (struck.state != cloud::InstanceState::kRunning) return;
      strike(entry_, pool_of(struck), {id}, hands_);
    });
  }

 private:
  Entry entry_;
  const Interruption& interruption_;
  Hands hands_;
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

}  // namespace

void need_no_files(const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.interruptions.size(); ++i)
    if (const auto& file = scenario.interruptions[i].during)
      throw ScenarioError(
          {fmt::format("{}: interruptions[{}].during: found {}, expected none: only process "
                       "guests have files",
                       file->place, i, file->path)});
}

Interrupters schedule(const Scenario& scenario, Simulation& simulation, EventLog& log,
                      const Streams& streams, cloud::Cloud& cloud, Foresight& foresight,
                      StrikeCounts& struck, CutPowerAt cut_power_at) {
  for (const CapacityStep& step : scenario.capacity) {
    const Time at = scenario.start + step.after;
    cloud.market().schedule({at, step.pool, step.slots});
    if (step.reclaim) simulation.at(at, [&log, &cloud, &step] { reclaim(step.pool, log, cloud); });
  }
  if (!cut_power_at) need_no_files(scenario);
  struck.assign(scenario.interruptions.size(), 0);
  const Hands hands{simulation, log, streams, cloud, foresight, struck, std::move(cut_power_at)};
  Interrupters interrupters;
  for (std::size_t i = 0; i < scenario.interruptions.size(); ++i) {
    const Entry entry{scenario.interruptions[i], i};
    if (entry.interruption.lifetime) {
      interrupters.push_back(std::make_unique<InterruptsEach>(entry, hands));
    } else if (entry.interruption.pool) {
      at_pool(entry, scenario.start, hands);
    } else {
      interrupters.push_back(std::make_unique<InterruptsNth>(entry, hands));
    }
  }
  for (const auto& interrupter : interrupters) cloud.observe(*interrupter);
  return interrupters;
}

}  // namespace sim::run
