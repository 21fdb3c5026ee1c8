// What a sweep's report says of its rows: a line for each policy in each setting.
#pragma once

#include <span>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

// Of a sample: sd is the sample's (n − 1); percentiles interpolate between the sorted values; the
// interval is the mean's, by Student's t.
struct Distribution {
  std::int64_t n = 0;
  double mean = 0, sd = 0, p5 = 0, p50 = 0, p95 = 0;
  double half_width_95 = 0;
};
Distribution distribution_of(std::vector<double> values);

struct Summary {
  std::int64_t setting = 0, policy = 0;
  Distribution cost;      // US dollars, of the runs that finished
  Distribution makespan;  // hours, of the runs that finished; the optimum has none
  double on_demand_hours = 0, spot_hours = 0, lost_hours = 0, checkpoint_hours = 0;  // means
  double launches = 0, interruptions = 0;                                            // means
  double miss_rate = 0;  // deadlines not met
  double savings = 0;    // 1 − mean cost ÷ what C + d costs on demand, whole ticks
  Distribution dearer;   // cost − the first policy's, window by window
  Distribution gap;      // (cost − optimum's) ÷ the on-demand cost; n = 0 without an optimum
  bool pareto = false;   // no other policy has both a lower mean cost and a lower mean makespan
};

// In order of setting and policy. `rows` are all rows of the grid, in order.
std::vector<Summary> summarize(const Grid& grid, std::span<const Row> rows);

}  // namespace sim::sweep
