#include "sim/events/event.h"

#include <stdexcept>

#include "base/json/json_text.h"
#include "sim/events/any_event.h"

namespace sim {

Event to_event(const events::AnyEvent& event) {
  return {event.time(), std::string(event.name()), event.fields()};
}

std::string to_line(const Event& event) {
  return events::to_line(
      events::Other{.time = event.time, .kind = event.kind, .read_from = &event.fields});
}

Event parse_event(std::string_view line) {
  constexpr int kDeepest = 100;
  Json object = base::parse_json(line, kDeepest);
  if (!object.is_object())
    throw std::runtime_error("expected one JSON object on the line, nested at most 100 times");
  const auto time = object.find("time"), kind = object.find("event");
  if (time == object.end() || !time->is_string()) throw std::runtime_error("no \"time\"");
  if (kind == object.end() || !kind->is_string()) throw std::runtime_error("no \"event\"");
  const auto at = parse_time(time->get<std::string>());
  if (!at) throw std::runtime_error("\"time\" is not ISO 8601");
  Event event{*at, kind->get<std::string>(), {}};
  object.erase("time");
  object.erase("event");
  event.fields = std::move(object);
  return event;
}

}  // namespace sim
