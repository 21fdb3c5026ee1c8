#include "sim/kernel/event_log.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "sim/kernel/check.h"
#include "sim/kernel/event.h"

namespace sim {

struct EventLog::Hash {
  XXH3_state_t* state = XXH3_createState();
  Hash() { XXH3_64bits_reset(state); }
  ~Hash() { XXH3_freeState(state); }
};

namespace {

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// As dump() writes it.
void append_text(std::string& line, std::string_view text) {
  const bool as_it_is = std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!as_it_is) {
    line += dump(text);
    return;
  }
  line += '"';
  line += text;
  line += '"';
}

void append_value(std::string& line, std::string_view text) { append_text(line, text); }
void append_value(std::string& line, std::int64_t number) {
  fmt::format_to(std::back_inserter(line), FMT_COMPILE("{}"), number);
}
void append_value(std::string& line, double number) { line += dump(number); }
void append_value(std::string& line, bool yes) { line += yes ? "true" : "false"; }

std::string begin_line(Time time, std::string_view kind, std::size_t more) {
  std::string line;
  line.reserve(more + kind.size() + 64);
  line += R"({"time":")";
  line += iso_nanoseconds(time);
  line += R"(","event":)";
  append_text(line, kind);
  return line;
}

}  // namespace

Event to_event(const PlainEvent& plain) {
  Event event{plain.time, std::string{plain.kind}, Json::object()};
  for (const PlainEvent::Field& field : plain.fields) {
    std::visit([&](const auto& value) { event.fields[std::string(field.name)] = value; },
               field.value);
  }
  if (plain.more) event.fields.update((*plain.more)());
  return event;
}

std::string to_line(const PlainEvent& event) {
  std::string line = begin_line(event.time, event.kind, 64);
  for (const PlainEvent::Field& field : event.fields) {
    line += ',';
    append_text(line, field.name);
    line += ':';
    std::visit([&](const auto& value) { append_value(line, value); }, field.value);
  }
  if (event.more) {
    const Json rest = (*event.more)();
    for (const auto& [name, value] : rest.items()) {
      line += ',';
      append_text(line, name);
      line += ':';
      line += dump(value);
    }
  }
  line += '}';
  return line;
}

std::string to_line(const Event& event) {
  const std::string fields = event.fields.empty() ? "}" : dump(event.fields);
  std::string line = begin_line(event.time, event.kind, fields.size());
  // "{…}" goes on where the line stands.
  if (!event.fields.empty()) line += ',';
  line.append(fields, event.fields.empty() ? 0 : 1);
  return line;
}

Event parse_event(std::string_view line) {
  Json object = Json::parse(std::string(line), nullptr, false);
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

EventLog::EventLog(LogText text)
    : hash_(text == LogText::kRendered ? std::make_unique<Hash>() : nullptr) {}
EventLog::~EventLog() = default;

bool EventLog::heard(std::string_view kind) const {
  return hash_ || std::ranges::any_of(listeners_, [&](const Listener& listener) {
           return !listener.wants || listener.wants(kind);
         });
}

void EventLog::count(Time time) {
  SIM_CHECK(time >= last_);
  last_ = time;
  ++lines_;
}

template <class Line>
std::string EventLog::render(const Line& event) {
  if (!hash_) return {};
  std::string text = to_line(event);
  XXH3_64bits_update(hash_->state, text.data(), text.size());
  XXH3_64bits_update(hash_->state, "\n", 1);
  return text;
}

void EventLog::append(Time time, std::string_view kind, Json fields) {
  count(time);
  const Event event{time, std::string{kind}, std::move(fields)};
  const std::string text = render(event);
  for (const Listener& listener : listeners_) listener.hear(event, text);
}

void EventLog::append(const PlainEvent& plain) {
  count(plain.time);
  const std::string text = render(plain);
  std::optional<Event> event;  // made for the first that needs it
  for (const Listener& listener : listeners_) {
    if (listener.hear_plain) {
      listener.hear_plain(plain, text);
    } else if (!listener.wants || listener.wants(plain.kind)) {
      if (!event) event = to_event(plain);
      listener.hear(*event, text);
    }
  }
}

void EventLog::subscribe(Listener listener) { listeners_.push_back(std::move(listener)); }

std::string EventLog::fingerprint() const {
  if (!hash_) return "";
  return fmt::format("{:016x}", XXH3_64bits_digest(hash_->state));
}

}  // namespace sim
