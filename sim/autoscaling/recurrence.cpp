#include "sim/autoscaling/recurrence.h"

#include <charconv>
#include <chrono>
#include <sstream>
#include <string_view>
#include <vector>

namespace sim::autoscaling {
namespace {

using Bits = std::uint64_t;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (text.empty() || read.ec != std::errc{} || read.ptr != end) return {};
  return value;
}

struct Range {
  int low, high;
};

// Parses "*", "5" or "1-5", each with an optional "/STEP".
std::optional<Bits> parse_part(std::string_view part, Range range) {
  int step = 1;
  const auto slash = part.find('/');
  if (slash != part.npos) {
    const auto given = number(part.substr(slash + 1));
    if (!given || *given < 1) return {};
    step = *given;
    part = part.substr(0, slash);
  }
  Range of = range;
  if (part != "*") {
    const auto dash = part.find('-');
    const auto low = number(part.substr(0, dash));
    if (!low) return {};
    const auto high = dash == part.npos ? (slash == part.npos ? low : std::optional(range.high))
                                        : number(part.substr(dash + 1));
    if (!high || *low < range.low || *high > range.high || *low > *high) return {};
    of = {*low, *high};
  }
  Bits bits = 0;
  for (int i = of.low; i <= of.high; i += step) bits |= Bits{1} << i;
  return bits;
}

std::optional<Bits> parse_field(std::string_view field, Range range) {
  Bits bits = 0;
  while (true) {
    const auto comma = field.find(',');
    const auto part = parse_part(field.substr(0, comma), range);
    if (!part) return {};
    bits |= *part;
    if (comma == field.npos) return bits;
    field = field.substr(comma + 1);
  }
}

bool has(Bits bits, unsigned at) { return (bits >> at & 1) != 0; }

}  // namespace

std::optional<Recurrence> Recurrence::parse(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> fields;
  for (std::string word; words >> word;) fields.push_back(word);
  if (fields.size() != 5) return {};
  Recurrence made;
  struct {
    Bits* into;
    Range range;
  } const rows[] = {{&made.minutes_, {0, 59}},
                    {&made.hours_, {0, 23}},
                    {&made.days_, {1, 31}},
                    {&made.months_, {1, 12}},
                    {&made.weekdays_, {0, 7}}};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto bits = parse_field(fields[i], rows[i].range);
    if (!bits) return {};
    *rows[i].into = *bits;
  }
  if (has(made.weekdays_, 7)) made.weekdays_ |= 1;  // Sunday is 0 and 7
  made.any_day_ = fields[2].starts_with('*');
  made.any_weekday_ = fields[4].starts_with('*');
  return made;
}

// If both day and weekday are restricted, one of them is enough, as in cron.
bool Recurrence::matches_day(Time midnight) const {
  using namespace std::chrono;
  const sys_days date{floor<days>(midnight.time_since_epoch())};
  const year_month_day day{date};
  if (!has(months_, static_cast<unsigned>(day.month()))) return false;
  const bool of_month = has(days_, static_cast<unsigned>(day.day()));
  const bool of_week = has(weekdays_, weekday{date}.c_encoding());
  return any_day_ || any_weekday_ ? of_month && of_week : of_month || of_week;
}

std::optional<Time> Recurrence::next(Time after) const {
  using namespace std::chrono;
  constexpr int kMostDays = 8 * 366;  // 29 February recurs within eight years
  const Time first{floor<minutes>(after.time_since_epoch()) + minutes{1}};
  Time midnight{floor<days>(first.time_since_epoch())};
  for (int day = 0; day < kMostDays; ++day, midnight += days{1}) {
    if (!matches_day(midnight)) continue;
    for (unsigned minute = 0; minute < 24 * 60; ++minute) {
      const Time at = midnight + minutes{minute};
      if (at >= first && has(hours_, minute / 60) && has(minutes_, minute % 60)) return at;
    }
  }
  return {};
}

}  // namespace sim::autoscaling
