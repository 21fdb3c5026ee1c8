#include "base/time/duration.h"

#include <array>
#include <cstdint>
#include <utility>

namespace base {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute;
constexpr std::int64_t kLongestDuration = INT64_MAX / 2;
constexpr std::int64_t kMostDigits = 100'000'000'000'000'000;  // another digit fits 64 bits
constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kUnits{{{"ns", 1},
                                                                           {"us", 1'000},
                                                                           {"ms", 1'000'000},
                                                                           {"s", kSecond},
                                                                           {"m", kMinute},
                                                                           {"h", kHour},
                                                                           {"d", 24 * kHour}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number without sign, as digits ÷ scale.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;
};

// Taken off the front of text.
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal number;
  bool fraction = false, any = false;
  for (; !text.empty() && (is_digit(text[0]) || (text[0] == '.' && !fraction));
       text.remove_prefix(1)) {
    if (text[0] == '.') {
      fraction = true;
      continue;
    }
    if (number.digits > kMostDigits || number.scale > kMostDigits) return {};
    number.digits = number.digits * 10 + (text[0] - '0');
    if (fraction) number.scale *= 10;
    any = true;
  }
  if (!any) return {};
  return number;
}

// The nanoseconds of the unit at the front of text, which is taken off.
std::optional<std::int64_t> take_unit(std::string_view& text) {
  const std::string_view letters = text.substr(0, text.find_first_of("0123456789."));
  for (const auto& [name, nanoseconds] : kUnits) {
    if (letters != name) continue;
    text.remove_prefix(name.size());
    return nanoseconds;
  }
  return {};
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  if (text.empty()) return {};
  Wide total = 0;
  while (!text.empty()) {
    const auto number = take_decimal(text);
    if (!number) return {};
    const auto unit = take_unit(text);
    if (!unit) return {};
    const Wide twice = 2 * static_cast<Wide>(number->digits) * *unit;
    total += (twice + number->scale) / (2 * static_cast<Wide>(number->scale));
    if (total > kLongestDuration) return {};
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(total));
}

std::optional<std::chrono::nanoseconds> parse_positive_duration(std::string_view text) {
  const auto duration = parse_duration(text);
  return duration && duration->count() > 0 ? duration : std::nullopt;
}

std::string format_duration(std::chrono::nanoseconds duration) {
  if (duration.count() < 0) return "-" + format_duration(-duration);
  const std::int64_t total = duration.count(), rest = total % kMinute;
  std::string text;
  if (const auto hours = total / kHour; hours > 0) text += std::to_string(hours) + "h";
  if (const auto minutes = total / kMinute % 60; minutes > 0) text += std::to_string(minutes) + "m";
  if (rest == 0 && !text.empty()) return text;
  std::string fraction = std::to_string(kSecond + rest % kSecond).replace(0, 1, ".");
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (fraction == ".") fraction.clear();
  return text + std::to_string(rest / kSecond) + fraction + "s";
}

}  // namespace base
