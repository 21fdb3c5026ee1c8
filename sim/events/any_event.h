// An event of any kind, for listeners that treat all kinds alike: the file of the log, a fault plan
// that names a line, an invariant of the scenario's own.
#pragma once

#include <string>
#include <string_view>

#include "sim/events/events.h"
#include "sim/events/field.h"

namespace sim::events {

// A line of a kind that the table has not: what a program in a guest reports for itself.
struct Other {
  static constexpr Kind kKind = Kind::kOther;
  Time time{};
  std::string_view kind{};
  const Json* read_from = nullptr;
  template <class Event, class Visitor>
  static void visit(Event&, Visitor&&) {}
};

// Receives the fields of a line in their order.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  virtual void take(std::string_view name, const Value& value) = 0;
};

// A reference to an event, valid as long as the event.
class AnyEvent {
 public:
  template <class E>
  explicit AnyEvent(const E& event) : event_(&event), fields_(&fields_of<E>) {
    time_ = event.time;
    kind_ = E::kKind;
    read_from_ = event.read_from;
    if constexpr (E::kKind == Kind::kOther)
      name_ = event.kind;
    else
      name_ = kNames[static_cast<std::size_t>(E::kKind)];
  }

  Time time() const { return time_; }
  Kind kind() const { return kind_; }
  // "volume.state"
  std::string_view name() const { return name_; }
  // Null: it is of another kind.
  template <class E>
  const E* as() const {
    return kind_ == E::kKind ? static_cast<const E*>(event_) : nullptr;
  }
  // For listeners that are called for this kind alone.
  const void* event() const { return event_; }

  void each_field(FieldSink& sink) const;
  // The field's value as from to_text(). Empty if there is no such field.
  std::string text(std::string_view field) const;
  // Null if there is no such field.
  Json field(std::string_view name) const;
  // All fields, as an object.
  Json fields() const;

 private:
  template <class E>
  static void fields_of(const void* event, FieldSink& sink);

  Time time_{};
  Kind kind_;
  std::string_view name_;
  const Json* read_from_;
  const void* event_;
  void (*fields_)(const void* event, FieldSink& sink);
};

// The line of events.jsonl, without the newline.
std::string to_line(const AnyEvent& event);
template <class E>
requires requires { E::kKind; }
std::string to_line(const E& event) { return to_line(AnyEvent(event)); }

namespace detail {

inline bool is_empty(std::string_view text) { return text.empty(); }
inline bool is_empty(const JsonField& json) { return json.empty(); }
template <class T>
bool is_empty(const std::optional<T>& value) {
  return !value;
}
template <class T>
bool is_empty(const T&) {
  return false;
}
template <class T>
Value value_of(const std::optional<T>& value) {
  return value ? Value(*value) : Value(nullptr);
}
template <class T>
Value value_of(const T& value) {
  return Value(value);
}

}  // namespace detail

template <class E>
void AnyEvent::fields_of(const void* event, FieldSink& sink) {
  const E& typed = *static_cast<const E*>(event);
  E::visit(typed, [&sink](std::string_view name, const auto& value, Presence presence) {
    if (presence == Presence::kNever) return;
    const bool empty = detail::is_empty(value);
    if (presence == Presence::kSet && empty) return;
    const bool null = presence == Presence::kNull && empty;
    sink.take(name, null ? Value(nullptr) : detail::value_of(value));
  });
}

}  // namespace sim::events
