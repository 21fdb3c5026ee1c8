// An events.jsonl, read from its first line to its last.
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
// Throws std::runtime_error "file:line: …" for a line that is no event, and for what `take` throws.
void read_log(const std::filesystem::path& file, const TakeLine& take);

// The text of these lines.
std::map<LineNumber, std::string> lines_of(const std::filesystem::path& file,
                                           const std::set<LineNumber>& numbers);

}  // namespace sim::report
