// Money in exact integers, so that a bill adds up on every machine.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"

namespace sim::market {

// US dollars in steps of 10^-9; ±9.2 billion dollars.
struct Usd {
  std::int64_t nano = 0;
  auto operator<=>(const Usd&) const = default;
  Usd& operator+=(Usd o) { return nano += o.nano, *this; }
  friend Usd operator+(Usd a, Usd b) { return {a.nano + b.nano}; }
  friend Usd operator-(Usd a, Usd b) { return {a.nano - b.nano}; }
  double dollars() const { return static_cast<double>(nano) / 1e9; }
};

// Reads "0.0315", "3" or "12.345678901" (more than nine decimals are rounded half up). Empty for
// any other text, including one with a sign.
std::optional<Usd> parse_usd(std::string_view text);
// The shortest decimal form, at least four decimals: "0.9180", "0.000255".
std::string format_usd(Usd amount);
// The amount times a factor, rounded to the nearest 10^-9 dollars.
Usd scaled(Usd amount, double factor);
// The cost of d at this price per hour, rounded half up to 10^-9 dollars.
Usd charge(Usd per_hour, Duration d);

}  // namespace sim::market
