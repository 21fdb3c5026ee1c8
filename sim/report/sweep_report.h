// The data of a sweep's page as JSON. docs/report.md explains every field.
#pragma once

#include <filesystem>

#include "sim/events/event.h"

namespace sim::report {

// `sweep` is a folder with a results.db. Throws std::runtime_error with the file's name if the file
// is missing or invalid.
Json sweep_report(const std::filesystem::path& sweep);

// Reduces the report to the data that the page shows, so that the page of a sweep with 100,000 rows
// opens fast. Columns that are not shown are removed. The common begin of all commands is stored
// once, as `commands_begin`.
Json shown_part(const Json& sweep);

}  // namespace sim::report
