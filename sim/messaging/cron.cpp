#include "sim/messaging/cron.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <vector>

namespace sim::messaging {
namespace {

using namespace std::chrono;

constexpr std::string_view kMonths[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                        "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::string_view kWeekdays[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

// The values of a field, and the names of the values from 1.
struct Limits {
  unsigned lowest, highest;
  std::span<const std::string_view> names = {};
};
constexpr Limits kMinute{0, 59}, kHour{0, 23}, kDayOfMonth{1, 31}, kYear{1970, 2199};
constexpr Limits kMonth{1, 12, kMonths}, kDayOfWeek{1, 7, kWeekdays};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != text.npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::optional<unsigned> read_number(std::string_view text) {
  unsigned value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return value;
}

std::optional<unsigned> read_value(std::string_view text, const Limits& limits) {
  const auto named = std::ranges::find(limits.names, text);
  if (named != limits.names.end())
    return static_cast<unsigned>(named - limits.names.begin()) + limits.lowest;
  const auto value = read_number(text);
  if (!value || *value < limits.lowest || *value > limits.highest) return {};
  return value;
}

// Adds the values of "*", "5", "1-5", "0/15" or "1-30/5".
template <std::size_t size>
bool read_item(std::string_view item, const Limits& limits, std::bitset<size>& values) {
  const auto steps = split(item, '/');
  if (steps.size() > 2) return false;
  const auto step = steps.size() == 2 ? read_number(steps[1]) : 1;
  if (!step || *step == 0) return false;
  unsigned first = limits.lowest, last = limits.highest;
  if (steps[0] != "*") {
    const auto ends = split(steps[0], '-');
    const auto from = read_value(ends[0], limits), to = read_value(ends.back(), limits);
    if (ends.size() > 2 || !from || !to || *from > *to) return false;
    first = *from;
    if (ends.size() == 2 || steps.size() == 1) last = *to;
  }
  for (unsigned value = first; value <= last; value += std::min(*step, limits.highest + 1))
    values.set(value);
  return true;
}

template <std::size_t size>
bool read_list(std::string_view field, const Limits& limits, std::bitset<size>& values) {
  return std::ranges::all_of(
      split(field, ','), [&](std::string_view item) { return read_item(item, limits, values); });
}

unsigned number_of(weekday day) { return day.c_encoding() + 1; }
bool is_weekend(sys_days day) { return weekday(day) == Saturday || weekday(day) == Sunday; }
sys_days last_of(year_month month) { return sys_days(month / last); }

// The weekday that is nearest to a day of the month, without leaving the month.
sys_days nearest_weekday(sys_days day) {
  const year_month_day date(day);
  if (weekday(day) == Saturday)
    return day + (date.day() == std::chrono::day{1} ? days{2} : days{-1});
  if (weekday(day) == Sunday)
    return day + (day == last_of(date.year() / date.month()) ? days{-2} : days{1});
  return day;
}

}  // namespace

std::optional<Cron> Cron::parse(std::string_view text) {
  std::string capitals;
  for (const char c : text)
    if (c != ' ' || (!capitals.empty() && capitals.back() != ' '))
      capitals += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (capitals.ends_with(' ')) capitals.pop_back();
  const auto fields = split(capitals, ' ');
  if (fields.size() != 6) return {};
  Cron cron;
  if ((fields[2] == "?") == (fields[4] == "?")) return {};
  if (fields[2] != "?" && !read_days_of_month(fields[2], cron.days_of_month_.emplace())) return {};
  if (fields[4] != "?" && !read_days_of_week(fields[4], cron.days_of_week_.emplace())) return {};
  if (!read_list(fields[0], kMinute, cron.minutes_) || !read_list(fields[1], kHour, cron.hours_) ||
      !read_list(fields[3], kMonth, cron.months_) || !read_list(fields[5], kYear, cron.years_))
    return {};
  return cron;
}

bool Cron::read_days_of_month(std::string_view field, DaysOfMonth& days) {
  for (const std::string_view item : split(field, ',')) {
    if (item == "L") {
      days.last = true;
    } else if (item == "LW") {
      days.last_weekday = true;
    } else if (item.ends_with('W')) {
      const auto day = read_value(item.substr(0, item.size() - 1), kDayOfMonth);
      if (!day) return false;
      days.nearest_weekday.set(*day);
    } else if (!read_item(item, kDayOfMonth, days.days)) {
      return false;
    }
  }
  return true;
}

// A field with "#" has no other item.
bool Cron::read_days_of_week(std::string_view field, DaysOfWeek& days) {
  if (const auto parts = split(field, '#'); parts.size() > 1) {
    const auto day = read_value(parts[0], kDayOfWeek);
    const auto nth = read_number(parts[1]);
    if (parts.size() > 2 || !day || !nth || *nth < 1 || *nth > 5) return false;
    days.day = *day;
    days.nth = *nth;
    return true;
  }
  for (const std::string_view item : split(field, ',')) {
    if (item == "L") {
      days.days.set(number_of(Saturday));  // the last day of the week
    } else if (item.ends_with('L')) {
      const auto day = read_value(item.substr(0, item.size() - 1), kDayOfWeek);
      if (!day) return false;
      days.last.set(*day);
    } else if (!read_item(item, kDayOfWeek, days.days)) {
      return false;
    }
  }
  return true;
}

bool Cron::matches(year_month_day date) const {
  if (!months_[unsigned{date.month()}]) return false;
  const sys_days day(date), end = last_of(date.year() / date.month());
  if (days_of_month_) {
    const DaysOfMonth& days = *days_of_month_;
    if (days.days[unsigned{date.day()}] || (days.last && day == end)) return true;
    const sys_days last_weekday = is_weekend(end) ? nearest_weekday(end) : end;
    if (days.last_weekday && day == last_weekday) return true;
    for (unsigned wanted = 1; wanted <= unsigned{year_month_day(end).day()}; ++wanted)
      if (days.nearest_weekday[wanted] &&
          nearest_weekday(sys_days(date.year() / date.month() / std::chrono::day{wanted})) == day)
        return true;
    return false;
  }
  const DaysOfWeek& days = *days_of_week_;
  const unsigned number = number_of(weekday(day));
  if (days.days[number]) return true;
  if (days.last[number] && end - day < std::chrono::days{7}) return true;
  return days.day == number && (unsigned{date.day()} - 1) / 7 + 1 == days.nth;
}

std::optional<minutes> Cron::time_of_day_from(minutes earliest) const {
  for (auto hour = static_cast<std::size_t>(earliest / hours{1}); hour < hours_.size(); ++hour)
    for (std::size_t minute = 0; hours_[hour] && minute < minutes_.size(); ++minute)
      if (const minutes at = hours(hour) + minutes(minute); minutes_[minute] && at >= earliest)
        return at;
  return {};
}

std::optional<Time> Cron::next_after(Time time) const {
  const auto since = duration_cast<minutes>(time.time_since_epoch()) + minutes{1};
  sys_days day(floor<days>(since));
  minutes earliest = since - day.time_since_epoch();
  while (true) {
    const year_month_day date(day);
    const int year = int{date.year()};
    if (year >= static_cast<int>(years_.size())) return {};
    if (!years_[static_cast<std::size_t>(year)]) {
      day = sys_days((date.year() + years{1}) / January / 1);
    } else {
      const auto at = matches(date) ? time_of_day_from(earliest) : std::nullopt;
      if (at) return Time(day.time_since_epoch() + *at);
      day += days{1};
    }
    earliest = {};
  }
}

}  // namespace sim::messaging
