// How long an instance's trainer worked, for the metric CPUUtilization. The answer about a time
// depends only on events until then, so a later question has the same answer.
#pragma once

#include "sim/result/history.h"

namespace sim::result {

// The time in [from, to) in which the trainer worked on steps. A trainer works from its start, or
// from its first reported step, until it stops, finishes or fails, the user data ends, or the
// machine stops or reboots. It does not work while it stands still for a checkpoint. A trainer that
// hangs still counts as working.
Duration working_time(const History::Instance& instance, Time from, Time to);

}  // namespace sim::result
