// Loops over values that do not depend on each other.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {

void add(std::size_t count, const float* a, const float* b, bool relu, float* y) {
  for_each_span(static_cast<std::ptrdiff_t>(count), [=](auto span) {
    Vec v = span.load_from(a);
    if (b) v += span.load_from(b);
    span.store_to(y, relu ? rectified(v) : v);
  });
}

void relu_mask(std::size_t count, const float* y, float* g) {
  for_each_span(static_cast<std::ptrdiff_t>(count), [=](auto span) {
    span.store_to(g, span.load_from(y) > 0.0f ? span.load_from(g) : Vec{});
  });
}

void scale(std::size_t count, const float* x, float factor, const std::uint8_t* kept,
           bool accumulate, float* y) {
  for (std::size_t i = 0; i < count; ++i) {
    const float v = kept && !kept[i] ? 0.0f : factor * x[i];
    y[i] = accumulate ? y[i] + v : v;
  }
}

void dropout_mask(const DropoutMask& mask, std::size_t first, std::size_t count,
                  std::uint8_t* kept) {
  // Philox 4x32-10 (trainer/data/philox.h) on kBlocks blocks at a time, word by word.
  constexpr std::size_t kBlocks = 16;
  for (std::size_t done = 0; done < count; done += 4 * kBlocks) {
    std::uint32_t word[4][kBlocks];
    for (std::size_t b = 0; b < kBlocks; ++b) {
      word[0][b] = static_cast<std::uint32_t>((first + done) / 4 + b);
      for (int i = 0; i < 3; ++i) word[i + 1][b] = mask.counter[i];
    }
    std::uint32_t key[2] = {mask.key[0], mask.key[1]};
    for (int round = 0; round < 10; ++round) {
      for (std::size_t b = 0; b < kBlocks; ++b) {
        const std::uint64_t p = std::uint64_t{0xD2511F53} * word[0][b];
        const std::uint64_t q = std::uint64_t{0xCD9E8D57} * word[2][b];
        word[0][b] = static_cast<std::uint32_t>(q >> 32) ^ word[1][b] ^ key[0];
        word[1][b] = static_cast<std::uint32_t>(q);
        word[2][b] = static_cast<std::uint32_t>(p >> 32) ^ word[3][b] ^ key[1];
        word[3][b] = static_cast<std::uint32_t>(p);
      }
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    for (std::size_t i = 0; i < 4 * kBlocks && done + i < count; ++i) {
      kept[done + i] = word[i % 4][i / 4] >= mask.threshold;
    }
  }
}

void sum_parts(const float* parts, std::ptrdiff_t stride, int count, std::size_t size, float* sum) {
  for_each_span(static_cast<std::ptrdiff_t>(size), [=](auto span) {
    Vec total = span.load_from(parts);
    for (int part = 1; part < count; ++part) total += span.load_from(parts + part * stride);
    span.store_to(sum, total);
  });
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
