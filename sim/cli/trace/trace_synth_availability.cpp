// Availability drawn from --pool TYPE/AZ=UP:DOWN, or like a trace: by laws of stretches fitted to
// it, or by its pools' joint Markov chain.
#include <fmt/format.h>

#include <cmath>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/trace/trace_report.h"
#include "sim/cli/trace/trace_synth.h"
#include "sim/events/event.h"
#include "sim/laws/synthesize_availability.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

using laws::DrawnSpan;
using laws::Fit;
using laws::PoolRenewal;
using traces::AvailabilityTrace;
using traces::TraceError;

constexpr std::int64_t kMostTicks = 10'000'000;  // limit of a pool's file

DrawnSpan span_of(const SynthTrace& command, Time first, Time last, Duration tick) {
  const auto [from, to] = span_options(command, first, last);
  if ((to - from) / tick >= kMostTicks)
    throw TraceError(fmt::format("more than {} ticks of {}, expected a longer --tick", kMostTicks,
                                 format_duration(tick)));
  return {
      .from = from, .to = to, .tick = tick, .instances = command.instances, .seed = command.seed};
}

laws::LawParameters with_mean(Duration mean, double shape) {
  return {seconds(mean) / 3600 / std::tgamma(1 + 1 / shape), shape};
}

// Parses "UP:DOWN", the mean times with and without capacity.
PoolRenewal renewal_option(const PoolOption& option, const SynthTrace& command) {
  const std::size_t colon = option.value.find(':');
  if (colon == option.value.npos)
    throw TraceError("--pool " + option.text + ": expected UP:DOWN such as 5h:2h");
  const std::string name = "--pool " + option.text;
  const Duration up = duration_option(name, std::string(option.value.substr(0, colon)));
  const Duration down = duration_option(name, std::string(option.value.substr(colon + 1)));
  return {.pool = option.pool,
          .up_law = &laws::kWeibull,
          .up = with_mean(up, command.up_shape),
          .down_law = &laws::kWeibull,
          .down = with_mean(down, command.down_shape)};
}

// Fits the law that --law names, or the best law. The sample must have enough stretches.
Fit chosen(const laws::LifetimeSample& sample, const SynthTrace& command, const std::string& what) {
  if (sample.whole.size() < kFewestStretches) {
    throw TraceError(
        fmt::format("{}: found {} whole stretches {}, expected at least {} to fit a "
                    "law to; --law markov needs none",
                    what, sample.whole.size(), "of one kind", kFewestStretches));
  }
  if (command.law == "best") return laws::best_fit(sample);
  return laws::fit(*laws::find_lifetime_law(command.law), sample);
}

AvailabilityTrace by_laws(const AvailabilityTrace& source, const SynthTrace& command,
                          const DrawnSpan& span) {
  std::vector<PoolRenewal> pools;
  for (const auto& [pool, series] : source.pools) {
    const auto stretches = laws::stretches_of(series, command.instances);
    const Fit up = chosen(stretches.up, command, to_string(pool));
    const Fit down = chosen(stretches.down, command, to_string(pool));
    pools.push_back({pool, up.law, up.parameters, down.law, down.parameters});
  }
  return laws::synthesize(pools, span);
}

Duration tick_of(const AvailabilityTrace& source, const SynthTrace& command) {
  if (!command.tick.empty()) return duration_option("--tick", command.tick);
  Duration tick = traces::common_tick(source.pools.begin()->second);
  for (const auto& [pool, series] : source.pools)
    tick = std::min(tick, traces::common_tick(series));
  return tick;
}

void print(const AvailabilityTrace& source, const AvailabilityTrace& drawn,
           std::int64_t instances) {
  print_fits(source, instances);
  print_heading(fmt::format("\n{:<34} {:<9} {:>8} {:>9} {:>8} {:>8} {:>8}\n", "pool", "", "hours",
                            "available", "MTBF h", "up h", "down h"));
  for (const auto& [pool, series] : source.pools)
    for (const auto& [what, of] :
         {std::pair{"source", &series}, std::pair{"synthetic", &drawn.pools.at(pool)}}) {
      const auto s = laws::statistics_of(*of, instances);
      fmt::print("{:<34} {:<9} {:>8.1f} {:>8.2f}% {:>8.2f} {:>8.2f} {:>8.2f}\n", to_string(pool),
                 what, s.hours, s.available * 100, s.mean_time_between_interruptions, s.mean_up,
                 s.mean_down);
    }
  print_correlations("having capacity, source", correlations(source, instances));
  print_correlations("having capacity, synthetic", correlations(drawn, instances));
}

Json json_of_availability(const AvailabilityTrace& source, const AvailabilityTrace& drawn,
                          const SynthTrace& command) {
  Json pools = Json::array();
  const std::vector<Json> fits = fits_json(source, command.instances);
  for (const auto& [pool, series] : source.pools)
    pools.push_back({{"pool", to_string(pool)},
                     {"fits", fits[pools.size()]},
                     {"source", statistics_json(series, command.instances)},
                     {"synthetic", statistics_json(drawn.pools.at(pool), command.instances)}});
  return {{"law", command.law},
          {"pools", pools},
          {"source_correlations", correlations_json(correlations(source, command.instances))},
          {"synthetic_correlations", correlations_json(correlations(drawn, command.instances))}};
}

}  // namespace

void synth_availability(const SynthTrace& command, const std::vector<PoolOption>& pools) {
  const Duration tick = command.tick.empty() ? 10min : duration_option("--tick", command.tick);
  std::vector<PoolRenewal> renewals;
  for (const PoolOption& option : pools) renewals.push_back(renewal_option(option, command));
  const DrawnSpan span = span_of(command, {}, {}, tick);
  write_availability(laws::synthesize(renewals, span), tick, command.out);
}

void synth_like(const AvailabilityTrace& source, const SynthTrace& command) {
  Time first = Time::max(), last = Time::min();
  for (const auto& [pool, series] : source.pools) {
    first = std::min(first, series.steps.front().at);
    last = std::max(last, series.end);
  }
  const DrawnSpan span = span_of(command, first, last, tick_of(source, command));
  const AvailabilityTrace drawn =
      command.law == "markov"
          ? laws::synthesize(laws::joint_chain(source, command.instances, span.tick), span)
          : by_laws(source, command, span);
  write_availability(drawn, span.tick, command.out);
  if (command.json)
    fmt::print("{}\n", json_of_availability(source, drawn, command).dump(2));
  else
    print(source, drawn, command.instances);
}

}  // namespace sim::cli
