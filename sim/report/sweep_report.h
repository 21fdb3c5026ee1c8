// The data of a sweep's page as JSON. docs/report.md explains every field.
#pragma once

#include <filesystem>

#include "sim/events/event.h"

namespace sim::report {

// Whether the folder has what `spotsim sweep` writes.
bool is_sweep(const std::filesystem::path& folder);

// `sweep` is a folder with a results.db. Throws std::runtime_error that names the file if it is not
// as expected.
Json sweep_report(const std::filesystem::path& sweep);

}  // namespace sim::report
