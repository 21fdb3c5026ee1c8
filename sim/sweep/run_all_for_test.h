// Tests only: a sweep's rows, all in this thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

inline Rows run_all(const Sweep& sweep) {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(sweep.grid().blocks()));
  std::iota(blocks.begin(), blocks.end(), 0);
  return sweep.run(blocks);
}

}  // namespace sim::sweep
