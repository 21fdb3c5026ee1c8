// `job.moves` of a sweep file: what taking the job's data elsewhere costs.
#pragma once

#include "sim/scenario/yaml_fields.h"
#include "sim/ticks/pools.h"

namespace sim::run {

// Free where the job does not say. What is wrong is recorded.
sweep::MoveCosts read_moves(Fields& job);

}  // namespace sim::run
