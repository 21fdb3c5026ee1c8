#include "sim/run/schedule.h"

#include <fmt/format.h>

#include "sim/events/event.h"
#include "sim/faults/take_back.h"

namespace sim::run {
namespace {

// Interrupts the pool's newest spot instances until it fits its slots. Instances that have a notice
// do not count.
void reclaim(const market::Pool& pool, EventLog& log, cloud::Cloud& cloud) {
  const auto surplus = faults::surplus_spot(cloud, pool);
  faults::log_interruption(log, cloud.simulation().now(), pool, surplus);
  for (const cloud::InstanceId& id : surplus)
    cloud.interrupt(id, cloud::Cloud::Notice::kGiven, "no-capacity");
}

}  // namespace

void need_no_files(const scenario::Scenario& scenario) {
  const auto check = [](const scenario::Region& region, const std::string& prefix) {
    for (std::size_t i = 0; i < region.interruptions.size(); ++i) {
      const faults::Fault& fault = region.interruptions[i];
      if (fault.kind == "torn-write")
        throw scenario::ScenarioError({fmt::format(
            "{}: {}interruptions[{}].during: found {}, expected none: only process guests have "
            "files",
            fault.interruption->place, prefix, i, fault.arguments.get<std::string>("path"))});
    }
  };
  check(scenario, "");
  for (std::size_t i = 0; i < scenario.further_regions.size(); ++i)
    check(scenario.further_regions[i], fmt::format("regions[{}].", i));
}

void schedule_capacity(const scenario::Region& region, Simulation& simulation, EventLog& log,
                       cloud::Cloud& cloud) {
  const Time start = simulation.now();
  for (const scenario::CapacityChange& step : region.capacity) {
    const Time at = start + step.after;
    cloud.market().schedule({at, step.pool, step.slots});
    if (step.reclaim) simulation.at(at, [&log, &cloud, &step] { reclaim(step.pool, log, cloud); });
  }
  market::Market& market = cloud.market();
  if (region.quotas != market::Quotas{}) market.set_quotas(region.quotas);
  for (const scenario::CapacityChange& step : region.on_demand_capacity)
    simulation.at(start + step.after,
                  [&market, &step] { market.set_on_demand_capacity(step.pool, step.slots); });
}

}  // namespace sim::run
