// The listeners of events. The event log calls them when an event happens, `spotsim result` when it
// reads a log's line.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/events/any_event.h"

namespace sim::events {

// Listeners of one kind are called in the order in which they were added.
class Listeners {
 public:
  using Hear = std::function<void(const AnyEvent& event, std::string_view line)>;

  // Calls `hear` with each event of one kind.
  template <class E>
  void on(std::function<void(const E&)> hear) {
    add(E::kKind, [hear = std::move(hear)](const AnyEvent& event, std::string_view) {
      hear(*static_cast<const E*>(event.event()));
    });
  }
  // The same of a member function; the listener must outlive this.
  template <class T, class E>
  void on(T& listener, void (T::*hear)(const E&)) {
    add(E::kKind, [&listener, hear](const AnyEvent& event, std::string_view) {
      (listener.*hear)(*static_cast<const E*>(event.event()));
    });
  }
  void on_kind(Kind kind, Hear hear) { add(kind, std::move(hear)); }
  // Calls `hear` with every event. `line` is the line of events.jsonl; empty if the log makes none.
  void on_all(const Hear& hear) {
    for (auto& of_kind : by_kind_) of_kind.push_back(hear);
  }

  void tell(const AnyEvent& event, std::string_view line = {}) const {
    for (const Hear& hear : by_kind_[static_cast<std::size_t>(event.kind())]) hear(event, line);
  }

 private:
  void add(Kind kind, Hear hear) {
    by_kind_[static_cast<std::size_t>(kind)].push_back(std::move(hear));
  }
  std::array<std::vector<Hear>, kKinds + 1> by_kind_;  // the last: Kind::kOther
};

}  // namespace sim::events
