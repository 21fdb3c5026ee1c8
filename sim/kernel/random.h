// Named random streams. Every use of randomness has its own stream, so an additional draw in one
// place leaves all other places unchanged.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/kernel/time.h"

namespace sim {

// One stream: the consecutive blocks of Philox (base/philox.h) under one key.
class Stream {
 public:
  explicit Stream(std::uint64_t key) : key_(key) {}

  std::uint64_t next();
  // In [0, 1), on a grid of 2^-53.
  double uniform();
  // In [0, n); n > 0. Unbiased.
  std::uint64_t below(std::uint64_t n);
  // Exponential with this mean, rounded to a millisecond, because two maths libraries may differ in
  // the last bit.
  Duration exponential(Duration mean);
  // Weibull with this mean (scale mean ÷ Γ(1 + 1/shape)), rounded likewise and at most 10^9 s.
  // Shape 1 is exponential; below 1 failures are early, above 1 late.
  Duration weibull(Duration mean, double shape);
  // Uniform in [low, high], rounded to a millisecond.
  Duration between(Duration low, Duration high);

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
  std::array<std::uint32_t, 4> block_{};
  unsigned left_ = 0;
};

// All streams of one run: seed × run × name × id.
class Streams {
 public:
  explicit Streams(std::uint64_t seed, std::uint64_t run = 0) : seed_(seed), run_(run) {}
  // A stream from its beginning. Make each one once per name and ID, and keep it.
  Stream stream(std::string_view name, std::string_view id = {}) const;
  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_, run_;
};

}  // namespace sim
