#include "sim/events/event.h"

#include <stdexcept>

#include "sim/events/any_event.h"

namespace sim {

Event to_event(const events::AnyEvent& event) {
  return {event.time(), std::string(event.name()), event.fields()};
}

std::string to_line(const Event& event) {
  return events::to_line(
      events::Other{.time = event.time, .kind = event.kind, .read_from = &event.fields});
}

namespace {

// JSON that is copied and written by calls within calls, as a deep one is, must not end the stack.
Json parse_line(std::string_view line) {
  constexpr int kDeepest = 100;
  const auto shallow = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > kDeepest)
      throw std::runtime_error("expected JSON that is nested at most 100 times");
    return true;
  };
  return Json::parse(line, shallow, false);
}

}  // namespace

Event parse_event(std::string_view line) {
  Json object = parse_line(line);
  if (!object.is_object()) throw std::runtime_error("expected one JSON object on the line");
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
