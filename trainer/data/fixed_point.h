// Fixed-point numbers with 16 fractional bits in int64. Pictures drawn with them have the same
// bytes on every machine. Floating point with the sin and cos of a maths library does not promise
// this.
#pragma once

#include <array>
#include <cstdint>

namespace spottrain::fixed {

using Value = std::int64_t;  // in units of 2^-16
inline constexpr Value kOne = 1 << 16;

// numerator ÷ denominator, rounded towards zero.
constexpr Value ratio(std::int64_t numerator, std::int64_t denominator) {
  return numerator * kOne / denominator;
}
constexpr Value times(Value a, Value b) { return (a * b) >> 16; }
constexpr Value over(Value a, Value b) { return a * kOne / b; }
constexpr Value magnitude(Value a) { return a < 0 ? -a : a; }

// Sine of an angle in units of 2^-16 turns, to about 2^-16: the Taylor polynomial of degree 9 on a
// quarter turn, in integers.
constexpr Value sine(std::int64_t angle) {
  angle &= 0xFFFF;
  const bool negative = angle >= 0x8000;
  angle &= 0x7FFF;
  if (angle > 0x4000) angle = 0x8000 - angle;
  constexpr std::int64_t two_pi = 6746518852;   // 2π × 2^30
  const std::int64_t x = angle * two_pi >> 16;  // radians × 2^30
  const std::int64_t square = x * x >> 30;
  std::int64_t sum = std::int64_t{1} << 30;
  for (const std::int64_t divisor : {72, 42, 20, 6}) {
    sum = (std::int64_t{1} << 30) - (square * sum >> 30) / divisor;
  }
  const Value result = ((x * sum >> 30) + (1 << 13)) >> 14;
  return negative ? -result : result;
}
constexpr Value cosine(std::int64_t angle) { return sine(angle + 0x4000); }

}  // namespace spottrain::fixed
