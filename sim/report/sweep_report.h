// The data of a sweep's page as JSON. docs/report.md explains every field.
#pragma once

#include <filesystem>

#include "sim/events/event.h"

namespace sim::report {

// `sweep` is a folder with a results.db. Throws std::runtime_error that names the file if it is not
// as expected.
Json sweep_report(const std::filesystem::path& sweep);

// The same for the page, which shall open fast for a sweep of 100,000 rows: without the columns
// that it does not show, and with the common begin of all commands as `commands_begin` only.
Json shown_part(const Json& sweep);

}  // namespace sim::report
