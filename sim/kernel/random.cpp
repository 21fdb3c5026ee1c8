#include "sim/kernel/random.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/philox.h"
#include "sim/kernel/check.h"

namespace sim {

std::uint64_t Stream::next() {
  if (!left_) {
    block_ = base::philox_block(
        {static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32), 0, 0},
        {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)});
    ++counter_;
    left_ = 2;
  }
  --left_;
  return std::uint64_t{block_[2 * left_ + 1]} << 32 | block_[2 * left_];
}

double Stream::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::uint64_t Stream::below(std::uint64_t n) {
  SIM_CHECK(n > 0);
  // Lemire, "Fast random integer generation in an interval", 2019.
  __uint128_t product = __uint128_t{next()} * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = -n % n;
    while (static_cast<std::uint64_t>(product) < threshold) product = __uint128_t{next()} * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

Duration Stream::exponential(Duration mean) {
  const double draw = -std::log1p(-uniform()) * seconds(mean);
  return std::chrono::milliseconds{std::llround(draw * 1e3)};
}

Duration Stream::weibull(Duration mean, double shape) {
  SIM_CHECK(shape > 0);
  const double scale = seconds(mean) / std::tgamma(1 + 1 / shape);
  const double draw = scale * std::pow(-std::log1p(-uniform()), 1 / shape);
  return std::chrono::milliseconds{std::llround(std::min(draw, 1e9) * 1e3)};
}

Duration Stream::between(Duration low, Duration high) {
  SIM_CHECK(low <= high);
  const double draw = seconds(low) + uniform() * seconds(high - low);
  return std::chrono::milliseconds{std::llround(draw * 1e3)};
}

Stream Streams::stream(std::string_view name, std::string_view id) const {
  std::string text{name};
  text += '\0';
  text += id;
  const std::uint64_t run_seed = XXH3_64bits_withSeed(&run_, sizeof run_, seed_);
  return Stream{XXH3_64bits_withSeed(text.data(), text.size(), run_seed)};
}

}  // namespace sim
