// Reads a log file (events.jsonl) line by line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sim/events/event.h"

namespace sim::report {

// The number of a line of the log. The first is 1.
using LineNumber = std::size_t;

using TakeLine = std::function<void(const Event& event, LineNumber number, std::string_view text)>;
// Calls `take` for each line. Throws std::runtime_error "file:line: …" if a line is not an event or
// if `take` throws.
void read_log(const std::filesystem::path& file, const TakeLine& take);

// Returns the texts of the lines with these numbers.
std::map<LineNumber, std::string> lines_of(const std::filesystem::path& file,
                                           const std::set<LineNumber>& numbers);

}  // namespace sim::report
