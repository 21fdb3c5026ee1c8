// The data of the page for whatever a folder has: a run, a sweep, an exploration or an advice.
#pragma once

#include <filesystem>

#include "sim/events/event.h"

namespace sim::report {

// The key `kind` of the JSON says what it is: "run", "sweep", "explore" or "advice".
// Throws std::runtime_error that names the file if it is not as expected.
Json report_of(const std::filesystem::path& folder);

}  // namespace sim::report
