// The units in which the programme of optimum.h counts time and lost work.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ticks/pools.h"

namespace sim::ticks {

// Prices are whole numbers in doubles, which are exact up to this value.
inline constexpr double kLargestExact = 0x1p53;

// The programme's scale: in ticks and in steps of u.
struct Scale {
  std::int64_t ticks;  // until the deadline
  std::int64_t free;   // longest life that is free if EC2 ends it
  std::int64_t brief;  // the longest life that Programme::arrive() handles
  std::int64_t tick, changeover, checkpoint, most;  // steps of u; most: that can be lost
  Duration step;
  // The possible owed amounts of a left instance's checkpoint, in steps, ascending: nothing, all of
  // it, and the rest after a short next life has paid a part.
  std::vector<std::int64_t> owed{0};
};

// Throws what check_solvable() throws (optimum.h).
Scale scale_of(const TickJob& job, const Pools& pools);

// The highest price of an hour in any pool, in nano-dollars.
double dearest_of(const TickJob& job, const Pools& pools);

}  // namespace sim::ticks
