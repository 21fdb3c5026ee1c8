// What a sweep's parts mean together: what nobody can want is an error, what few can is a warning.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/tick_sweep.h"
#include "sim/ticks/windows.h"

namespace sim::run {

// A tick that is longer than a deadline is an error.
void check_ticks(const std::vector<sweep::TickJob>& settings, const Value& job);

// Deadlines that cannot be met: an error where that is so of all settings, else a warning.
void check_deadlines(const std::vector<sweep::TickJob>& settings, const Value& job,
                     Errors& warnings);

// Checkpoints that take years in all are an error: their time would not fit.
void check_checkpoints(const std::vector<sweep::TickJob>& settings,
                       const std::vector<sweep::Checkpoints>& checkpoints, const Value& job);

// Warns of the windows of one entry of `traces`: when they end before a deadline, and when no
// policy is ever interrupted in them.
void check_windows(const std::vector<sweep::Window>& windows,
                   const std::vector<sweep::TickJob>& settings,
                   const std::vector<std::string>& policies, const Value& trace, Errors& warnings);

}  // namespace sim::run
