// Complete lines of a log, for comparisons in tests.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "sim/events/event.h"
#include "sim/events/event_log.h"

namespace sim {

// Calls `hear` with each later event as JSON, and with its line without the newline.
inline void hear_lines(EventLog& log,
                       std::function<void(const Event& event, std::string_view line)> hear) {
  log.listeners().on_all(
      [hear = std::move(hear)](const events::AnyEvent& event, std::string_view line) {
        hear(to_event(event), line);
      });
}

}  // namespace sim
