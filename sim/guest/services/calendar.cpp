#include "sim/guest/services/calendar.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include "base/text/lower_case.h"
#include "sim/guest/services/unit_file.h"

namespace sim::guest::services {
namespace {

// 40 years: February 29 on a given weekday comes every 28 years, except around 2100.
constexpr int kMostDays = 14'610;

const std::map<std::string, const char*, std::less<>>& short_names() {
  static const std::map<std::string, const char*, std::less<>> table{
      {"minutely", "*-*-* *:*:00"},
      {"hourly", "*-*-* *:00:00"},
      {"daily", "*-*-* 00:00:00"},
      {"monthly", "*-*-01 00:00:00"},
      {"weekly", "Mon *-*-* 00:00:00"},
      {"yearly", "*-01-01 00:00:00"},
      {"annually", "*-01-01 00:00:00"},
      {"quarterly", "*-01,04,07,10-01 00:00:00"},
      {"semiannually", "*-01,07-01 00:00:00"},
  };
  return table;
}

bool number(std::string_view text, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(at, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// "Mon" and "monday": 1; -1 for no day's name.
int weekday(std::string_view name) {
  static const char* const days[] = {"sunday",   "monday", "tuesday", "wednesday",
                                     "thursday", "friday", "saturday"};
  const std::string lower = base::lower_case(name);
  for (int day = 0; day < 7; ++day)
    if (lower == days[day] || lower == std::string_view(days[day]).substr(0, 3)) return day;
  return -1;
}

// A range of weekdays begins on Monday at the earliest and ends on Sunday.
int since_monday(int day) { return (day + 6) % 7; }

}  // namespace

bool Calendar::Values::parse(std::string_view text) {
  if (text == "*") return true;
  runs_.clear();
  for (const std::string_view part : split(text, ',')) {
    const auto slash = std::min(part.find('/'), part.size());
    const std::string_view range = part.substr(0, slash);
    const auto dots = range.find("..");
    Run run{0, 0, 1};
    if (!number(range.substr(0, dots), run.from)) return false;
    run.to = run.from;
    if (slash < part.size()) {
      if (!number(part.substr(slash + 1), run.step) || run.step < 1) return false;
      run.to = most_;
    }
    if (dots != range.npos && !number(range.substr(dots + 2), run.to)) return false;
    if (run.from < least_ || run.to > most_ || run.from > run.to) return false;
    // systemd refuses a step that exceeds the component's range at once: "*:50/10".
    if (slash < part.size() && dots == range.npos && run.from + run.step > most_) return false;
    runs_.push_back(run);
  }
  return true;
}

bool Calendar::Values::contains(int value) const {
  return std::ranges::any_of(runs_, [value](const Run& run) {
    return value >= run.from && value <= run.to && (value - run.from) % run.step == 0;
  });
}

std::optional<int> Calendar::Values::from(int value) const {
  for (; value <= most_; ++value)
    if (contains(value)) return value;
  return {};
}

std::optional<Calendar> Calendar::parse(std::string_view text) {
  const std::vector<std::string> words = split_words(text);
  if (words.size() == 1)
    if (const auto known = short_names().find(words[0]); known != short_names().end())
      return parse(known->second);
  Calendar out;
  bool any = false, time = false;
  for (const auto& word : words) {
    if (word == "UTC" && any)
      out.utc_ = true;
    else if (word.find(':') != word.npos)
      time = out.parse_time(word);
    else if (word.find('-') != word.npos ? !out.parse_date(word) : !out.parse_weekdays(word))
      return {};
    if (word.find(':') != word.npos && !time) return {};
    any = true;
  }
  if (!any || (!time && !out.parse_time("00:00:00"))) return {};
  return out;
}

bool Calendar::parse_weekdays(std::string_view text) {
  std::string numbers;
  for (const std::string_view part : split(text, ',')) {
    const auto dots = part.find("..");
    const int from = weekday(part.substr(0, dots));
    const int to = dots == part.npos ? from : weekday(part.substr(dots + 2));
    if (from < 0 || to < 0 || since_monday(from) > since_monday(to)) return false;
    for (int day = from;; day = (day + 1) % 7) {
      numbers += (numbers.empty() ? "" : ",") + std::to_string(day);
      if (day == to) break;
    }
  }
  return weekdays_.parse(numbers);
}

bool Calendar::parse_date(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() == 2) return months_.parse(parts[0]) && days_.parse(parts[1]);
  return parts.size() == 3 && years_.parse(parts[0]) && months_.parse(parts[1]) &&
         days_.parse(parts[2]);
}

bool Calendar::parse_time(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 2 && parts.size() != 3) return false;
  return hours_.parse(parts[0]) && minutes_.parse(parts[1]) &&
         seconds_.parse(parts.size() == 3 ? parts[2] : "0");
}

bool Calendar::is_day(int year, int month, int day, int day_of_week) const {
  return weekdays_.contains(day_of_week) && years_.contains(year) && months_.contains(month) &&
         days_.contains(day);
}

std::optional<int> Calendar::second_of_day(int from) const {
  for (auto hour = hours_.from(from / 3600); hour; hour = hours_.from(*hour + 1)) {
    const int in_hour = std::max(from - *hour * 3600, 0);
    for (auto minute = minutes_.from(in_hour / 60); minute; minute = minutes_.from(*minute + 1)) {
      const int in_minute = std::max(from - *hour * 3600 - *minute * 60, 0);
      if (in_minute > 59) continue;
      if (const auto second = seconds_.from(in_minute))
        return *hour * 3600 + *minute * 60 + *second;
    }
  }
  return {};
}

std::optional<long long> Calendar::next(long long after) const {
  const time_t begin = after + 1;
  tm first{};
  tzset();  // localtime_r() caches the time zone, mktime() does not
  utc_ ? gmtime_r(&begin, &first) : localtime_r(&begin, &first);
  int from = first.tm_hour * 3600 + first.tm_min * 60 + first.tm_sec;
  for (int i = 0; i < kMostDays; ++i, from = 0) {
    tm day{};  // of noon, which every day has
    day.tm_year = first.tm_year;
    day.tm_mon = first.tm_mon;
    day.tm_mday = first.tm_mday + i;
    day.tm_hour = 12;
    timegm(&day);
    if (!is_day(day.tm_year + 1900, day.tm_mon + 1, day.tm_mday, day.tm_wday)) continue;
    for (auto second = second_of_day(from); second; second = second_of_day(*second + 1)) {
      tm at = day;
      at.tm_hour = *second / 3600;
      at.tm_min = *second / 60 % 60;
      at.tm_sec = *second % 60;
      at.tm_isdst = -1;
      const time_t then = utc_ ? timegm(&at) : mktime(&at);
      if (then > after) return then;  // an hour that occurs twice: the first time counts
    }
  }
  return {};
}

}  // namespace sim::guest::services
