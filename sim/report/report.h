// The data of the page for a folder with a run, a sweep, an exploration or an advice.
#pragma once

#include <filesystem>

#include "sim/events/event.h"

namespace sim::report {

// The JSON's key `kind` is "run", "sweep", "explore" or "advice". Throws std::runtime_error with
// the file's name if a file is missing or invalid.
Json report_of(const std::filesystem::path& folder);

}  // namespace sim::report
