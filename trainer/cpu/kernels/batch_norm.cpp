// Sums over pixels, and batch normalisation (Ioffe and Szegedy, 2015) fused with what stands around
// it. Loops go over channels first: a channel's values then stay in registers along the pixels.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

// Calls add(pixel's offset, lane) for the pixels in order, the lanes in turn.
template <typename Add>
inline void for_each_pixel(NormRun run, Add add) {
  std::ptrdiff_t at = 0;
  const std::ptrdiff_t next = run.channels;
  int pixel = 0;
  for (; pixel + kSumLanes <= run.pixels; pixel += kSumLanes) {
#pragma GCC unroll 4
    for (int lane = 0; lane < kSumLanes; ++lane, at += next) add(at, lane);
  }
  for (int lane = 0; pixel < run.pixels; ++pixel, ++lane, at += next) add(at, lane);
}

struct Accumulators {
  Vec lane[kSumLanes];
  Accumulators(Span span, const float* sums, int channels) {
#pragma GCC unroll 4
    for (int l = 0; l < kSumLanes; ++l) lane[l] = span.load_from(sums + l * channels);
  }
  void store_to(Span span, float* sums, int channels) const {
#pragma GCC unroll 4
    for (int l = 0; l < kSumLanes; ++l) span.store_to(sums + l * channels, lane[l]);
  }
};

}  // namespace

void sum(NormRun run, const float* x, LaneSums sums) {
  for_each_span(run.channels, [=](Span span) {
    Accumulators total(span, sums, run.channels);
    for_each_pixel(
        run, [&](std::ptrdiff_t at, int lane) { total.lane[lane] += span.load_from(x + at); });
    total.store_to(span, sums, run.channels);
  });
}

void moments(NormRun run, const float* x, const float* shift, LaneSums sums, LaneSums squares) {
  for_each_span(run.channels, [=](Span span) {
    Accumulators first(span, sums, run.channels), second(span, squares, run.channels);
    const Vec origin = span.load_from(shift);
    for_each_pixel(run, [&](std::ptrdiff_t at, int lane) {
      const Vec d = span.load_from(x + at) - origin;
      first.lane[lane] += d;
      second.lane[lane] = fmadd(d, d, second.lane[lane]);
    });
    first.store_to(span, sums, run.channels);
    second.store_to(span, squares, run.channels);
  });
}

void normalize(NormRun run, const float* x, const float* scale, const float* offset,
               const float* addend, bool relu, float* y) {
  for_each_span(run.channels, [=](Span span) {
    const Vec factor = span.load_from(scale), constant = span.load_from(offset);
    std::ptrdiff_t at = 0;
    for (int pixel = 0; pixel < run.pixels; ++pixel, at += run.channels) {
      Vec v = fmadd(span.load_from(x + at), factor, constant);
      if (addend) v += span.load_from(addend + at);
      span.store_to(y + at, relu ? rectified(v) : v);
    }
  });
}

void normalize_sums(NormRun run, const float* x, const float* mean, const float* y, float* g,
                    LaneSums sums, LaneSums products) {
  for_each_span(run.channels, [=](Span span) {
    Accumulators first(span, sums, run.channels), second(span, products, run.channels);
    const Vec origin = span.load_from(mean);
    for_each_pixel(run, [&](std::ptrdiff_t at, int lane) {
      Vec flowing = span.load_from(g + at);
      if (y) {
        flowing = span.load_from(y + at) > 0.0f ? flowing : Vec{};
        span.store_to(g + at, flowing);
      }
      first.lane[lane] += flowing;
      second.lane[lane] = fmadd(flowing, span.load_from(x + at) - origin, second.lane[lane]);
    });
    first.store_to(span, sums, run.channels);
    second.store_to(span, products, run.channels);
  });
}

void normalize_gradient(NormRun run, const float* x, const float* mean, const float* g,
                        const float* scale, const float* bias, const float* slope, bool accumulate,
                        float* dx) {
  for_each_span(run.channels, [=](Span span) {
    const Vec origin = span.load_from(mean), factor = span.load_from(scale);
    const Vec constant = span.load_from(bias), minus_slope = -span.load_from(slope);
    std::ptrdiff_t at = 0;
    for (int pixel = 0; pixel < run.pixels; ++pixel, at += run.channels) {
      const Vec centred = span.load_from(x + at) - origin;
      Vec v = factor * fmadd(centred, minus_slope, span.load_from(g + at) - constant);
      if (accumulate) v += span.load_from(dx + at);
      span.store_to(dx + at, v);
    }
  });
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
