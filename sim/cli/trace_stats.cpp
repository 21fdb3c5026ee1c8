#include <fmt/format.h>

#include "sim/cli/trace_commands.h"
#include "sim/kernel/event_log.h"
#include "sim/market/availability_statistics.h"

namespace sim::cli {
namespace {

using market::CapacitySeries;
using market::Pool;

constexpr Duration kTick = 1min;             // of correlations
constexpr std::size_t kMostCorrelated = 12;  // pools; more make no table

std::string name_of(const Pool& pool) {
  return pool.availability_zone.empty() ? pool.instance_type : to_string(pool);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Laws are fitted to samples of at least this many stretches.
bool enough(const std::vector<double>& sample) { return sample.size() >= 5; }

Json fit_json(const market::Fit& fit) {
  return {
      {"mean_hours", fit.mean}, {"shape", fit.shape}, {"ks_distance", fit.distance}, {"p", fit.p}};
}

Json pool_json(const Pool& pool, const CapacitySeries& series, std::int64_t instances) {
  const auto s = market::statistics_of(series, instances);
  const auto stretches = market::stretches_of(series, instances);
  Json json = {{"pool", name_of(pool)},
               {"hours", s.hours},
               {"available", s.available},
               {"interruptions", s.interruptions},
               {"mean_time_between_interruptions_hours", s.mean_time_between_interruptions},
               {"mean_up_hours", mean_of(stretches.up)},
               {"mean_down_hours", mean_of(stretches.down)}};
  for (const auto& [key, sample] :
       {std::pair{"up", &stretches.up}, std::pair{"down", &stretches.down}}) {
    if (!enough(*sample)) continue;
    json["fits"][key] = {{"exponential", fit_json(market::fit_exponential(*sample))},
                         {"weibull", fit_json(market::fit_weibull(*sample))}};
  }
  return json;
}

void print_fit(const std::vector<double>& sample, const char* what) {
  if (!enough(sample)) return;
  const auto e = market::fit_exponential(sample), w = market::fit_weibull(sample);
  fmt::print(
      "    {:<5} exponential mean {:.3f} h: D {:.3f}, p {:.3f}   Weibull mean {:.3f} h, shape "
      "{:.2f}: D {:.3f}, p {:.3f}\n",
      what, e.mean, e.distance, e.p, w.mean, w.shape, w.distance, w.p);
}

void print_pools(const market::AvailabilityTrace& trace, std::int64_t instances) {
  fmt::print("{:<34} {:>8} {:>9} {:>6} {:>8} {:>8} {:>8}\n", "pool", "hours", "available", "ends",
             "MTBF h", "up h", "down h");
  for (const auto& [pool, series] : trace.pools) {
    const auto s = market::statistics_of(series, instances);
    const auto stretches = market::stretches_of(series, instances);
    fmt::print("{:<34} {:>8.1f} {:>8.2f}% {:>6} {:>8.2f} {:>8.2f} {:>8.2f}\n", name_of(pool),
               s.hours, s.available * 100, s.interruptions, s.mean_time_between_interruptions,
               mean_of(stretches.up), mean_of(stretches.down));
    print_fit(stretches.up, "up");
    print_fit(stretches.down, "down");
  }
}

void print_correlations(const market::AvailabilityTrace& trace, std::int64_t instances) {
  if (trace.pools.size() < 2 || trace.pools.size() > kMostCorrelated) return;
  fmt::print("\ncorrelation of having capacity\n");
  for (const auto& [pool, series] : trace.pools) {
    fmt::print("{:<34}", name_of(pool));
    for (const auto& [other, theirs] : trace.pools)
      fmt::print(" {:>6.2f}", market::correlation(series, theirs, instances, kTick));
    fmt::print("\n");
  }
}

}  // namespace

void trace_stats(const TraceStats& command) {
  market::AvailabilityTrace trace;
  for (const std::filesystem::path& file : command.files)
    for (auto& [pool, series] : market::read_availability(file).pools)
      if (!trace.pools.emplace(pool, series).second)
        throw market::TraceError(file.string() + ": " + name_of(pool) +
                                 " is in an earlier file too");
  if (!command.json) {
    print_pools(trace, command.instances);
    return print_correlations(trace, command.instances);
  }
  Json pools = Json::array();
  for (const auto& [pool, series] : trace.pools)
    pools.push_back(pool_json(pool, series, command.instances));
  fmt::print("{}\n", Json{{"pools", pools}}.dump(2));
}

}  // namespace sim::cli
