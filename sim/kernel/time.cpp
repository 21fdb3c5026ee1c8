#include "sim/kernel/time.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace sim {
namespace {

using std::chrono::days;
using std::chrono::floor;

// `value` with n digits, then `end`. By hand: a run writes some hundred times of day.
void append(std::string& text, std::int64_t value, std::size_t n, char end) {
  std::array<char, 10> digits;
  for (std::size_t i = n; i-- > 0; value /= 10) digits[i] = static_cast<char>('0' + value % 10);
  digits[n] = end;
  text.append(digits.data(), n + 1);
}

// With so many digits of the second's fraction, none or up to nine.
std::string iso(Time t, std::size_t fraction) {
  const auto day = floor<days>(t.time_since_epoch());
  const std::chrono::year_month_day date{std::chrono::sys_days{day}};
  const std::chrono::hh_mm_ss clock{t.time_since_epoch() - day};
  std::string text;
  text.reserve(30);
  append(text, static_cast<int>(date.year()), 4, '-');
  append(text, static_cast<unsigned>(date.month()), 2, '-');
  append(text, static_cast<unsigned>(date.day()), 2, 'T');
  append(text, clock.hours().count(), 2, ':');
  append(text, clock.minutes().count(), 2, ':');
  append(text, clock.seconds().count(), 2, fraction > 0 ? '.' : 'Z');
  if (fraction == 0) return text;
  std::int64_t part = clock.subseconds().count();
  for (std::size_t i = fraction; i < 9; ++i) part /= 10;
  append(text, part, fraction, 'Z');
  return text;
}

// Takes exactly n digits off the front of text; empty when there are fewer.
std::optional<int> take_digits(std::string_view& text, std::size_t n) {
  int value = 0;
  if (text.size() < n) return {};
  for (char c : text.substr(0, n)) {
    if (c < '0' || c > '9') return {};
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(n);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// Takes ".123" (up to nine digits) off the front as nanoseconds; 0 when there is no fraction.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  std::int64_t value = 0;
  int digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
    if (++digits > 9) return {};
    value = value * 10 + (text.front() - '0');
  }
  if (!digits) return {};
  for (; digits < 9; ++digits) value *= 10;
  return value;
}

// Takes "Z", "+hh:mm", "+hhmm" or nothing off the front, as the zone's offset.
std::optional<std::chrono::minutes> take_zone(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return std::chrono::minutes{0};
  const bool minus = text.front() == '-';
  if (!take(text, '+') && !take(text, '-')) return {};
  const auto hours = take_digits(text, 2);
  take(text, ':');
  const auto minutes = take_digits(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return {};
  const std::chrono::minutes offset{*hours * 60 + *minutes};
  return minus ? -offset : offset;
}

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::array<Unit, 7> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000},
                                      {"d", 86'400'000'000'000}}};

}  // namespace

std::string iso_nanoseconds(Time t) { return iso(t, 9); }
std::string iso_milliseconds(Time t) { return iso(t, 3); }
std::string iso_seconds(Time t) { return iso(t, 0); }

std::optional<Time> parse_time(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return {};
  const auto month = take_digits(text, 2);
  if (!month || !take(text, '-')) return {};
  const auto day = take_digits(text, 2);
  if (!day) return {};
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  // int64 nanoseconds end in April 2262; the first of that year is the last whole one.
  if (!date.ok() || *year < 1678 || *year > 2261) return {};
  Time t{std::chrono::sys_days{date}.time_since_epoch()};
  if (text.empty()) return t;
  if (!take(text, 'T') && !take(text, ' ')) return {};
  const auto hours = take_digits(text, 2);
  if (!hours || *hours > 23 || !take(text, ':')) return {};
  const auto minutes = take_digits(text, 2);
  if (!minutes || *minutes > 59) return {};
  int second = 0;
  if (take(text, ':')) {
    const auto digits = take_digits(text, 2);
    if (!digits || *digits > 59) return {};
    second = *digits;
  }
  const auto fraction = take_fraction(text);
  if (!fraction) return {};
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return {};
  return t + std::chrono::hours{*hours} + std::chrono::minutes{*minutes} +
         std::chrono::seconds{second} + std::chrono::nanoseconds{*fraction} - *zone;
}

std::optional<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return {};
  std::int64_t total = 0;
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !(value >= 0)) return {};
    if (text.front() == '-') return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto letters = std::min(text.find_first_of("0123456789."), text.size());
    const Unit* unit = nullptr;
    for (const Unit& u : kUnits)
      if (u.name == text.substr(0, letters)) unit = &u;
    if (!unit) return {};
    text.remove_prefix(letters);
    const double nanoseconds = std::round(value * static_cast<double>(unit->nanoseconds));
    if (nanoseconds > static_cast<double>(std::numeric_limits<std::int64_t>::max() / 2)) return {};
    if (__builtin_add_overflow(total, static_cast<std::int64_t>(nanoseconds), &total)) return {};
  }
  return Duration{total};
}

std::string format_duration(Duration d) {
  if (d < Duration{0}) return "-" + format_duration(-d);
  const std::int64_t total = d.count();
  const std::int64_t hours = total / 3'600'000'000'000, minutes = total / 60'000'000'000 % 60;
  const std::int64_t rest = total % 60'000'000'000;
  std::string out;
  if (hours) out += fmt::format("{}h", hours);
  if (minutes) out += fmt::format("{}m", minutes);
  if (rest || out.empty()) {
    std::string digits = fmt::format("{}.{:09}", rest / 1'000'000'000, rest % 1'000'000'000);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    out += digits + "s";
  }
  return out;
}

Duration from_seconds(double s) { return Duration{std::llround(s * 1e9)}; }

}  // namespace sim
