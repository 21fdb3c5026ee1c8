// The event log: everything that happens in a run is one line here, and every number of a result is
// computed from these lines and from nothing else. The kinds are listed in docs/event-log.md.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"

namespace sim {

using Json = nlohmann::ordered_json;

// One line: {"time": "…Z", "event": kind, …fields in the order given}.
struct Event {
  Time time;
  std::string kind;
  Json fields;  // an object
};

// A "trainer.step" line as what it says. Most of a log are these, so that who only wants the
// numbers may have them without an Event.
struct TrainerStep {
  Time time;
  std::string_view instance_id;
  std::int64_t step;
};
Event to_event(const TrainerStep& step);

// The event's line without the newline.
std::string to_line(const Event& event);
// A line of an events.jsonl file; throws std::runtime_error saying what is wrong with it.
Event parse_event(std::string_view line);

// Whether a log makes its lines: without, observers get empty texts and there is no fingerprint.
enum class LogText { kRendered, kNone };

class EventLog {
 public:
  explicit EventLog(LogText text = LogText::kRendered);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Appends one line. Time never goes back (asserted).
  void append(Time time, std::string_view kind, Json fields = Json::object());
  // The same of fields that are made only if somebody hears them.
  template <std::invocable Make>
  void append(Time time, std::string_view kind, Make make) {
    if (heard(kind)) return append(time, kind, Json(make()));
    count(time);
  }
  void append(const TrainerStep& step);

  // Called for each later event, in the order of subscription; text is the line without newline.
  using Observer = std::function<void(const Event&, std::string_view text)>;
  struct Listener {
    Observer hear;
    // Kinds that it must be told of; of others it may be. Empty: all.
    std::function<bool(std::string_view kind)> wants;
    std::function<void(const TrainerStep&)> hear_step;  // called in place of `hear`; may be empty
  };
  void subscribe(Listener listener);
  void subscribe(Observer observer) { subscribe(Listener{std::move(observer), {}, {}}); }

  std::uint64_t lines() const { return lines_; }
  // XXH3-64 of all bytes so far, newlines included, as 16 hexadecimal digits: equal logs, equal
  // prints. Empty without text.
  std::string fingerprint() const;

 private:
  struct Hash;
  bool heard(std::string_view kind) const;
  void count(Time time);
  std::string render(const Event& event);

  std::unique_ptr<Hash> hash_;  // null without text
  std::vector<Listener> listeners_;
  Time last_{Duration{INT64_MIN}};
  std::uint64_t lines_ = 0;
};

}  // namespace sim
