// Money for instances that brought the job no further.
#pragma once

#include <vector>

#include "sim/result/history.h"
#include "sim/result/result.h"
#include "sim/result/training.h"

namespace sim::run {

// Each instance's cost is spread evenly over its billed time; one that EC2 took in its first hour
// cost nothing, and wastes nothing. `times` are those of the history's instances, in their order.
WastedMoney wasted_money(const History& history, const std::vector<InstanceTime>& times);

}  // namespace sim::run
