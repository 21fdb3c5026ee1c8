// Hosts of a training job of SageMaker's, launched together: they start, train and restart as one.
// Customers' instances are each for themselves: nothing tells whether they are one job.
#pragma once

#include <cstddef>

#include "sim/result/history.h"

namespace sim::run {

// The instance whose trainer's lines tell what this one does: of a gang often only the first rank
// prints. Itself where its own trainer is heard, or none of its gang.
const History::Instance& heard_for(const History& history, std::size_t instance);

// Whether an instance of its gang was launched before it, at the same instant.
bool follows_in_gang(const History& history, std::size_t instance);

// Whether the attempt continues an earlier attempt: the earlier one had got its notice or ended by
// then, or training resumes behind the first step.
bool is_restart(const History& history, std::size_t instance);

}  // namespace sim::run
