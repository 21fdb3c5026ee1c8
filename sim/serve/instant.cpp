#include "sim/serve/instant.h"

#include <cmath>

#include "sim/market/pool.h"

namespace sim::serve {
namespace {

// A warning of two minutes is no transition: it stays, as does how often a fleet without capacity
// tries again.
void make_instant(cloud::Durations& d) {
  for (cloud::Range* range :
       {&d.spot_evaluation, &d.instance_pending, &d.boot, &d.instance_shutdown, &d.volume_creating,
        &d.volume_attaching, &d.volume_detaching, &d.volume_deleting, &d.snapshot_base,
        &d.fleet_replenish})
    *range = {};
}

void move(run::Scenario& scenario, const std::string& region) {
  const auto moved = [&, from = scenario.cloud.region](const std::string& zone) {
    return market::region_of(zone) == from ? region + zone.substr(from.size()) : zone;
  };
  for (std::string& zone : scenario.cloud.availability_zones) zone = moved(zone);
  for (run::CapacityStep& step : scenario.capacity)
    step.pool.availability_zone = moved(step.pool.availability_zone);
  for (run::Interruption& interruption : scenario.interruptions)
    if (interruption.pool)
      interruption.pool->availability_zone = moved(interruption.pool->availability_zone);
  market::PriceHistory prices;
  for (auto& [pool, points] : scenario.prices.pools)
    prices.pools[{pool.instance_type, moved(pool.availability_zone)}] = std::move(points);
  scenario.prices = std::move(prices);
  scenario.cloud.region = region;
}

void price_every_type(run::Scenario& scenario) {
  for (const auto& [name, type] : *scenario.instance_types) {
    const auto on_demand = market::on_demand_price(type, scenario.cloud.region).per_hour.nano;
    const market::Usd spot{std::llround(static_cast<double>(on_demand) * kInstantSpotShare)};
    for (const std::string& zone : scenario.cloud.availability_zones)
      scenario.prices.pools.try_emplace({name, zone},
                                        std::vector<market::PricePoint>{{scenario.start, spot}});
  }
}

}  // namespace

run::Scenario instant(run::Scenario scenario, const std::string& region) {
  make_instant(scenario.cloud.durations);
  if (region != scenario.cloud.region) move(scenario, region);
  price_every_type(scenario);
  return scenario;
}

}  // namespace sim::serve
