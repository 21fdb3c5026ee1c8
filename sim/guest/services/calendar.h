// systemd's calendar events: OnCalendar=Mon..Fri *-*-* 10:00 (systemd.time(7)).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace sim::guest::services {

class Calendar {
 public:
  // Reads "daily" and similar words, or weekdays, a date, a time of day and "UTC", each optional.
  // Empty for an invalid text and for unsupported ones: fractions of seconds, "~", other zones.
  static std::optional<Calendar> parse(std::string_view text);

  // The first second after `after` at which the event occurs, in the machine's time zone. Both are
  // seconds since 1970. Empty if there is none in forty years.
  std::optional<long long> next(long long after) const;

 private:
  // A range "1,3..7,0/10" of a component: the values from `from` to `to` by `step`.
  struct Run {
    int from, to, step;
  };
  class Values {
   public:
    Values(int least, int most) : least_(least), most_(most), runs_{{least, most, 1}} {}
    bool parse(std::string_view text);
    bool contains(int value) const;
    std::optional<int> from(int value) const;  // the smallest value ≥ `value`

   private:
    int least_, most_;
    std::vector<Run> runs_;
  };

  bool parse_weekdays(std::string_view text);
  bool parse_date(std::string_view text);
  bool parse_time(std::string_view text);
  bool is_day(int year, int month, int day, int weekday) const;
  std::optional<int> second_of_day(int from) const;

  Values weekdays_{0, 6}, years_{1970, 2199}, months_{1, 12}, days_{1, 31};  // Sunday is 0
  Values hours_{0, 23}, minutes_{0, 59}, seconds_{0, 59};
  bool utc_ = false;
};

}  // namespace sim::guest::services
