#include "sim/cli/trace/trace_report.h"

#include <fmt/format.h>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"

namespace sim::cli {
namespace {

using laws::Fit;
using laws::LifetimeSample;
using market::PriceHistory;
using traces::AvailabilityTrace;
using traces::CapacitySeries;

constexpr Duration kTick = 1min;           // of correlations
constexpr std::size_t kMostCompared = 12;  // pools

template <typename Pools, typename Correlate>
std::vector<PairCorrelation> of_each_two(const Pools& pools, const Correlate& correlate) {
  std::vector<PairCorrelation> pairs;
  if (pools.size() > kMostCompared) return pairs;
  for (auto a = pools.begin(); a != pools.end(); ++a)
    for (auto b = std::next(a); b != pools.end(); ++b)
      pairs.push_back({to_string(a->first), to_string(b->first), correlate(a->second, b->second)});
  return pairs;
}

Json number(std::optional<double> value) { return value ? Json(*value) : Json(); }

struct JudgedFit {
  Fit fit;
  std::optional<double> p;
};
// Fits the laws to a sample. Empty if the sample has too few stretches.
std::vector<JudgedFit> judged_fits(const LifetimeSample& sample, std::size_t pools) {
  std::vector<JudgedFit> all;
  if (sample.whole.size() < kFewestStretches) return all;
  for (const Fit& fit : laws::fit_all(sample)) {
    all.push_back({fit, {}});
    if (pools <= kMostCompared) all.back().p = laws::bootstrap_p(fit, sample);
  }
  return all;
}

void print_sample_fits(const std::string& pool, const char* what, const LifetimeSample& sample,
                       std::size_t pools) {
  std::string name = pool, kind = what;
  for (const auto& [fit, p] : judged_fits(sample, pools)) {
    std::string parameters;
    for (std::size_t i = 0; i < fit.law->parameters.size(); ++i)
      parameters += fmt::format(" {} {:.3f}", fit.law->parameters[i], fit.parameters[i]);
    fmt::print("{:<34} {:<5} {:>6} {:>3} {:<12} {:>8.2f} {:>6.3f} {} {} {}\n", name, kind,
               sample.whole.size(), sample.cut.size(), fit.law->name, fit.mean, fit.distance,
               in_column(p, 6, 3), in_column(fit.aic, 10, 1), parameters);
    name.clear(), kind.clear();
  }
}

Json sample_fits_json(const LifetimeSample& sample, std::size_t pools) {
  Json json;
  for (const auto& [fit, p] : judged_fits(sample, pools)) {
    Json& one = json[std::string(fit.law->name)] = {{"mean_hours", fit.mean},
                                                    {"ks_distance", fit.distance},
                                                    {"p", number(p)},
                                                    {"aic", number(fit.aic)}};
    for (std::size_t i = 0; i < fit.law->parameters.size(); ++i)
      one["parameters"][std::string(fit.law->parameters[i])] = fit.parameters[i];
  }
  return json;
}

}  // namespace

std::optional<double> observed(double mean) {
  return mean > 0 ? std::optional(mean) : std::nullopt;
}

std::optional<double> changes_a_day(const laws::PriceStatistics& s) {
  return s.last > s.first ? std::optional(s.changes_a_day) : std::nullopt;
}

std::string in_column(std::optional<double> value, int width, int digits) {
  return value ? fmt::format("{:>{}.{}f}", *value, width, digits)
               : fmt::format("{:>{}}", "-", width);
}

void print_fits(const AvailabilityTrace& trace, std::int64_t instances) {
  print_heading(fmt::format("{:<34} {:<5} {:>6} {:>3} {:<12} {:>8} {:>6} {:>6} {:>10}  {}\n",
                            "stretches of", "", "whole", "cut", "law", "mean h", "KS D", "p", "AIC",
                            "parameters, hours"));
  for (const auto& [pool, series] : trace.pools) {
    const auto stretches = laws::stretches_of(series, instances);
    print_sample_fits(to_string(pool), "up", stretches.up, trace.pools.size());
    print_sample_fits(to_string(pool), "down", stretches.down, trace.pools.size());
  }
}

std::vector<Json> fits_json(const AvailabilityTrace& trace, std::int64_t instances) {
  std::vector<Json> all;
  for (const auto& [pool, series] : trace.pools) {
    const auto stretches = laws::stretches_of(series, instances);
    Json json = Json::object();
    for (const auto& [what, sample] :
         {std::pair{"up", &stretches.up}, std::pair{"down", &stretches.down}})
      if (Json fits = sample_fits_json(*sample, trace.pools.size()); !fits.empty())
        json[what] = fits;
    all.push_back(std::move(json));
  }
  return all;
}

Json statistics_json(const CapacitySeries& series, std::int64_t instances) {
  const auto s = laws::statistics_of(series, instances);
  return {{"hours", s.hours},
          {"available", s.available},
          {"interruptions", s.interruptions},
          {"mean_time_between_interruptions_hours",
           number(observed(s.mean_time_between_interruptions))},
          {"mean_up_hours", number(observed(s.mean_up))},
          {"mean_down_hours", number(observed(s.mean_down))}};
}

Json statistics_json(const std::vector<market::PricePoint>& points) {
  const auto s = laws::statistics_of(points);
  return {{"points", s.points},          {"first", iso_seconds(s.first)},
          {"last", iso_seconds(s.last)}, {"p5", format_usd(s.p5)},
          {"p50", format_usd(s.p50)},    {"p95", format_usd(s.p95)},
          {"mean", format_usd(s.mean)},  {"changes_a_day", number(changes_a_day(s))}};
}

std::vector<PairCorrelation> correlations(const AvailabilityTrace& trace, std::int64_t instances) {
  return of_each_two(trace.pools, [&](const CapacitySeries& a, const CapacitySeries& b) {
    return laws::correlation(a, b, instances, kTick);
  });
}

std::vector<PairCorrelation> correlations(const PriceHistory& history, std::int64_t) {
  return of_each_two(history.pools,
                     [](const auto& a, const auto& b) { return laws::correlation(a, b); });
}

void print_correlations(const std::string& what, const std::vector<PairCorrelation>& pairs) {
  if (pairs.empty()) return;
  print_heading(fmt::format("\ncorrelation of {}\n", what));
  for (const PairCorrelation& pair : pairs)
    fmt::print("{:<34} {:<34} {}\n", pair.a, pair.b, in_column(pair.value, 6, 2));
}

Json correlations_json(const std::vector<PairCorrelation>& pairs) {
  Json json = Json::array();
  for (const PairCorrelation& pair : pairs)
    json.push_back({{"a", pair.a}, {"b", pair.b}, {"correlation", number(pair.value)}});
  return json;
}

}  // namespace sim::cli
