// A sweep: every policy on every window in every setting. Its unit of work is a block, all policies
// on one window in one setting, so that they can be compared pair by pair.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/tick_run.h"

namespace sim::sweep {

struct Window {
  std::string market;   // "us-west-2a_v100_1"
  std::int64_t number;  // of the market's windows, from 0
  SpotWindow spot;
};

// The name under which a grid lists the least cost that there is (optimum.h) among its policies.
inline constexpr const char* kOptimum = "optimum";

struct Grid {
  std::vector<std::string> policies;  // as make_acquisition_policy() reads them, or kOptimum
  std::vector<TickJob> settings;
  std::vector<Window> windows;

  std::int64_t blocks() const {
    return static_cast<std::int64_t>(settings.size() * windows.size());
  }
  // XXH3-64 of all that decides a result, in hexadecimal: equal grids, equal results.
  std::string fingerprint() const;
};

// One policy on one window in one setting; indices are those of the grid.
struct Row {
  std::int64_t setting = 0, window = 0, policy = 0;
  std::int64_t finished = 0;      // 0 or 1; the optimum: there is one
  std::int64_t deadline_met = 0;  // 0 or 1
  std::int64_t cost_nano_usd = 0;
  // Nanoseconds; all but the cost are 0 for the optimum, which is a cost only.
  std::int64_t makespan = 0, on_demand_work = 0, spot_work = 0, changeover = 0, checkpoint = 0,
               lost = 0, waiting = 0;
  std::int64_t launches = 0, interruptions = 0;
  bool operator==(const Row&) const = default;
};

// The rows of these blocks (setting · windows + window), in their order and in that of the
// policies.
std::vector<Row> run_blocks(const Grid& grid, std::span<const std::int64_t> blocks);

}  // namespace sim::sweep
