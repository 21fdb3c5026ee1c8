// The schedule of a rule: "rate(5 minutes)" (EventBridge User Guide, "Rate expressions reference").
#pragma once

#include <string>

#include "sim/kernel/time.h"

namespace sim::messaging {

struct Schedule {
  Duration every{};
};

// Parses a schedule. Throws ApiError ValidationException. Cron expressions are refused by name.
Schedule parse_schedule(const std::string& text);

}  // namespace sim::messaging
