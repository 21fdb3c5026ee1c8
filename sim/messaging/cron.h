// A cron expression of EventBridge, "0/15 8-17 ? * MON-FRI *", in UTC (EventBridge User Guide,
// "Cron expressions reference"): minutes, hours, day of month, month, day of week, year.
#pragma once

#include <bitset>
#include <chrono>
#include <optional>
#include <string_view>

#include "sim/kernel/time.h"

namespace sim::messaging {

class Cron {
 public:
  // Empty: EventBridge does not accept the text.
  static std::optional<Cron> parse(std::string_view fields);
  // The first instant of the expression after this time. Empty: there is none before the year 2200.
  std::optional<Time> next_after(Time time) const;

 private:
  // The days of a month. One of the two fields is used, and the other is "?".
  struct DaysOfMonth {
    std::bitset<32> days;
    std::bitset<32> nearest_weekday;  // "3W": the weekday that is nearest to the third
    bool last = false;                // "L"
    bool last_weekday = false;        // "LW"
  };
  struct DaysOfWeek {
    std::bitset<8> days;        // Sunday is 1, as in the expression
    std::bitset<8> last;        // "6L": the month's last Friday
    unsigned day = 0, nth = 0;  // "3#2": the second Tuesday; 0: none
  };

  static bool read_days_of_month(std::string_view field, DaysOfMonth& days);
  static bool read_days_of_week(std::string_view field, DaysOfWeek& days);
  bool matches(std::chrono::year_month_day day) const;
  std::optional<std::chrono::minutes> time_of_day_from(std::chrono::minutes earliest) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<13> months_;
  std::bitset<2200> years_;
  std::optional<DaysOfMonth> days_of_month_;
  std::optional<DaysOfWeek> days_of_week_;
};

}  // namespace sim::messaging
