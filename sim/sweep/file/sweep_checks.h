// Checks that need several parts of a sweep. Impossible combinations are errors, and probable
// mistakes are warnings.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/tick_sweep.h"
#include "sim/ticks/windows.h"

namespace sim::run {

// A tick that is longer than a deadline is an error.
void check_ticks(const std::vector<sweep::TickJob>& settings, const Value& job);

// Deadlines that no run can meet are an error if all settings have them, else a warning.
void check_deadlines(const std::vector<sweep::TickJob>& settings, const Value& job,
                     Errors& warnings);

// Checkpoints that take years in total are an error, because their time would overflow.
void check_checkpoints(const std::vector<sweep::TickJob>& settings,
                       const std::vector<sweep::Checkpoints>& checkpoints, const Value& job);

// Warns if windows of one entry of `traces` end before a deadline, or if no policy is ever
// interrupted in them.
void check_windows(const std::vector<sweep::Window>& windows,
                   const std::vector<sweep::TickJob>& settings,
                   const std::vector<std::string>& policies, const Value& trace, Errors& warnings);

}  // namespace sim::run
