// The same job on demand and uninterrupted: what savings refer to.
#pragma once

#include <optional>

#include "sim/result/result.h"
#include "sim/result/training.h"

namespace sim::run {

// docs/result.md, "baseline", has the formula. Empty when the scenario names no baseline, its step
// time is neither stated nor seen, or nothing was trained.
std::optional<Usd> baseline_cost(const Story& story, const Result& result,
                                 const std::vector<InstanceTime>& times);

}  // namespace sim::run
