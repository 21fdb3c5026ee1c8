#include "sim/ticks/optimum_scale.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace sim::ticks {
namespace {

constexpr std::int64_t kMostStates = 100'000'000;
constexpr double kMostOfAll = 2e11;  // steps of the programme: minutes
constexpr std::size_t kMostOwed = 8;

// The largest number of ticks after which EC2 still interrupts without charge.
std::int64_t free_ticks(const TickJob& job) {
  if (!job.billing) return 0;
  if (*job.billing != market::Billing::kPerSecond)
    throw std::invalid_argument("there is no exact optimum for billing by the hour");
  std::int64_t ticks = 0;
  while (market::is_free((ticks + 1) * job.tick, market::Ended::kByEc2)) ++ticks;
  return ticks;
}

void check_size(const Scale& s, std::int64_t rows, std::size_t pools, double dearest) {
  if (s.most > kMostStates / rows)
    throw std::length_error(
        "tick, changeover, moves and checkpoint cost have no common divisor large enough for an "
        "exact optimum");
  const auto ticks = static_cast<double>(s.ticks), brief = static_cast<double>(s.brief);
  const double each =
      static_cast<double>(rows) * static_cast<double>(std::max<std::int64_t>(s.most, 0)) +
      static_cast<double>(pools) * brief * brief;
  if (ticks * each > kMostOfAll)
    throw std::length_error("the tick is too short for an exact optimum of so long a deadline");
  if (dearest * ticks >= kLargestExact)
    throw std::length_error("the prices are too high for an exact optimum in so many ticks");
}

// Scale::owed. Beyond kMostOwed amounts, the next larger amount represents the others, which can
// only lower the bound.
std::vector<std::int64_t> amounts_owed(const Scale& s, const std::set<std::int64_t>& moves) {
  std::set<std::int64_t> all{0, s.checkpoint};
  std::vector<std::int64_t> next{s.checkpoint};
  while (!next.empty()) {
    const std::int64_t owed = next.back();
    next.pop_back();
    for (const std::int64_t move : moves) {
      const std::int64_t idle = s.changeover + move;
      for (std::int64_t pays = s.tick - idle % s.tick; pays < owed; pays += s.tick)
        if (all.size() < kMostOwed && all.insert(owed - pays).second) next.push_back(owed - pays);
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace

Scale scale_of(const TickJob& job, const Pools& pools) {
  std::int64_t step =
      std::gcd(std::gcd(job.tick.count(), job.changeover.count()), job.checkpoint_cost.count());
  for (const PoolMove& move : pools.moves) step = std::gcd(step, move.time.count());
  Scale s{.ticks = job.deadline / job.tick,
          .free = free_ticks(job),
          .brief = 0,
          .tick = job.tick.count() / step,
          .changeover = job.changeover.count() / step,
          .checkpoint = job.checkpoint_cost.count() / step,
          .step = Duration(step)};
  s.brief = s.free;
  if (s.checkpoint > 0) {
    std::set<std::int64_t> moves;
    for (const PoolMove& move : pools.moves) moves.insert(move.time / s.step);
    s.owed = amounts_owed(s, moves);
    s.brief = std::max(s.free, (s.changeover + *moves.rbegin() + 2 * s.checkpoint) / s.tick);
  }
  const Duration slack = s.ticks * job.tick - job.work + 1ms;
  s.most = slack < Duration::zero() ? -1 : slack / s.step;
  const auto owed = std::ssize(s.owed);
  const auto rows = static_cast<std::int64_t>(pools.pools.size()) * (4 + owed * (2 + s.brief));
  check_size(s, rows, pools.pools.size(), dearest_of(job, pools));
  return s;
}

double dearest_of(const TickJob& job, const Pools& pools) {
  market::Usd dearest;
  for (const PoolWindow& pool : pools.pools) {
    dearest = std::max(dearest, on_demand_price(pool, job));
    for (std::size_t t = 0; t < pool.spot.available.size(); ++t)
      if (pool.spot.available[t] > 0) dearest = std::max(dearest, spot_price(pool, job, t));
  }
  return static_cast<double>(dearest.nano);
}

}  // namespace sim::ticks
