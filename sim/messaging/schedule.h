// The schedule of a rule: "rate(5 minutes)" or "cron(0 12 * * ? *)" (EventBridge User Guide,
// "Setting a schedule pattern for scheduled rules").
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "sim/kernel/time.h"
#include "sim/messaging/cron.h"

namespace sim::messaging {

// A rate is the period.
using Schedule = std::variant<Duration, Cron>;

// The time of the next event after `now`. Empty: no further event comes.
std::optional<Time> next_event(const Schedule& schedule, Time now);

// Parses a schedule. Throws ApiError ValidationException.
Schedule parse_schedule(const std::string& text);

}  // namespace sim::messaging
