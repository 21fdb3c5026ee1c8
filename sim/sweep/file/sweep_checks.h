// Checks that need several parts of a sweep. Impossible combinations are errors, and probable
// mistakes are warnings.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/tick_sweep.h"
#include "sim/ticks/windows.h"

namespace sim::sweep {

// A tick that is longer than a deadline is an error.
void check_ticks(const std::vector<ticks::TickJob>& settings, const scenario::Value& job);

// Deadlines that no run can meet are an error if all settings have them, else a warning.
void check_deadlines(const std::vector<ticks::TickJob>& settings, const scenario::Value& job,
                     scenario::Errors& warnings);

// Checkpoints that take years in total are an error, because their time would overflow.
void check_checkpoints(const std::vector<ticks::TickJob>& settings,
                       const std::vector<CheckpointSettings>& checkpoints,
                       const scenario::Value& job);

// Warns if windows of one entry of `traces` end before a deadline, or if no policy is ever
// interrupted in them.
void check_windows(const std::vector<ticks::Window>& windows,
                   const std::vector<ticks::TickJob>& settings,
                   const std::vector<std::string>& policies, const scenario::Value& trace,
                   scenario::Errors& warnings);

}  // namespace sim::sweep
