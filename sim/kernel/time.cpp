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

// Numbers at fixed places of a text, one after another; by hand, as a large trace has millions of
// times. `ok` turns false at the first that has another character.
struct Digits {
  std::string_view text;
  bool ok = true;

  int at(std::size_t begin, std::size_t n) {
    unsigned value = 0;
    for (std::size_t i = begin; i < begin + n; ++i) {
      const unsigned digit = static_cast<unsigned char>(text[i]) - unsigned{'0'};
      ok &= digit <= 9;
      value = value * 10 + digit;
    }
    return static_cast<int>(value);
  }
};

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

// "Z", "+hh:mm", "+hhmm" or nothing, as the zone's offset.
std::optional<std::chrono::minutes> zone_offset(std::string_view text) {
  if (text.empty() || text == "Z") return std::chrono::minutes{0};
  const bool colon = text.size() == 6 && text[3] == ':';
  if ((text.size() != 5 && !colon) || (text[0] != '+' && text[0] != '-')) return {};
  Digits digits{text};
  const int hours = digits.at(1, 2), minutes = digits.at(colon ? 4 : 3, 2);
  if (!digits.ok || hours > 23 || minutes > 59) return {};
  const std::chrono::minutes offset{hours * 60 + minutes};
  return text[0] == '-' ? -offset : offset;
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
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return {};
  Digits digits{text};
  const int year = digits.at(0, 4), month = digits.at(5, 2), day = digits.at(8, 2);
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  // int64 nanoseconds end in April 2262; the first of that year is the last whole one.
  if (!digits.ok || !date.ok() || year < 1678 || year > 2261) return {};
  const Time midnight{std::chrono::sys_days{date}.time_since_epoch()};
  if (text.size() == 10) return midnight;
  if (text.size() < 16 || (text[10] != 'T' && text[10] != ' ') || text[13] != ':') return {};
  const bool to_seconds = text.size() >= 19 && text[16] == ':';
  const int hours = digits.at(11, 2), minutes = digits.at(14, 2);
  const int second = to_seconds ? digits.at(17, 2) : 0;
  if (!digits.ok || hours > 23 || minutes > 59 || second > 59) return {};
  text.remove_prefix(to_seconds ? 19 : 16);
  const auto fraction = take_fraction(text);
  if (!fraction) return {};
  const auto zone = zone_offset(text);
  if (!zone) return {};
  return midnight + std::chrono::seconds{hours * 3600 + minutes * 60 + second} +
         std::chrono::nanoseconds{*fraction} - *zone;
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
