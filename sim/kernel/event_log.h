// The event log: everything that happens in a run is one line here, and every number of a result is
// computed from these lines and from nothing else. The kinds are listed in docs/event-log.md.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/kernel/time.h"

namespace sim {

using Json = nlohmann::ordered_json;

struct Event;  // event.h

// An event that is told without JSON, for those that come often, such as the cloud's transitions.
// Its texts need live no longer than the call.
struct PlainEvent {
  struct Field {
    std::string_view name;
    std::variant<std::string_view, std::int64_t, double, bool> value;
  };
  Time time;
  std::string_view kind;
  std::initializer_list<Field> fields;
  // Makes the fields after these, for whoever needs the whole line; null: there are no more.
  const std::function<Json()>* more = nullptr;
};
Event to_event(const PlainEvent& plain);
// As to_line() of event.h writes the same event.
std::string to_line(const PlainEvent& event);

// Whether a log makes its lines: without, observers get empty texts and there is no fingerprint.
enum class LogText { kRendered, kNone };

class EventLog {
 public:
  explicit EventLog(LogText text = LogText::kRendered);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Appends one line. Time never goes back (asserted). `fields` is an object.
  void append(Time time, std::string_view kind, Json fields);
  // The same of fields that are made only if somebody hears them.
  template <typename Make>
  requires(!std::same_as<Make, Json> && std::invocable<Make>)  // Json is incomplete here
      void append(Time time, std::string_view kind, Make make) {
    if (heard(kind)) return append(time, kind, Json(make()));
    count(time);
  }
  void append(const PlainEvent& event);

  // Called for each later event, in the order of subscription; text is the line without newline.
  using Observer = std::function<void(const Event&, std::string_view text)>;
  struct Listener {
    Observer hear;
    // Kinds that it must be told of; of others it may be. Empty: all.
    std::function<bool(std::string_view kind)> wants;
    // Called in place of `hear` for what is told plainly; may be empty.
    std::function<void(const PlainEvent&, std::string_view text)> hear_plain;
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
  template <class Line>
  std::string render(const Line& event);

  std::unique_ptr<Hash> hash_;  // null without text
  std::vector<Listener> listeners_;
  Time last_{Duration{INT64_MIN}};
  std::uint64_t lines_ = 0;
};

}  // namespace sim
