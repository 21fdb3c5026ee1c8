// The event log: each event of a run is one line, and every number of a result is computed only
// from these lines. sim/events/events.txt has all kinds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/events/events.h"
#include "sim/events/listeners.h"

namespace sim {

// Whether a log makes its lines: without, listeners get empty texts and there is no fingerprint.
enum class LogText { kRendered, kNone };

class EventLog {
 public:
  explicit EventLog(LogText text = LogText::kRendered);
  // A further region's view of a run's log: `main` gets each event, with the region as its first
  // field. `main` must outlive this object.
  EventLog(EventLog& main, std::string region);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Appends one line. Time must not decrease (asserted). References in the event need to be valid
  // only during the call.
  template <class E>
  requires requires { E::kKind; }
  void append(const E& event) { append(events::AnyEvent(event)); }
  // The same for an event in JSON: a line of a program in a guest. `fields` is an object.
  void append(Time time, std::string_view kind, const Json& fields);

  // The listeners of later events.
  events::Listeners& listeners() { return main_ ? main_->listeners() : listeners_; }

  std::uint64_t lines() const { return main_ ? main_->lines() : lines_; }
  // XXH3-64 of all bytes so far, newlines included, as 16 hexadecimal digits: equal logs, equal
  // prints. Empty without text.
  std::string fingerprint() const;

 private:
  struct Hash;
  void append(const events::AnyEvent& event);

  EventLog* const main_ = nullptr;  // null: this is no view
  const std::string region_;
  std::unique_ptr<Hash> hash_;  // null without text
  events::Listeners listeners_;
  Time last_{Duration{INT64_MIN}};
  std::uint64_t lines_ = 0;
};

}  // namespace sim
