// Every number of a result, from the event log and from nothing else.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "sim/kernel/event_log.h"
#include "sim/result/invariants/rules.h"
#include "sim/result/result.h"
#include "sim/result/story.h"

namespace sim::run {

// All of a result but its expectations. docs/result.md defines each figure. Throws
// std::runtime_error for a log that does not begin with run.start.
Result compute(std::span<const Event> events, const InvariantRules& rules = {});
// The same of a log that has been listened to, but its invariants, which have listened themselves.
Result compute(const Story& story);

// The lines of an events.jsonl file. Throws std::runtime_error: "file:line: …".
std::vector<Event> read_events(const std::filesystem::path& file);

}  // namespace sim::run
