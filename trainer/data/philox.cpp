#include "trainer/data/philox.h"

namespace spottrain {
namespace {

std::uint32_t low_half(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_half(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

Philox::Philox(std::uint64_t seed, Purpose purpose, std::uint64_t id)
    : key_{low_half(seed), high_half(seed)},
      counter_{0, low_half(id), high_half(id), static_cast<std::uint32_t>(purpose)} {}

std::uint32_t Philox::next() {
  if (left_ == 0) {
    block_ = philox_block(counter_, key_);
    ++counter_[0];
    left_ = 4;
  }
  return block_[4 - left_--];
}

std::uint32_t Philox::below(std::uint32_t n) {
  // Multiplies and takes the high half. Draws that would be one too many for some results are
  // rejected (Lemire, "Fast random integer generation in an interval", 2019).
  const std::uint32_t excess = (0u - n) % n;
  for (;;) {
    const std::uint64_t product = std::uint64_t{next()} * n;
    if (low_half(product) >= excess) return high_half(product);
  }
}

std::int64_t Philox::between(std::int64_t low, std::int64_t high) {
  return low + below(static_cast<std::uint32_t>(high - low + 1));
}

float Philox::symmetric() {
  return static_cast<float>(static_cast<std::int32_t>(next() >> 8) - (1 << 23)) * 0x1p-23f;
}

}  // namespace spottrain
