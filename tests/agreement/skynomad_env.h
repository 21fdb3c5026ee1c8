// The loop of skynomad_loop.h: the world that its rules act in (MultiTraceEnv of sky_spot/env.py).
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/ticks/pools.h"

namespace sim::agreement::skynomad_loop {

enum class Cluster { kNone, kSpot, kOnDemand };
using Instance = std::pair<std::size_t, Cluster>;

// MultiTraceEnv, and the task's progress.
struct SkyNomadEnv {
  SkyNomadEnv(const ticks::TickJob& j, const ticks::Pools& p)
      : job(j),
        pools(p),
        n(p.pools.size()),
        gap(seconds(j.tick)),
        deadline(seconds(j.deadline) / 3600 * 3600),
        task(j.deadline_ratio > 0 ? seconds(j.deadline) / 3600 / j.deadline_ratio * 3600
                                  : seconds(j.work) / 3600 * 3600),
        overhead(seconds(j.changeover) / 3600 * 3600),
        env_tick(n, 0) {}

  bool spot_at(std::size_t r, std::int64_t at) const {
    const auto& there = pools.pools[r].spot.available;
    return at < std::ssize(there) && there[static_cast<std::size_t>(at)] > 0;
  }
  double price_at(std::size_t r, Cluster type, std::int64_t at) const {
    const ticks::PoolWindow& pool = pools.pools[r];
    return type == Cluster::kSpot
               ? ticks::spot_price(pool, job, static_cast<std::size_t>(at)).dollars()
               : ticks::on_demand_price(pool, job).dollars();
  }
  double elapsed() const { return static_cast<double>(tick) * gap; }
  double remaining() const { return task - std::accumulate(done.begin(), done.end(), 0.0); }
  std::string region_of_zone(std::size_t r) const {
    const std::string& zone = pools.pools[r].name;
    return zone.substr(0, zone.find_last_of("0123456789") + 1);
  }

  bool try_launch(std::size_t r, Cluster type) {
    if (type == Cluster::kSpot) {
      env_tick[r] = tick;
      if (!spot_at(r, tick)) return false;
    }
    if (active.contains({r, type})) return true;
    active[{r, type}] = tick;
    launched = {{r, leader}};
    return true;
  }
  void terminate(std::size_t r, Cluster type) { active.erase({r, type}); }
  bool probe(std::size_t r) {
    env_tick[r] = tick;
    if (spot_at(r, tick)) probes.insert(r);
    return spot_at(r, tick);
  }

  // observe(): the tick before is billed.
  void bill_last_tick() {
    const std::int64_t before = tick - 1;
    std::map<std::size_t, Cluster> bill;
    for (const auto& [instance, since] : active) bill[instance.first] = instance.second;
    for (const std::size_t r : probes) bill.emplace(r, Cluster::kSpot);
    for (const auto& [r, type] : bill) {
      const bool minute = probes.contains(r) && type == Cluster::kSpot;
      const double cost = price_at(r, type, before) * (minute ? 60.0 : gap) / 3600;
      compute += cost;
      if (probes.contains(r)) probe_cost[r] += cost;
    }
    probes.clear();
    launched_before = std::exchange(launched, std::nullopt);
  }

  // update_strategy_progress(): accounts for the previous tick, then finds the preempted regions.
  void progress() {
    double worked = 0;
    if (!active.empty()) {
      const std::size_t r = active.begin()->first.first;
      if (launched_before) {
        const auto [to, from] = *launched_before;
        if (from && *from != to) transfer += pools.move(*from, to).egress.dollars();
        restart = overhead;
      }
      worked = std::min(std::max(gap - restart, 0.0), remaining());
      restart = std::max(restart - gap, 0.0);
      leader = r;
    }
    done.push_back(worked);
    std::erase_if(active, [&](const auto& entry) {
      return entry.first.second == Cluster::kSpot && !spot_at(entry.first.first, tick);
    });
  }

  double time_left() const { return std::floor((deadline - elapsed()) / gap) * gap; }

  // maybe_trigger_safety_net(): true when it decides instead of the strategy.
  bool safety_net() {
    const double needed = std::ceil((remaining() + overhead) / gap) * gap;
    if (!latched && needed < time_left()) return false;
    latched = true;
    if (active.empty()) {
      try_launch(cheapest(), Cluster::kOnDemand);
    } else if (active.begin()->first.second == Cluster::kSpot) {
      const std::size_t r = active.begin()->first.first;
      terminate(r, Cluster::kSpot);
      try_launch(r, Cluster::kOnDemand);
    }
    return true;
  }
  std::size_t cheapest() const {
    std::vector<double> costs;
    for (std::size_t r = 0; r < n; ++r)
      costs.push_back(price_at(r, Cluster::kOnDemand, tick) * remaining() / 3600.0 +
                      (leader && *leader != r ? pools.move(*leader, r).egress.dollars() : 0.0));
    return static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
  }

  const ticks::TickJob& job;
  const ticks::Pools& pools;
  std::size_t n;
  double gap, deadline, task, overhead;
  std::vector<std::int64_t> env_tick;  // the tick whose price a region shows
  std::int64_t tick = 0;
  std::map<Instance, std::int64_t> active;
  std::set<std::size_t> probes;
  std::map<std::size_t, double> probe_cost;                           // probe_cost_by_region
  using Launch = std::pair<std::size_t, std::optional<std::size_t>>;  // to, from
  std::optional<Launch> launched, launched_before;
  std::optional<std::size_t> leader;
  std::vector<double> done;
  double restart = 0, compute = 0, transfer = 0;
  bool latched = false;
};

struct SkyNomadRule {
  virtual ~SkyNomadRule() = default;
  virtual void step() = 0;
};
// unified_cost_model.py, or its variant for V100s.
std::unique_ptr<SkyNomadRule> make_unified_cost_model(SkyNomadEnv& env, bool v100);

}  // namespace sim::agreement::skynomad_loop
