#include "sim/run/further_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fakes/fis/fault_injector.h"
#include "sim/cloud/log_writer.h"
#include "sim/market/market.h"
#include "sim/run/planned_strikes.h"
#include "sim/run/schedule.h"

namespace sim::run {

// Members are constructed in the order of their dependencies.
struct FurtherRegions::One {
  One(const scenario::Scenario& scenario, const scenario::Region& region, EventLog& main,
      cloud::Host& host, fakes::Backend& first)
      : log(main, region.cloud.region),
        streams(first.streams.stream("region", region.cloud.region).next()),
        market(first.simulation, log, {std::shared_ptr<const scenario::Scenario>(), &region.prices},
               {region.cloud.region, scenario.instance_types, scenario.start}),
        cloud(first.simulation, streams, market, host, region.cloud),
        log_writer(first.simulation, log),
        backend{.cloud = cloud,
                .simulation = first.simulation,
                .log = log,
                .streams = streams,
                .latencies = first.latencies,
                .store = first.store,
                .iam = first.iam} {
    cloud.observe(log_writer);
    backend.skipped_resource_types = scenario.skipped_resource_types;
    schedule_capacity(region, first.simulation, log, cloud);
  }

  EventLog log;
  Streams streams;
  market::Market market;
  cloud::Cloud cloud;
  cloud::LogWriter log_writer;
  fakes::Backend backend;
};

FurtherRegions::FurtherRegions(const scenario::Scenario& scenario, EventLog& log, cloud::Host& host,
                               fakes::Backend& first) {
  if (scenario.further_regions.empty()) return;
  std::vector<fakes::Backend*> all{&first};
  for (const scenario::Region& region : scenario.further_regions) {
    regions_.push_back(std::make_unique<One>(scenario, region, log, host, first));
    all.push_back(&regions_.back()->backend);
  }
  for (fakes::Backend* backend : all) backend->regions = all;
  for (const auto& region : regions_) fakes::bill_services(region->backend);
}

FurtherRegions::~FurtherRegions() = default;

namespace {

bool has_plans(const scenario::Region& region) {
  return !region.interruptions.empty() || !region.faults.empty();
}

void check_kinds(const scenario::Scenario& scenario, std::size_t region,
                 const guest::FaultTarget& guests) {
  const scenario::Region& there = scenario.further_regions[region];
  for (const auto& [key, plan] :
       {std::pair("faults", &there.faults), std::pair("interruptions", &there.interruptions)})
    if (const auto refused = faults::first_refused(*plan, guests))
      throw scenario::ScenarioError(
          {fmt::format("{}: regions[{}].{}[{}].kind: found {}, expected a kind that these guests "
                       "can have (docs/faults.md)",
                       scenario.file.string(), region, key, *refused, (*plan)[*refused].kind)});
}

}  // namespace

void FurtherRegions::follow_plans(const scenario::Scenario& scenario, guest::FaultTarget& guests,
                                  const faults::JobFacts& job, Engines& engines) {
  engines.resize(regions_.size());
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const scenario::Region& region = scenario.further_regions[i];
    One& here = *regions_[i];
    const auto engine = [&here, &guests, job, &engine = engines[i]]() -> faults::Engine& {
      if (!engine) {
        engine = std::make_unique<faults::Engine>(here.backend.simulation, here.log, here.streams,
                                                  here.cloud, guests, job, faults::Foretell{},
                                                  here.cloud.config().region);
        here.backend.interference = engine.get();
      }
      return *engine;
    };
    fakes::fis::set_fault_injector(here.backend, engine);
    if (!has_plans(region)) continue;
    check_kinds(scenario, i, guests);
    engine().follow(region.faults);
    engine().follow(region.interruptions);
  }
}

std::vector<result::PlannedStrike> FurtherRegions::strikes(const scenario::Scenario& scenario,
                                                           const Engines& engines,
                                                           const result::History& history) const {
  std::vector<result::PlannedStrike> all;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    const scenario::Region& region = scenario.further_regions[i];
    if (!has_plans(region)) continue;
    for (auto& strike :
         planned_strikes(region, engines[i]->tallies(), history, fmt::format("regions[{}].", i)))
      all.push_back(std::move(strike));
  }
  return all;
}

void FurtherRegions::share_work(const fakes::Backend& first) {
  for (const auto& region : regions_) {
    region->backend.find_work = first.find_work;
    region->backend.cpu = first.cpu;
  }
}

void FurtherRegions::observe(cloud::Observer& observer) {
  for (const auto& region : regions_) region->cloud.observe(observer);
}

bool FurtherRegions::anything_active() const {
  return std::ranges::any_of(regions_,
                             [](const auto& region) { return is_active(region->backend); });
}

market::Usd FurtherRegions::cost_so_far() const {
  market::Usd cost;
  for (const auto& region : regions_) cost += region->cloud.cost_so_far();
  return cost;
}

market::Usd FurtherRegions::close_books() {
  market::Usd total;
  for (const auto& region : regions_) {
    region->cloud.close_books();
    total += region->cloud.ledger().total();
  }
  return total;
}

bool is_active(const fakes::Backend& backend) {
  return backend.cloud.anything_running() || backend.training.any_active() ||
         backend.elastigroups.any_active() || backend.groups.any_may_launch() ||
         fakes::stacks_in_progress(backend);
}

}  // namespace sim::run
