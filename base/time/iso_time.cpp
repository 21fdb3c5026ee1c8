#include "base/time/iso_time.h"

#include <array>
#include <cstdint>

namespace base {
namespace {

// `value` with n digits, then `end`. By hand: a run writes some hundred times of day.
void append(std::string& text, std::int64_t value, int n, char end) {
  std::array<char, 10> digits;
  for (int i = n; i-- > 0; value /= 10)
    digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 10);
  digits[static_cast<std::size_t>(n)] = end;
  text.append(digits.data(), static_cast<std::size_t>(n) + 1);
}

// Reads numbers at fixed places of a text, one after another. Written by hand, because a large
// trace has millions of times. `ok` becomes false at the first wrong character.
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

// Removes ".123" (up to nine digits) from the front; 0 if there is no fraction.
std::optional<std::chrono::nanoseconds> take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) return std::chrono::nanoseconds{0};
  text.remove_prefix(1);
  std::int64_t value = 0;
  int digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
    if (++digits > 9) return {};
    value = value * 10 + (text.front() - '0');
  }
  if (!digits) return {};
  for (; digits < 9; ++digits) value *= 10;
  return std::chrono::nanoseconds{value};
}

// "Z", "+hh:mm", "+hhmm" or nothing, as the zone's offset.
std::optional<std::chrono::minutes> zone_offset(std::string_view text) {
  if (text.empty() || text == "Z") return std::chrono::minutes{0};
  const bool colon = text.size() == 6 && text[3] == ':';
  if ((text.size() != 5 && !colon) || (text[0] != '+' && text[0] != '-')) return {};
  Digits digits{text};
  const int hour = digits.at(1, 2), minute = digits.at(colon ? 4 : 3, 2);
  if (!digits.ok || hour > 23 || minute > 59) return {};
  const std::chrono::minutes offset{hour * 60 + minute};
  return text[0] == '-' ? -offset : offset;
}

}  // namespace

std::string iso_time(UtcTime time, int fraction_digits) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  std::string text;
  text.reserve(30);
  append(text, static_cast<int>(date.year()), 4, '-');
  append(text, static_cast<unsigned>(date.month()), 2, '-');
  append(text, static_cast<unsigned>(date.day()), 2, 'T');
  append(text, clock.hours().count(), 2, ':');
  append(text, clock.minutes().count(), 2, ':');
  append(text, clock.seconds().count(), 2, fraction_digits > 0 ? '.' : 'Z');
  if (fraction_digits == 0) return text;
  std::int64_t part = clock.subseconds().count();
  for (int i = fraction_digits; i < 9; ++i) part /= 10;
  append(text, part, fraction_digits, 'Z');
  return text;
}

std::optional<UtcTime> parse_iso_time(std::string_view text) {
  using namespace std::chrono;
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return {};
  Digits digits{text};
  const int y = digits.at(0, 4), m = digits.at(5, 2), d = digits.at(8, 2);
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)},
                            day{static_cast<unsigned>(d)}};
  // int64 nanoseconds end in April 2262, so 2261 is the last complete year.
  if (!digits.ok || !date.ok() || y < 1678 || y > 2261) return {};
  const UtcTime midnight{sys_days{date}};
  if (text.size() == 10) return midnight;
  if (text.size() < 16 || (text[10] != 'T' && text[10] != ' ') || text[13] != ':') return {};
  const bool to_seconds = text.size() >= 19 && text[16] == ':';
  const int hour = digits.at(11, 2), minute = digits.at(14, 2);
  const int second = to_seconds ? digits.at(17, 2) : 0;
  if (!digits.ok || hour > 23 || minute > 59 || second > 59) return {};
  text.remove_prefix(to_seconds ? 19 : 16);
  const auto fraction = take_fraction(text);
  if (!fraction) return {};
  const auto zone = zone_offset(text);
  if (!zone) return {};
  return midnight + seconds{hour * 3600 + minute * 60 + second} + *fraction - *zone;
}

}  // namespace base
