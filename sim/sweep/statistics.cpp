#include "sim/sweep/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

#include "sim/kernel/check.h"

namespace sim::sweep {
namespace {

double percentile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// The rows of one setting's cases.
class Setting {
 public:
  Setting(const Grid& grid, const Rows& rows, std::int64_t setting,
          const std::vector<std::size_t>& cases, const Dependence& dependence)
      : grid_(grid),
        rows_(rows),
        cases_(cases),
        dependence_(dependence),
        first_(static_cast<std::size_t>(setting * grid.cases.size() * grid.variants.size())) {}

  Summary summary(std::size_t variant) const {
    Summary out{.variant = static_cast<std::int64_t>(variant),
                .interval = dependence_.kind(),
                .clusters = dependence_.clusters()};
    for (std::size_t m = 0; m < grid_.measures.size(); ++m) {
      const bool shown = grid_.measures[m].summary != Measure::Summary::kNone;
      out.measures.push_back(shown ? of(values(variant, m)) : Distribution{});
    }
    out.finished = finished(variant);
    out.late_share = late_share(variant);
    out.savings = savings(variant);
    out.dearer = of(paired(variant, 0, kCost));
    out.slower = of(paired(variant, 0, kMakespan));
    if (grid_.bound) out.gap = of(gaps(variant));
    if (grid_.bound && grid_.reference) out.gap_closed = gap_closed(variant);
    if (grid_.bound && grid_.utilisation) out.utilisation = utilisation(variant);
    if (grid_.expected_makespan) {
      const Distribution& makespan = out.measures[kMakespan];
      const double error = makespan.sd / std::sqrt(static_cast<double>(makespan.n));
      if (error > 0)
        out.deviation = (makespan.mean - out.measures[*grid_.expected_makespan].mean) / error;
    }
    return out;
  }

 private:
  using Values = std::vector<Observation>;

  std::int64_t cell(std::size_t at_case, std::size_t variant, std::size_t measure) const {
    const auto variants = static_cast<std::size_t>(grid_.variants.size());
    return rows_.measures(first_ + at_case * variants + variant)[measure];
  }
  // The measure of a run, if it has it. A makespan counts only for a finished run.
  std::optional<double> value(std::size_t at_case, std::size_t variant, std::size_t measure) const {
    const std::int64_t number = cell(at_case, variant, measure);
    if (number == kNothing) return {};
    if (measure == kMakespan && cell(at_case, variant, kFinished) != 1) return {};
    return shown(grid_.measures[measure].unit, number);
  }
  Distribution of(const Values& values) const { return distribution_of(values, dependence_); }
  Values values(std::size_t variant, std::size_t measure) const {
    Values values;
    for (const std::size_t c : cases_)
      if (const auto v = value(c, variant, measure)) values.push_back({c, *v});
    return values;
  }
  // The differences on cases in which the other variant has the measure, too.
  Values paired(std::size_t variant, std::size_t other, std::size_t measure) const {
    Values values;
    for (const std::size_t c : cases_) {
      const auto mine = value(c, variant, measure), theirs = value(c, other, measure);
      if (mine && theirs) values.push_back({c, *mine - *theirs});
    }
    return values;
  }
  Values gaps(std::size_t variant) const {
    Values values;
    for (const std::size_t c : cases_) {
      if (cell(c, variant, kDeadlineMet) != 1) continue;  // a late run may be cheaper
      const auto mine = value(c, variant, kCost), least = value(c, *grid_.bound, kCost);
      const auto baseline = value(c, variant, kBaseline);
      if (mine && least && baseline) values.push_back({c, (*mine - *least) / *baseline});
    }
    return values;
  }
  // The measure of a run that met its deadline.
  std::optional<double> in_time(std::size_t at_case, std::size_t variant,
                                std::size_t measure) const {
    if (cell(at_case, variant, kDeadlineMet) != 1) return {};
    return value(at_case, variant, measure);
  }
  std::optional<double> gap_closed(std::size_t variant) const {
    double closed = 0, open = 0;
    for (const std::size_t c : cases_) {
      const auto mine = in_time(c, variant, kCost), least = in_time(c, *grid_.bound, kCost);
      const auto reference = in_time(c, *grid_.reference, kCost);
      if (!mine || !least || !reference) continue;
      closed += *reference - *mine;
      open += *reference - *least;
    }
    return open > 0 ? std::optional(closed / open) : std::nullopt;
  }
  std::optional<double> utilisation(std::size_t variant) const {
    double used = 0, best = 0;
    for (const std::size_t c : cases_) {
      const auto mine = in_time(c, variant, *grid_.utilisation);
      const auto its = in_time(c, *grid_.bound, *grid_.utilisation);
      if (!mine || !its) continue;
      used += *mine;
      best += *its;
    }
    return best > 0 ? std::optional(used / best) : std::nullopt;
  }
  std::int64_t finished(std::size_t variant) const {
    return std::count_if(cases_.begin(), cases_.end(),
                         [&](std::size_t c) { return cell(c, variant, kFinished) == 1; });
  }
  std::optional<double> late_share(std::size_t variant) const {
    std::int64_t late = 0;
    bool any_deadline = false;
    for (const std::size_t c : cases_) {
      any_deadline |= cell(c, variant, kDeadlineMet) != kNothing;
      late += cell(c, variant, kDeadlineMet) == 0 || cell(c, variant, kFinished) != 1;
    }
    if (!any_deadline && late == 0) return {};
    return static_cast<double>(late) / static_cast<double>(cases_.size());
  }
  // The same baseline for all variants: that of the first variant that has one.
  std::optional<double> baseline_of_case(std::size_t at_case) const {
    for (std::size_t v = 0; v < static_cast<std::size_t>(grid_.variants.size()); ++v)
      if (const auto baseline = value(at_case, v, kBaseline)) return baseline;
    return {};
  }
  std::optional<double> savings(std::size_t variant) const {
    double cost = 0, baselines = 0;
    for (const std::size_t c : cases_) {
      const auto mine = value(c, variant, kCost), baseline = baseline_of_case(c);
      if (!mine || !baseline) continue;
      cost += *mine;
      baselines += *baseline;
    }
    return baselines > 0 ? std::optional(1 - cost / baselines) : std::nullopt;
  }

  const Grid& grid_;
  const Rows& rows_;
  const std::vector<std::size_t>& cases_;
  const Dependence& dependence_;
  std::size_t first_;
};

struct Grouped {
  std::optional<std::size_t> group;
  std::vector<std::size_t> cases;
  Dependence dependence;
};
// Each group, and all cases if there are several groups.
std::vector<Grouped> grouped(const Grid& grid) {
  std::vector<Grouped> all;
  for (std::size_t g = 0; g < grid.groups.size(); ++g)
    all.push_back({g, grid.groups[g].cases, Dependence(grid, g)});
  if (grid.groups.size() == 1) return all;
  std::vector<std::size_t> cases(static_cast<std::size_t>(grid.cases.size()));
  std::iota(cases.begin(), cases.end(), 0);
  all.push_back({std::nullopt, std::move(cases), Dependence(grid, std::nullopt)});
  return all;
}

// Ranks the variants of one setting and group.
void rank(const Grid& grid, std::span<Summary> variants) {
  std::vector<Summary*> order;
  for (Summary& s : variants)
    if (static_cast<std::size_t>(s.variant) != grid.bound) order.push_back(&s);
  const auto place = [&](const Summary* s) {
    constexpr double kRounding = 1e-12;
    const double excess = s->late_share.value_or(0) - grid.late_allowed;
    const Distribution& cost = s->measures[kCost];
    return std::tuple(excess > kRounding ? excess : 0, cost.n == 0, cost.mean);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Summary* a, const Summary* b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < order.size(); ++i) order[i]->rank = static_cast<std::int64_t>(i + 1);
}

// A variant that left hard cases unfinished has means that cannot be compared.
void mark_pareto(std::span<Summary> variants) {
  std::int64_t most = 1;
  for (const Summary& s : variants) most = std::max(most, s.measures[kMakespan].n);
  for (Summary& mine : variants) {
    const Distribution &cost = mine.measures[kCost], &makespan = mine.measures[kMakespan];
    mine.pareto = makespan.n == most;
    for (const Summary& other : variants) {
      const Distribution& its_cost = other.measures[kCost];
      const Distribution& its_makespan = other.measures[kMakespan];
      const bool no_worse = its_makespan.n == most && its_cost.mean <= cost.mean &&
                            its_makespan.mean <= makespan.mean;
      const bool better = its_cost.mean < cost.mean || its_makespan.mean < makespan.mean;
      if (no_worse && better) mine.pareto = false;
    }
  }
}

}  // namespace

Distribution distribution_of(std::span<const Observation> values, const Dependence& dependence) {
  Distribution d{.n = static_cast<std::int64_t>(values.size())};
  if (values.empty()) return d;
  std::vector<double> sorted;
  for (const Observation& o : values) sorted.push_back(o.value);
  const auto n = static_cast<double>(sorted.size());
  d.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  double squares = 0;
  for (const double v : sorted) squares += (v - d.mean) * (v - d.mean);
  if (sorted.size() > 1) d.sd = std::sqrt(squares / (n - 1));
  d.half_width_95 = dependence.half_width_95(values);
  std::sort(sorted.begin(), sorted.end());
  d.p5 = percentile(sorted, 0.05);
  d.p50 = percentile(sorted, 0.5);
  d.p95 = percentile(sorted, 0.95);
  return d;
}

double shown(Unit unit, std::int64_t value) {
  const auto number = static_cast<double>(value);
  switch (unit) {
    case Unit::kUsd:
    case Unit::kRatio:
      return number / 1e9;
    case Unit::kHours:
      return number / 3.6e12;
    case Unit::kCount:
    case Unit::kWord:
      return number;
  }
  return number;
}

std::vector<Summary> summarize(const Grid& grid, const Rows& rows) {
  SIM_CHECK(static_cast<std::int64_t>(rows.size()) == grid.runs());
  std::vector<Summary> all;
  const auto groups = grouped(grid);
  const auto variants = static_cast<std::size_t>(grid.variants.size());
  for (std::int64_t i = 0; i < grid.settings.size(); ++i) {
    for (const auto& [group, cases, dependence] : groups) {
      const Setting setting(grid, rows, i, cases, dependence);
      for (std::size_t v = 0; v < variants; ++v) {
        all.push_back(setting.summary(v));
        all.back().setting = i;
        all.back().group = group;
      }
      rank(grid, std::span(all).last(variants));
      mark_pareto(std::span(all).last(variants));
    }
  }
  return all;
}

}  // namespace sim::sweep
