// Random numbers as a function of (seed, purpose, id). The generator uses integers only, so
// every machine has the same numbers. The position in a stream is the only state.
#pragma once

#include <array>
#include <cstdint>

#include "base/philox.h"

namespace spottrain {

using base::philox_block;

// The purpose of a stream. The numbers determine the meaning of a seed and must never change.
enum class Purpose : std::uint32_t {
  data_order = 1,
  initial_weights = 2,
  shapes = 3,
  dropout = 4,
  hold_out = 5,
  augmentation = 6,
};

// A stream of random numbers. Streams with different arguments are independent.
class Philox {
 public:
  Philox(std::uint64_t seed, Purpose purpose, std::uint64_t id);

  std::uint32_t next();
  // A number in [0, n), unbiased; n > 0.
  std::uint32_t below(std::uint32_t n);
  // A number in [low, high]; low <= high, and high - low below 2^32 - 1.
  std::int64_t between(std::int64_t low, std::int64_t high);
  // A number in [-1, 1), a multiple of 2^-23, which a float represents exactly.
  float symmetric();

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned left_ = 0;
};

}  // namespace spottrain
