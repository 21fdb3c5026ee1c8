#include "trainer/model/portable_math.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace spottrain {
namespace {

// log 2 in two parts. Multiples of the first part up to 2^11 are exact.
constexpr double kLog2High = 0x1.62e42feep-1;
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;

double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

double portable_exp(double x) {
  if (x < -708) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  if (x != x) return x;
  // x = k log 2 + r with |r| <= log(2)/2, then the Taylor series of e^r.
  const double scaled = x * 1.4426950408889634;
  const auto k = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  const double r = (x - static_cast<double>(k) * kLog2High) - static_cast<double>(k) * kLog2Low;
  double sum = 1;
  for (int n = 13; n >= 1; --n) sum = 1 + sum * r / n;
  return sum * power_of_two(k);
}

double portable_log(double x) {
  if (!(x > 0 && x < std::numeric_limits<double>::infinity())) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // x = 2^k m with m in [√½, √2), then log m = 2 artanh((m - 1) ÷ (m + 1)).
  const auto bits = std::bit_cast<std::uint64_t>(x);
  std::int64_t k = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFF) | std::uint64_t{1023} << 52);
  if (m > 1.4142135623730951) {
    m /= 2;
    ++k;
  }
  const double t = (m - 1) / (m + 1);
  double sum = 0;
  for (int n = 21; n >= 1; n -= 2) sum = sum * (t * t) + 1.0 / n;
  return static_cast<double>(k) * kLog2High + (2 * t * sum + static_cast<double>(k) * kLog2Low);
}

double portable_cos_pi(double x) {
  if (x > 0.5) return -portable_cos_pi(1 - x);
  // The Taylor series: up to π/4 of the cosine, above π/4 of sin(π (½ − x)).
  constexpr double pi = 3.14159265358979323846;
  const bool cosine = x <= 0.25;
  const double y = pi * (cosine ? x : 0.5 - x);
  double sum = 1;
  for (int n = cosine ? 18 : 19; n >= 2; n -= 2) sum = 1 - sum * (y * y) / (n * (n - 1));
  return cosine ? sum : y * sum;
}

}  // namespace spottrain
