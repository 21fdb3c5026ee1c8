// Money paid for instances while they did not advance the job.
#pragma once

#include <vector>

#include "sim/result/history.h"
#include "sim/result/result.h"
#include "sim/result/training.h"

namespace sim::result {

// Spreads each instance's cost evenly over its billed time. Instances that EC2 interrupted in their
// first hour are free and waste nothing. `times` has one entry per instance of the history, in the
// same order.
WastedMoney wasted_money(const History& history, const std::vector<InstanceTime>& times);

}  // namespace sim::result
