// `job.moves` of a sweep file: the cost of moving the job's data to another zone or region.
#pragma once

#include "sim/scenario/yaml_fields.h"
#include "sim/ticks/pools.h"

namespace sim::run {

// Moves are free if the job does not state them. Adds errors for wrong values.
sweep::MoveCosts read_moves(Fields& job);

}  // namespace sim::run
