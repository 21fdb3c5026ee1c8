#include "sim/kernel/event_log.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <stdexcept>

#include "sim/kernel/check.h"

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

}  // namespace

std::string to_line(const Event& event) {
  const std::string fields = event.fields.empty() ? "}" : dump(event.fields);
  std::string line;
  line.reserve(fields.size() + event.kind.size() + 64);
  line += R"({"time":")";
  line += iso_nanoseconds(event.time);
  line += R"(","event":)";
  line += dump(event.kind);
  // "{…}" goes on where the line stands.
  if (!event.fields.empty()) line += ',';
  line.append(fields, event.fields.empty() ? 0 : 1);
  return line;
}

Event parse_event(std::string_view line) {
  Json object = Json::parse(line, nullptr, false);
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

void EventLog::append(Time time, std::string_view kind, Json fields) {
  SIM_CHECK(time >= last_);
  last_ = time;
  const Event event{time, std::string{kind}, std::move(fields)};
  std::string text;
  if (hash_) {
    text = to_line(event);
    XXH3_64bits_update(hash_->state, text.data(), text.size());
    XXH3_64bits_update(hash_->state, "\n", 1);
  }
  ++lines_;
  for (const Observer& observer : observers_) observer(event, text);
}

void EventLog::subscribe(Observer observer) { observers_.push_back(std::move(observer)); }

std::string EventLog::fingerprint() const {
  if (!hash_) return "";
  return fmt::format("{:016x}", XXH3_64bits_digest(hash_->state));
}

}  // namespace sim
