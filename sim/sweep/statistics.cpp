#include "sim/sweep/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "sim/kernel/check.h"

namespace sim::sweep {
namespace {

constexpr double kHour = 3.6e12;  // nanoseconds

double percentile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double dollars(const Row& row) { return market::Usd{row.cost_nano_usd}.dollars(); }

// The job on demand from beginning to end.
double on_demand_cost(const TickJob& job) {
  const std::int64_t ticks = (job.work + job.changeover + job.tick - Duration{1}) / job.tick;
  return market::charge(job.on_demand, ticks * job.tick).dollars();
}

// The rows of one setting: row(window, policy).
struct Setting {
  const Grid& grid;
  std::span<const Row> rows;

  const Row& row(std::size_t window, std::size_t policy) const {
    return rows[window * grid.policies.size() + policy];
  }
  // f(row, window) of one policy's finished runs.
  template <typename Measure>
  std::vector<double> of(std::size_t policy, Measure measure) const {
    std::vector<double> values;
    for (std::size_t w = 0; w < grid.windows.size(); ++w)
      if (row(w, policy).finished) values.push_back(measure(row(w, policy), w));
    return values;
  }
  double mean(std::size_t policy, std::int64_t Row::*field, double unit) const {
    const auto values =
        of(policy, [&](const Row& r, std::size_t) { return static_cast<double>(r.*field) / unit; });
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
  }
};

// Differences on the windows where the other policy finished too.
std::vector<double> paired(const Setting& s, std::size_t policy, std::size_t other, double unit) {
  std::vector<double> values;
  for (std::size_t w = 0; w < s.grid.windows.size(); ++w) {
    const Row &mine = s.row(w, policy), &theirs = s.row(w, other);
    if (mine.finished && theirs.finished)
      values.push_back((dollars(mine) - dollars(theirs)) / unit);
  }
  return values;
}

Summary summarize_policy(const Setting& s, std::size_t setting, std::size_t policy) {
  const TickJob& job = s.grid.settings[setting];
  Summary out{.setting = static_cast<std::int64_t>(setting),
              .policy = static_cast<std::int64_t>(policy)};
  out.cost = distribution_of(s.of(policy, [](const Row& r, std::size_t) { return dollars(r); }));
  const bool is_optimum = s.grid.policies[policy] == kOptimum;
  if (!is_optimum) {
    out.makespan = distribution_of(s.of(
        policy, [](const Row& r, std::size_t) { return static_cast<double>(r.makespan) / kHour; }));
  }
  out.on_demand_hours = s.mean(policy, &Row::on_demand_work, kHour);
  out.spot_hours = s.mean(policy, &Row::spot_work, kHour);
  out.lost_hours = s.mean(policy, &Row::lost, kHour);
  out.checkpoint_hours = s.mean(policy, &Row::checkpoint, kHour);
  out.launches = s.mean(policy, &Row::launches, 1);
  out.interruptions = s.mean(policy, &Row::interruptions, 1);
  std::int64_t met = 0;
  for (std::size_t w = 0; w < s.grid.windows.size(); ++w) met += s.row(w, policy).deadline_met;
  out.miss_rate = 1 - static_cast<double>(met) / static_cast<double>(s.grid.windows.size());
  out.savings = 1 - out.cost.mean / on_demand_cost(job);
  out.dearer = distribution_of(paired(s, policy, 0, 1));
  const auto optimum = std::find(s.grid.policies.begin(), s.grid.policies.end(), kOptimum);
  if (optimum != s.grid.policies.end()) {
    const auto index = static_cast<std::size_t>(optimum - s.grid.policies.begin());
    out.gap = distribution_of(paired(s, policy, index, on_demand_cost(job)));
  }
  return out;
}

void mark_pareto(std::span<Summary> policies) {
  for (Summary& mine : policies) {
    mine.pareto = mine.makespan.n > 0;
    for (const Summary& other : policies) {
      const bool no_worse = other.makespan.n > 0 && other.cost.mean <= mine.cost.mean &&
                            other.makespan.mean <= mine.makespan.mean;
      const bool better =
          other.cost.mean < mine.cost.mean || other.makespan.mean < mine.makespan.mean;
      if (no_worse && better) mine.pareto = false;
    }
  }
}

}  // namespace

Distribution distribution_of(std::vector<double> values) {
  Distribution d{.n = static_cast<std::int64_t>(values.size())};
  if (values.empty()) return d;
  const auto n = static_cast<double>(values.size());
  d.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - d.mean) * (v - d.mean);
  if (values.size() > 1) {
    d.sd = std::sqrt(squares / (n - 1));
    const boost::math::students_t t(n - 1);
    d.half_width_95 = boost::math::quantile(t, 0.975) * d.sd / std::sqrt(n);
  }
  std::sort(values.begin(), values.end());
  d.p5 = percentile(values, 0.05);
  d.p50 = percentile(values, 0.5);
  d.p95 = percentile(values, 0.95);
  return d;
}

std::vector<Summary> summarize(const Grid& grid, std::span<const Row> rows) {
  const std::size_t each = grid.windows.size() * grid.policies.size();
  SIM_CHECK(rows.size() == each * grid.settings.size());
  std::vector<Summary> all;
  for (std::size_t i = 0; i < grid.settings.size(); ++i) {
    const Setting setting{grid, rows.subspan(i * each, each)};
    for (std::size_t p = 0; p < grid.policies.size(); ++p)
      all.push_back(summarize_policy(setting, i, p));
    mark_pareto(std::span(all).last(grid.policies.size()));
  }
  return all;
}

}  // namespace sim::sweep
