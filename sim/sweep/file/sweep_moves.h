// `job.moves` of a sweep file: the cost of moving the job's data to another zone or region.
#pragma once

#include "sim/scenario/yaml_fields.h"
#include "sim/ticks/pools.h"

namespace sim::sweep {

// Moves are free if the job does not state them. Adds errors for wrong values.
ticks::MoveCosts read_moves(scenario::Fields& job);

}  // namespace sim::sweep
