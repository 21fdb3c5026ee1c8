// Lines that come as JSON: those of events.jsonl, and what a program in a guest reports.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/events/any_event.h"
#include "sim/events/event.h"
#include "sim/events/listeners.h"

namespace sim::events {

// Kind::kOther: the table has no event of this name.
Kind find_kind(std::string_view name);
// Whether a line may be of this kind: one of the table, or "source.event" of a program in a guest,
// whose source is no word of the table's.
bool is_event_kind(std::string_view kind);
// Whether the simulator alone may write lines of this source ("instance", "charge"): what a guest
// reports must not pass for what has happened.
bool is_own_source(std::string_view source);

// The text as a line of the log has it: bytes that are no UTF-8 are replaced. A program in a guest
// may write any bytes.
std::string as_utf8(std::string_view text);

// Calls `hear` with the event as its struct. A field that is missing or of another type is empty,
// because a program in a guest may write anything.
using Hear = std::function<void(const AnyEvent&)>;
void read(Time time, std::string_view kind, const Json& fields, const Hear& hear);
// Calls the listeners for a line that has been read.
inline void tell(const Listeners& listeners, const Event& event) {
  read(event.time, event.kind, event.fields,
       [&listeners](const AnyEvent& typed) { listeners.tell(typed); });
}

}  // namespace sim::events
