#include "sim/laws/synthesize_availability.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/kernel/check.h"
#include "sim/traces/trace_file.h"

namespace sim::laws {
namespace {

void check(const DrawnSpan& span) {
  SIM_CHECK(span.from < span.to && span.tick > Duration::zero() && span.instances > 0);
}

// The end of the last tick that begins before `to`.
Time end_of(const DrawnSpan& span) {
  return span.from + (span.to - span.from + span.tick - 1ns) / span.tick * span.tick;
}

void add_step(traces::CapacitySeries& series, Time at, std::int64_t instances) {
  if (series.steps.empty() || series.steps.back().instances != instances)
    series.steps.push_back({at, instances});
}

traces::CapacitySeries renew(const PoolRenewal& r, const DrawnSpan& span, Stream stream) {
  const double hours_a_tick = seconds(span.tick) / 3600;
  const double up = r.up_law->mean(r.up), down = r.down_law->mean(r.down);
  bool there = stream.uniform() * (up + down) < up;
  traces::CapacitySeries series{.steps = {}, .end = end_of(span), .prices = {}};
  for (Time t = span.from; t < series.end; there = !there) {
    add_step(series, t, there ? span.instances : 0);
    const double hours = there ? r.up_law->draw(r.up, stream) : r.down_law->draw(r.down, stream);
    const double left = static_cast<double>((series.end - t) / span.tick);
    const double ticks = std::min(whole_ticks(hours, hours_a_tick), left);
    t += static_cast<std::int64_t>(ticks) * span.tick;
  }
  return series;
}

// Draws a key of the map; its chance is its count divided by the sum of all counts.
std::uint64_t draw_pool(const std::map<std::uint64_t, std::int64_t>& counts, Stream& stream) {
  std::int64_t all = 0;
  for (const auto& [state, count] : counts) all += count;
  auto left = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(all)));
  for (const auto& [state, count] : counts)
    if ((left -= count) < 0) return state;
  SIM_CHECK(false);
  return 0;
}

}  // namespace

traces::AvailabilityTrace synthesize(const std::vector<PoolRenewal>& pools, const DrawnSpan& span) {
  check(span);
  const Streams streams(span.seed);
  traces::AvailabilityTrace trace;
  for (const PoolRenewal& r : pools)
    trace.pools[r.pool] =
        renew(r, span, streams.stream("spot-stretches", market::to_string(r.pool)));
  return trace;
}

JointChain joint_chain(const traces::AvailabilityTrace& trace, std::int64_t instances,
                       Duration tick) {
  if (trace.pools.size() > JointChain::kMostPools)
    throw traces::TraceError(std::to_string(trace.pools.size()) + " pools, expected at most " +
                             std::to_string(JointChain::kMostPools) + " for a joint chain");
  Time from = Time::min(), to = Time::max();
  for (const auto& [pool, series] : trace.pools) {
    from = std::max(from, series.steps.front().at);
    to = std::min(to, series.end);
  }
  if (from >= to)
    throw traces::TraceError("the pools have no time in common, expected one for their chain");
  JointChain chain;
  std::vector<std::uint64_t> states;
  for (const auto& [pool, series] : trace.pools) {
    const std::vector<std::int64_t> capacity = traces::sample(series, from, to, tick);
    states.resize(capacity.size());
    for (std::size_t i = 0; i < capacity.size(); ++i)
      states[i] |= std::uint64_t{capacity[i] >= instances} << chain.pools.size();
    chain.pools.push_back(pool);
  }
  for (std::size_t i = 0; i < states.size(); ++i)
    ++chain.followed[states[i]][states[(i + 1) % states.size()]];
  return chain;
}

traces::AvailabilityTrace synthesize(const JointChain& chain, const DrawnSpan& span) {
  check(span);
  SIM_CHECK(!chain.followed.empty());
  Stream stream = Streams(span.seed).stream("spot-chain");
  std::map<std::uint64_t, std::int64_t> seen;
  for (const auto& [state, next] : chain.followed)
    for (const auto& [to, count] : next) seen[state] += count;
  std::vector<traces::CapacitySeries> all(chain.pools.size(), {.steps = {}, .end = end_of(span)});
  std::uint64_t state = draw_pool(seen, stream);
  for (Time t = span.from; t < end_of(span); t += span.tick) {
    for (std::size_t i = 0; i < all.size(); ++i)
      add_step(all[i], t, state >> i & 1 ? span.instances : 0);
    state = draw_pool(chain.followed.at(state), stream);
  }
  traces::AvailabilityTrace trace;
  for (std::size_t i = 0; i < all.size(); ++i) trace.pools[chain.pools[i]] = std::move(all[i]);
  return trace;
}

}  // namespace sim::laws
