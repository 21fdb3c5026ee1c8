// A line of the event log as JSON, for code that shows or reads lines of any kind.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"

namespace sim {

using Json = nlohmann::ordered_json;

// {"time": "…Z", "event": kind, …fields in the order given}
struct Event {
  Time time;
  std::string kind;
  Json fields;  // an object
};

namespace events {
class AnyEvent;
}
Event to_event(const events::AnyEvent& event);
// The event's line without the newline.
std::string to_line(const Event& event);
// Parses a line of an events.jsonl file. Throws std::runtime_error with the error.
Event parse_event(std::string_view line);

}  // namespace sim
