// The units in which the programme of optimum.h counts time and lost work.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ticks/pools.h"

namespace sim::sweep {

// Prices are whole numbers in doubles; beyond this they are not exact.
inline constexpr double kLargestExact = 0x1p53;

// The programme's scale: in ticks and in steps of u.
struct Scale {
  std::int64_t ticks;  // until the deadline
  std::int64_t free;   // the longest life that is free when EC2 ends it
  std::int64_t brief;  // the longest life that Programme::arrive() handles
  std::int64_t tick, changeover, checkpoint, most;  // steps of u; most: that can be lost
  Duration step;
  // What can be owed of the checkpoint of an instance that was left, in steps, ascending: nothing,
  // all of it, and what is left after too short a life on the next instance has paid a part.
  std::vector<std::int64_t> owed{0};
};

// Throws what check_solvable() throws (optimum.h).
Scale scale_of(const TickJob& job, const Pools& pools);

// The highest price of an hour in any pool, in nano-dollars.
double dearest_of(const TickJob& job, const Pools& pools);

}  // namespace sim::sweep
