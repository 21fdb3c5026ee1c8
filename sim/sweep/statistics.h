// The statistics of a sweep: a summary for each variant in each setting.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/sweep/dependence.h"
#include "sim/sweep/grid.h"

namespace sim::sweep {

// Statistics of a sample. sd is the sample's (n − 1), percentiles interpolate between sorted
// values, and the interval is that of the mean.
struct Distribution {
  std::int64_t n = 0;
  double mean = 0, sd = 0, p5 = 0, p50 = 0, p95 = 0;
  std::optional<double> half_width_95{};
};
Distribution distribution_of(std::span<const Observation> values, const Dependence& dependence);

// One variant in one setting, over the cases of one group or of all groups.
struct Summary {
  std::int64_t setting = 0, variant = 0;
  std::optional<std::size_t> group;                // of the grid; empty: all cases
  IntervalKind interval = IntervalKind::kStudent;  // method of all its intervals
  std::int64_t clusters = 0;                       // number of clusters (dependence.h)
  // Distributions over all runs, in the order of the grid's measures: dollars, hours or numbers.
  // The makespan's covers finished runs. n = 0 for measures that the summary leaves out or that no
  // run has.
  std::vector<Distribution> measures;
  std::int64_t finished = 0;
  // The share of runs that missed their deadline or did not finish. Empty if no run has a deadline
  // and all finished.
  std::optional<double> late_share;
  // 1 is the best. Variants are ordered by the share of late runs beyond the allowed one, then by
  // mean cost, then by their order. The bound has no rank.
  std::optional<std::int64_t> rank;
  std::optional<double>
      savings;  // 1 − mean cost ÷ mean baseline of the first variant in the same cases
  Distribution dearer, slower;  // paired differences of cost and makespan from the first variant
  Distribution gap;             // (cost − the bound's) ÷ baseline, for runs in time; or n = 0
  // Σ(reference's cost − cost) ÷ Σ(reference's cost − the bound's), and Σ of the grid's utilisation
  // ÷ Σ of the bound's. Cases in which a deadline was missed do not count.
  std::optional<double> gap_closed, utilisation;
  std::optional<double> deviation;  // (mean makespan − expected makespan) in standard errors
  // True if no other variant has more finished runs in the group, and none with as many has both a
  // lower mean cost and a lower mean makespan.
  bool pareto = false;
};

// The summaries in order of setting, group and variant. If a grid has several groups, the summary
// of all groups comes after them. `rows` are all rows of the grid, in order.
std::vector<Summary> summarize(const Grid& grid, const Rows& rows);

// A measure's integer in the unit of tables: dollars, hours, a ratio or a number.
double shown(Unit unit, std::int64_t value);

}  // namespace sim::sweep
