#include "policies/checkpoint/duration.h"

#include <array>
#include <cstdint>
#include <utility>

namespace policies {
namespace {

constexpr std::int64_t kLongest = INT64_MAX / 2;
constexpr std::int64_t kDigits = 100'000'000'000'000;  // more are no duration that anyone means
// Longer spellings first: "m" is also the beginning of "ms".
constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kUnits{{
    {"ms", 1'000'000},
    {"us", 1'000},
    {"h", 3'600'000'000'000},
    {"m", 60'000'000'000},
    {"s", 1'000'000'000},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number without sign as digits ÷ scale, taken off the front of text.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;
};
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal number;
  bool fraction = false, any = false;
  for (; !text.empty() && (is_digit(text[0]) || (text[0] == '.' && !fraction));
       text.remove_prefix(1)) {
    if (text[0] == '.') {
      fraction = true;
      continue;
    }
    if (number.digits > kDigits || number.scale > kDigits) return {};
    number.digits = number.digits * 10 + (text[0] - '0');
    if (fraction) number.scale *= 10;
    any = true;
  }
  if (!any) return {};
  return number;
}

std::optional<std::int64_t> take_unit(std::string_view& text) {
  for (const auto& [name, nanoseconds] : kUnits) {
    if (text.substr(0, name.size()) != name) continue;
    text.remove_prefix(name.size());
    return nanoseconds;
  }
  return {};
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  __extension__ typedef __int128 Wide;
  Wide total = 0;
  while (!text.empty()) {
    const auto number = take_decimal(text);
    if (!number) return {};
    const auto unit = take_unit(text);
    if (!unit) return {};
    total += static_cast<Wide>(number->digits) * *unit / number->scale;
    if (total > kLongest) return {};
  }
  if (total == 0) return {};
  return std::chrono::nanoseconds(static_cast<std::int64_t>(total));
}

}  // namespace policies
