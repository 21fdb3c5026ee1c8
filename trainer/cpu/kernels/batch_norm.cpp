// Sums over pixels, and batch normalisation (Ioffe and Szegedy, 2015) fused with the operations
// around it. Loops go over channels first, so a channel's values stay in registers along the
// pixels.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

// Calls add(row, pixel's offset in it, lane) for the pixels in order; the lanes alternate.
template <typename Add>
inline void for_each_pixel(Area area, Add add) {
  const std::ptrdiff_t next = area.channels;
  for (int row = 0; row < area.rows; ++row) {
    std::ptrdiff_t at = 0;
    int pixel = 0;
    for (; pixel + kSumLanes <= area.pixels; pixel += kSumLanes) {
#pragma GCC unroll 4
      for (int lane = 0; lane < kSumLanes; ++lane, at += next) add(row, at, lane);
    }
    for (int lane = 0; pixel < area.pixels; ++pixel, ++lane, at += next) add(row, at, lane);
  }
}

struct Accumulators {
  Vec lane[kSumLanes];
  template <typename Span>
  Accumulators(Span span, const float* sums, int channels) {
#pragma GCC unroll 4
    for (int l = 0; l < kSumLanes; ++l) lane[l] = span.load_from(sums + l * channels);
  }
  template <typename Span>
  void store_to(Span span, float* sums, int channels) const {
#pragma GCC unroll 4
    for (int l = 0; l < kSumLanes; ++l) span.store_to(sums + l * channels, lane[l]);
  }
};

}  // namespace

void sum(Area area, ConstRows x, LaneSums sums) {
  for_each_span(area.channels, [=](auto span) {
    Accumulators total(span, sums, area.channels);
    for_each_pixel(area, [&](int row, std::ptrdiff_t at, int lane) {
      total.lane[lane] += span.load_from(x.first + row * x.next + at);
    });
    total.store_to(span, sums, area.channels);
  });
}

void moments(Area area, ConstRows x, const float* shift, LaneSums sums, LaneSums squares) {
  for_each_span(area.channels, [=](auto span) {
    Accumulators first(span, sums, area.channels), second(span, squares, area.channels);
    const Vec origin = span.load_from(shift);
    for_each_pixel(area, [&](int row, std::ptrdiff_t at, int lane) {
      const Vec d = span.load_from(x.first + row * x.next + at) - origin;
      first.lane[lane] += d;
      second.lane[lane] = fmadd(d, d, second.lane[lane]);
    });
    first.store_to(span, sums, area.channels);
    second.store_to(span, squares, area.channels);
  });
}

void normalize(Area area, ConstRows x, const float* scale, const float* offset, ConstRows addend,
               bool relu, Rows y) {
  for_each_span(area.channels, [=](auto span) {
    const Vec factor = span.load_from(scale), constant = span.load_from(offset);
    for (int row = 0; row < area.rows; ++row) {
      const float *from = x.first + row * x.next, *other = addend.first + row * addend.next;
      float* to = y.first + row * y.next;
      for (std::ptrdiff_t pixel = 0; pixel < area.pixels; ++pixel) {
        const std::ptrdiff_t at = pixel * area.channels;
        Vec v = fmadd(span.load_from(from + at), factor, constant);
        if (addend.first) v += span.load_from(other + at);
        span.store_to(to + at, relu ? rectified(v) : v);
      }
    }
  });
}

void normalize_sums(Area area, ConstRows x, const float* mean, ConstRows y, Rows g, LaneSums sums,
                    LaneSums products) {
  for_each_span(area.channels, [=](auto span) {
    Accumulators first(span, sums, area.channels), second(span, products, area.channels);
    const Vec origin = span.load_from(mean);
    for_each_pixel(area, [&](int row, std::ptrdiff_t at, int lane) {
      float* gradient = g.first + row * g.next + at;
      Vec flowing = span.load_from(gradient);
      if (y.first) {
        flowing = span.load_from(y.first + row * y.next + at) > 0.0f ? flowing : Vec{};
        span.store_to(gradient, flowing);
      }
      const Vec centred = span.load_from(x.first + row * x.next + at) - origin;
      first.lane[lane] += flowing;
      second.lane[lane] = fmadd(flowing, centred, second.lane[lane]);
    });
    first.store_to(span, sums, area.channels);
    second.store_to(span, products, area.channels);
  });
}

void normalize_gradient(Area area, ConstRows x, const float* mean, ConstRows g, const float* scale,
                        const float* bias, const float* slope, bool accumulate, Rows dx) {
  for_each_span(area.channels, [=](auto span) {
    const Vec origin = span.load_from(mean), factor = span.load_from(scale);
    const Vec constant = span.load_from(bias), minus_slope = -span.load_from(slope);
    for (int row = 0; row < area.rows; ++row) {
      const float *from = x.first + row * x.next, *gradient = g.first + row * g.next;
      float* to = dx.first + row * dx.next;
      for (std::ptrdiff_t pixel = 0; pixel < area.pixels; ++pixel) {
        const std::ptrdiff_t at = pixel * area.channels;
        const Vec centred = span.load_from(from + at) - origin;
        Vec v = factor * fmadd(centred, minus_slope, span.load_from(gradient + at) - constant);
        if (accumulate) v += span.load_from(to + at);
        span.store_to(to + at, v);
      }
    }
  });
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
