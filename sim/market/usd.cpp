#include "sim/market/usd.h"

#include <fmt/format.h>

#include <limits>

#include "sim/kernel/check.h"

namespace sim::market {
namespace {

constexpr std::int64_t kNanoPerDollar = 1'000'000'000;
constexpr std::size_t kDecimals = 9, kFewestDecimals = 4;

bool digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  for (char c : text)
    if (!digit(c)) return false;
  return !text.empty();
}

bool append_digit(std::int64_t& value, int digit_value) {
  return !__builtin_mul_overflow(value, std::int64_t{10}, &value) &&
         !__builtin_add_overflow(value, std::int64_t{digit_value}, &value);
}

}  // namespace

std::optional<Usd> parse_usd(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (!all_digits(whole)) return {};
  std::string_view fraction;
  if (point != std::string_view::npos) {
    fraction = text.substr(point + 1);
    if (!all_digits(fraction)) return {};
  }
  std::int64_t nano = 0;
  for (char c : whole)
    if (!append_digit(nano, c - '0')) return {};
  for (std::size_t i = 0; i < kDecimals; ++i)
    if (!append_digit(nano, i < fraction.size() ? fraction[i] - '0' : 0)) return {};
  const bool up = fraction.size() > kDecimals && fraction[kDecimals] >= '5';
  if (__builtin_add_overflow(nano, std::int64_t{up}, &nano)) return {};
  return Usd{nano};
}

std::string format_usd(Usd amount) {
  const bool minus = amount.nano < 0;
  // Negated as unsigned, so that the least int64 has its magnitude too.
  const std::uint64_t size =
      minus ? -static_cast<std::uint64_t>(amount.nano) : static_cast<std::uint64_t>(amount.nano);
  std::string text =
      fmt::format("{}{}.{:09}", minus ? "-" : "", size / kNanoPerDollar, size % kNanoPerDollar);
  const std::size_t shortest = text.size() - kDecimals + kFewestDecimals;
  while (text.size() > shortest && text.back() == '0') text.pop_back();
  return text;
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
