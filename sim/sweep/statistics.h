// What a sweep's report says of its rows: a line for each variant in each setting.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/sweep/dependence.h"
#include "sim/sweep/grid.h"

namespace sim::sweep {

// Of a sample: sd is the sample's (n − 1); percentiles interpolate between the sorted values; the
// interval is the mean's.
struct Distribution {
  std::int64_t n = 0;
  double mean = 0, sd = 0, p5 = 0, p50 = 0, p95 = 0;
  std::optional<double> half_width_95{};
};
Distribution distribution_of(std::span<const Observation> values, const Dependence& dependence);

// One variant in one setting, summed up over the cases of one group or of all groups.
struct Summary {
  std::int64_t setting = 0, variant = 0;
  std::optional<std::size_t> group;                // of the grid's; none: of all cases
  IntervalKind interval = IntervalKind::kStudent;  // of all its distributions
  std::int64_t clusters = 0;                       // that it is from (dependence.h)
  // Distributions over all runs (of the makespan: over finished runs), in the order of the grid's
  // measures: dollars, hours or numbers. Measures that the summary leaves out, or that no run has,
  // have n = 0.
  std::vector<Distribution> measures;
  std::int64_t finished = 0;
  // The share of runs that missed their deadline or did not finish; none where no run has a
  // deadline and all finished.
  std::optional<double> late_share;
  // 1 is best: first the one with the least share of late runs beyond what is allowed, of these the
  // cheapest on average, of these the first. The bound has none.
  std::optional<std::int64_t> rank;
  std::optional<double>
      savings;  // 1 − mean cost ÷ mean baseline in the same cases, each the first variant's
  Distribution dearer, slower;  // cost and makespan − the first variant's, case by case
  Distribution gap;  // (cost − the bound's) ÷ the baseline, where the deadline was met; or n = 0
  // Σ(reference's cost − cost) ÷ Σ(reference's cost − the bound's), and Σ of the grid's utilisation
  // ÷ Σ of the bound's, over the cases in which all of them met their deadlines.
  std::optional<double> gap_closed, utilisation;
  std::optional<double> deviation;  // (mean makespan − the expected one) in standard errors
  // As many runs finished as of any variant in the group, and no other such has both a lower mean
  // cost and a lower mean makespan.
  bool pareto = false;
};

// In order of setting, group and variant; where a grid has several groups, what is of all of them
// comes after them. `rows` are all rows of the grid, in order.
std::vector<Summary> summarize(const Grid& grid, const Rows& rows);

// A measure's whole number as tables show it: in dollars, hours, as a ratio or a number.
double shown(Unit unit, std::int64_t value);

}  // namespace sim::sweep
