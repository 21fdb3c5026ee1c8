// When a scheduled action recurs: the five fields of cron, in UTC (EC2 Auto Scaling User Guide,
// "Scheduled scaling").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/kernel/time.h"

namespace sim::autoscaling {

class Recurrence {
 public:
  // Parses a text such as "30 0 1 1,6,12 *". Returns empty for an invalid text.
  static std::optional<Recurrence> parse(const std::string& text);
  // The first matching instant after `after`, or empty if there is none within eight years.
  std::optional<Time> next(Time after) const;

 private:
  bool matches_day(Time midnight) const;

  std::uint64_t minutes_ = 0, hours_ = 0, days_ = 0, months_ = 0, weekdays_ = 0;  // bits
  bool any_day_ = false, any_weekday_ = false;
};

}  // namespace sim::autoscaling
