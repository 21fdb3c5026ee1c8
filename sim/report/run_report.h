// The data of a run's page as JSON. docs/report.md explains every field.
#pragma once

#include <filesystem>

#include "sim/events/event.h"

namespace sim::report {

constexpr int kSchema = 1;

// `run` is a folder with an events.jsonl and a result.json. Throws std::runtime_error with file and
// line if one of them is missing or invalid.
Json run_report(const std::filesystem::path& run);

}  // namespace sim::report
