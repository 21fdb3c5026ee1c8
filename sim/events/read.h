// Reads lines in JSON: those of events.jsonl, and reports of programs in guests.
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
// True for a kind in the table, and for "source.event" of a program in a guest, if the table has no
// kind of that source.
bool is_event_kind(std::string_view kind);
// True for sources that only the simulator may use ("instance", "charge"), so that a guest's report
// cannot pass for an event.
bool is_own_source(std::string_view source);

// The text for a line of the log: bytes that are not UTF-8 are replaced. A program in a guest may
// write any bytes.
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
