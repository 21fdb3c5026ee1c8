#include "orchestrator/acquire/strategy_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time/duration.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/fleet_file.h"
#include "policies/acquisition/trying_strategy.h"
#include "policies/checkpoint/policy.h"

namespace spotrun {
namespace {

using std::chrono::nanoseconds;

[[noreturn]] void bad_strategy(const std::string& where, const std::string& what) {
  throw Failure(ExitCode::kBadInput, where + ": " + what);
}

nanoseconds duration_of(const std::string& option, const std::string& text) {
  const auto duration = base::parse_positive_duration(text);
  if (!duration || *duration < Duration{1})
    bad_strategy(option, fmt::format("found \"{}\", expected a duration such as 48h", text));
  return *duration;
}

policies::AcquisitionJob read_job(const StrategyOptions& options) {
  policies::AcquisitionJob job{.work = duration_of("--work", options.work),
                               .deadline = duration_of("--deadline", options.deadline),
                               .changeover = duration_of("--changeover", options.changeover),
                               .tick = duration_of("--tick", options.tick)};
  if (job.tick < std::chrono::minutes(1))
    bad_strategy("--tick", fmt::format("found \"{}\", expected at least 1m", options.tick));
  const Duration delay = kBetweenLooks + kLongestNotice;
  if (job.deadline < job.work || job.deadline - job.work < job.changeover + job.tick + delay)
    bad_strategy(
        "--deadline",
        fmt::format("found \"{}\", expected at least the work, a changeover, a tick and a late "
                    "decision: {} and {} and {} and {}s",
                    options.deadline, options.work, options.changeover, options.tick,
                    delay / std::chrono::seconds(1)));
  job.deadline -= delay;
  return job;
}

void add_pools(const nlohmann::json& specification, const std::string& where, const Job& job,
               std::vector<StrategyPool>& pools) {
  const auto zones = zones_of(specification);
  if (zones.empty())
    bad_strategy(where + "/Placement/AvailabilityZone",
                 "found none, expected the zones from which the strategy chooses");
  for (const std::string& zone : zones) {
    StrategyPool pool{.instance = instance_like(specification, job, zone)};
    const std::string& type = pool.instance.instance_type;
    const bool known = std::any_of(pools.begin(), pools.end(), [&](const StrategyPool& other) {
      return other.instance.instance_type == type && other.instance.availability_zone == zone;
    });
    if (known)
      bad_strategy(where, fmt::format("found {} in {} again, expected it once", type, zone));
    pool.on_demand = on_demand_price(job, type, "--strategy: found " + type);
    pools.push_back(std::move(pool));
  }
}

// Sets the pools' speeds, so that work counts the same on every instance type.
void set_speeds(const Job& job, std::vector<StrategyPool>& pools) {
  const auto& first = pools.front().instance.instance_type;
  if (std::all_of(pools.begin(), pools.end(),
                  [&](const StrategyPool& pool) { return pool.instance.instance_type == first; }))
    return;
  std::vector<double> step_times;
  for (const StrategyPool& pool : pools) {
    // Types with an on-demand price have a step time, too.
    const auto step_time =
        base::parse_positive_duration(job.step_time.at(pool.instance.instance_type));
    step_times.push_back(std::chrono::duration<double>(*step_time).count());
  }
  const double slowest = *std::max_element(step_times.begin(), step_times.end());
  for (std::size_t p = 0; p < pools.size(); ++p) pools[p].speed = slowest / step_times[p];
}

}  // namespace

StrategyPlan read_plan(const StrategyOptions& options, const nlohmann::json& fleet,
                       const std::string& file, const Job& job) {
  StrategyPlan plan{.strategy = options.strategy,
                    .job = read_job(options),
                    .move = duration_of("--move", options.move),
                    .anew = options.anew};
  if (const auto target = fleet.find("TargetCapacity"); target != fleet.end() && *target != 1)
    bad_strategy(
        file, fmt::format("/TargetCapacity: found {}, expected 1: a strategy rents one instance at "
                          "a time",
                          target->dump()));
  const auto& specifications = fleet.at("LaunchSpecifications");
  for (std::size_t i = 0; i < specifications.size(); ++i)
    add_pools(specifications[i], fmt::format("{}: /LaunchSpecifications/{}", file, i), job,
              plan.pools);
  set_speeds(job, plan.pools);
  try {
    policies::TryingStrategy(plan.strategy, plan.job, plan.pools.size(), plan.move);
  } catch (const std::invalid_argument& error) {
    bad_strategy("--strategy", error.what());
  } catch (const policies::PolicyFailed& error) {
    bad_strategy("--strategy", error.what());
  }
  return plan;
}

}  // namespace spotrun
