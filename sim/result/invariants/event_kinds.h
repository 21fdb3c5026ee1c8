// The kinds of lines that a log can have (docs/event-log.md).
#pragma once

#include <span>
#include <string_view>

namespace sim::run {

// Those of the simulator itself.
std::span<const std::string_view> event_kinds();

// Whether there can be lines of this kind: the simulator's, or "source.event" of a guest's program,
// whose source is none of the simulator's words.
bool is_event_kind(std::string_view kind);

}  // namespace sim::run
