#include "sim/kernel/event_log.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "sim/kernel/check.h"

namespace sim {

struct EventLog::Hash {
  XXH3_state_t* state = XXH3_createState();
  Hash() { XXH3_64bits_reset(state); }
  ~Hash() { XXH3_freeState(state); }
};

namespace {

constexpr std::string_view kStep = "trainer.step";

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Event to_event(const TrainerStep& step) {
  return {step.time, std::string{kStep}, {{"instance_id", step.instance_id}, {"step", step.step}}};
}

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

std::string EventLog::render(const Event& event) {
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

void EventLog::append(const TrainerStep& step) {
  count(step.time);
  std::optional<Event> event;  // made for the first that needs it
  std::string text;
  const auto make = [&] {
    if (event) return;
    event = to_event(step);
    text = render(*event);
  };
  if (hash_) make();
  for (const Listener& listener : listeners_) {
    if (listener.hear_step) {
      listener.hear_step(step);
    } else if (!listener.wants || listener.wants(kStep)) {
      make();
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
