#include "sim/market/usd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/kernel/check.h"

namespace sim::market {
namespace {

constexpr std::int64_t kNanoPerDollar = 1'000'000'000;
constexpr std::size_t kDecimals = 9, kFewestDecimals = 4;

bool digit(char c) { return c >= '0' && c <= '9'; }

// Removes at most so many leading digits from the text and appends them to the value.
std::size_t take_digits(std::string_view& text, std::size_t most, std::int64_t& value) {
  std::size_t n = 0;
  for (; n < std::min(most, text.size()) && digit(text[n]); ++n)
    value = value * 10 + (text[n] - '0');
  text.remove_prefix(n);
  return n;
}

constexpr std::array<std::int64_t, kDecimals + 1> kPowersOfTen{
    1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, kNanoPerDollar};

}  // namespace

std::optional<Usd> parse_usd(std::string_view text) {
  while (text.size() > 1 && text[0] == '0' && digit(text[1])) text.remove_prefix(1);
  constexpr std::size_t kMostWhole = 10;  // of ±9.2 billion; 19 digits with the decimals
  std::int64_t dollars = 0, nano = 0;
  if (take_digits(text, kMostWhole, dollars) == 0) return {};
  bool up = false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t decimals = take_digits(text, kDecimals, nano);
    if (decimals == 0) return {};
    nano *= kPowersOfTen[kDecimals - decimals];
    up = !text.empty() && text[0] >= '5';
    while (!text.empty() && digit(text[0])) text.remove_prefix(1);
  }
  if (!text.empty()) return {};
  std::int64_t sum = 0;
  if (__builtin_mul_overflow(dollars, kNanoPerDollar, &sum) ||
      __builtin_add_overflow(sum, nano + up, &sum))
    return {};
  return Usd{sum};
}

std::string format_usd(Usd amount) {
  const bool minus = amount.nano < 0;
  // Negated as unsigned, so that the least int64 also has a magnitude.
  const std::uint64_t size =
      minus ? -static_cast<std::uint64_t>(amount.nano) : static_cast<std::uint64_t>(amount.nano);
  std::string text =
      fmt::format("{}{}.{:09}", minus ? "-" : "", size / kNanoPerDollar, size % kNanoPerDollar);
  const std::size_t shortest = text.size() - kDecimals + kFewestDecimals;
  while (text.size() > shortest && text.back() == '0') text.pop_back();
  return text;
}

Usd scaled(Usd amount, double factor) {
  return {std::llround(static_cast<double>(amount.nano) * factor)};
}

Usd charge(Usd per_hour, Duration d) {
  constexpr std::int64_t kHour = Duration{1h}.count();
  SIM_CHECK(per_hour.nano >= 0 && d >= Duration::zero());
  const __int128 exact = static_cast<__int128>(per_hour.nano) * d.count();
  const __int128 rounded = (exact + kHour / 2) / kHour;
  SIM_CHECK(rounded <= std::numeric_limits<std::int64_t>::max());
  return {static_cast<std::int64_t>(rounded)};
}

}  // namespace sim::market
