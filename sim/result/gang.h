// Gangs: hosts of one SageMaker training job that were launched together. They start, train and
// restart as one. Instances that a customer launches are never a gang, because nothing shows which
// of them work together.
#pragma once

#include <cstddef>

#include "sim/result/history.h"

namespace sim::result {

// The instance whose trainer reports for this one. Often only the first rank of a gang prints. The
// result is the instance itself if its own trainer reports, or if no trainer of its gang does.
const History::Instance& heard_for(const History& history, std::size_t instance);

// True if an earlier instance of the same gang was launched at the same instant.
bool follows_in_gang(const History& history, std::size_t instance);

// True if the attempt continues an earlier attempt: that one had ended or had its notice, or
// training resumes after the first step.
bool is_restart(const History& history, std::size_t instance);

}  // namespace sim::result
