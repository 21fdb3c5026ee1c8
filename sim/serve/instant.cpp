#include "sim/serve/instant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/market/pool.h"
#include "sim/market/zones.h"

namespace sim::serve {
namespace {

constexpr Duration kEndless = std::chrono::hours(24 * 365);  // no limit ends a served world

// A notice of two minutes is no transition, so it remains. The retry interval of fleets remains,
// too.
void make_instant(cloud::Durations& d) {
  for (cloud::Range* range :
       {&d.spot_evaluation, &d.instance_pending, &d.boot, &d.instance_shutdown, &d.volume_creating,
        &d.volume_attaching, &d.volume_detaching, &d.volume_deleting, &d.volume_modifying,
        &d.snapshot_base, &d.fleet_replenish, &d.autoscaling_reaction, &d.autoscaling_health_check})
    *range = {};
  d.volume_optimizing = {};
  d.stack_step = {};
  d.event_delivery = {};
}

void move(scenario::Scenario& scenario, const std::string& region) {
  const auto moved = [&, from = scenario.cloud.region](const std::string& zone) {
    return market::region_of(zone) == from ? region + zone.substr(from.size()) : zone;
  };
  for (std::string& zone : scenario.cloud.availability_zones) zone = moved(zone);
  for (scenario::CapacityChange& step : scenario.capacity)
    step.pool.availability_zone = moved(step.pool.availability_zone);
  for (faults::Fault& fault : scenario.interruptions) {
    if (auto* law = std::get_if<faults::Lifetime>(&fault.when); law && law->pool)
      law->pool->availability_zone = moved(law->pool->availability_zone);
    if (const auto* pool = fault.arguments.find<market::Pool>("pool"))
      fault.arguments.set("pool",
                          market::Pool{pool->instance_type, moved(pool->availability_zone)});
  }
  market::PriceHistory prices;
  for (auto& [pool, points] : scenario.prices.pools)
    prices.pools[{pool.instance_type, moved(pool.availability_zone)}] = std::move(points);
  scenario.prices = std::move(prices);
  scenario.cloud.region = region;
}

// Adds the zones that AWS has to those of the scenario.
void add_zones(scenario::Region& region) {
  const std::string& name = region.cloud.region;
  auto& zones = region.cloud.availability_zones;
  for (const char letter : market::zone_letters(name)) {
    const std::string zone = name + letter;
    if (std::ranges::find(zones, zone) == zones.end()) zones.push_back(zone);
  }
  std::ranges::sort(zones);
}

void price_every_type(const scenario::Scenario& scenario, scenario::Region& region) {
  for (const auto& [name, type] : *scenario.instance_types) {
    const auto on_demand =
        market::on_demand_price(type, region.cloud.region, scenario.start).per_hour.nano;
    const market::Usd spot{std::llround(static_cast<double>(on_demand) * kInstantSpotShare)};
    for (const std::string& zone : region.cloud.availability_zones)
      region.prices.pools.try_emplace({name, zone},
                                      std::vector<market::PricePoint>{{scenario.start, spot}});
  }
}

// Makes a training job end at the next call.
void train_at_once(scenario::Scenario& scenario) {
  sagemaker::Knobs& knobs = scenario.sagemaker;
  knobs.image_download = {};
  knobs.transfer.request = {};
  knobs.transfer.bytes_per_second = std::numeric_limits<std::int64_t>::max();
  scenario.trainer =
      guest::TrainerModel{.steps = 1, .checkpoint_bytes = 1, .step_time = Duration{}};
}

}  // namespace

scenario::Scenario instant(scenario::Scenario scenario, const std::string& region) {
  make_instant(scenario.cloud.durations);
  train_at_once(scenario);
  if (region != scenario.cloud.region) move(scenario, region);
  add_zones(scenario);
  price_every_type(scenario, scenario);
  for (scenario::Region& further : scenario.further_regions) {
    make_instant(further.cloud.durations);
    add_zones(further);
    price_every_type(scenario, further);
  }
  return scenario;
}

scenario::Scenario default_scenario(Time start) {
  scenario::Scenario scenario;
  scenario.name = "default";
  scenario.start = start;
  scenario.limit = kEndless;
  add_zones(scenario);
  price_every_type(scenario, scenario);
  return scenario;
}

void move_to(scenario::Scenario& scenario, Time start) {
  const Duration by = start - scenario.start;
  scenario.start = start;
  for (auto& [pool, points] : scenario.prices.pools)
    for (market::PricePoint& point : points) point.at += by;
  for (scenario::Region& further : scenario.further_regions)
    for (auto& [pool, points] : further.prices.pools)
      for (market::PricePoint& point : points) point.at += by;
}

}  // namespace sim::serve
