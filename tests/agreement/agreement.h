// Compares the policies of a sweep, window by window, with the loops that transcribe their papers'
// simulators (cant_be_late_loop.h, skynomad_loop.h), and with published means.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/tick_sweep.h"

namespace sim::agreement {

using namespace sweep;

struct Agreement {
  std::string setting, policy;
  std::int64_t windows = 0, equal = 0;  // compared; of these, equal to the cent
  double largest_usd = 0;               // difference; infinite if only one of the two was late
  // Of all windows; published to the cent.
  double mean_usd = 0;
  std::optional<double> published_usd{};

  bool agrees() const;
};

// The agreement of each setting and each policy that has a loop or a published mean.
std::vector<Agreement> agreements(const TickPlan& plan);

}  // namespace sim::agreement
