// A vector of floats of the instruction set that this file is compiled for. GCC defines the type's
// operators; this file adds further functions. All functions work lane by lane, so equal inputs
// give equal lanes for any length. Kernels may call nothing of the standard library: an inline
// function compiled for one processor could be linked into code that runs on another.
#pragma once

#include <immintrin.h>

#include <cstddef>

#include "trainer/cpu/kernels/kernels.h"

// The namespace of this instruction set, SPOTTRAIN_ISA, comes from the build.
namespace spottrain::cpu::SPOTTRAIN_ISA {

#if defined(__AVX512F__)

using Vec = __m512;
inline Vec load(const float* from) { return _mm512_loadu_ps(from); }
inline void store(float* to, Vec v) { _mm512_storeu_ps(to, v); }
inline Vec broadcast(float x) { return _mm512_set1_ps(x); }
inline Vec fmadd(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
// Not _mm512_sqrt_ps(v): GCC 12 warns about its own header.
inline Vec square_root(Vec v) { return _mm512_maskz_sqrt_ps(0xFFFF, v); }
// The first count lanes; the others are 0, and their memory is not touched.
inline __mmask16 first_lanes(int count) { return static_cast<__mmask16>((1u << count) - 1u); }
inline Vec load_first(const float* from, int count) {
  return _mm512_maskz_loadu_ps(first_lanes(count), from);
}
inline void store_first(float* to, int count, Vec v) {
  _mm512_mask_storeu_ps(to, first_lanes(count), v);
}

#else  // AVX2 and FMA

using Vec = __m256;
inline Vec load(const float* from) { return _mm256_loadu_ps(from); }
inline void store(float* to, Vec v) { _mm256_storeu_ps(to, v); }
inline Vec broadcast(float x) { return _mm256_set1_ps(x); }
inline Vec fmadd(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }
inline Vec square_root(Vec v) { return _mm256_sqrt_ps(v); }
inline __m256i first_lanes(int count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline Vec load_first(const float* from, int count) {
  return _mm256_maskload_ps(from, first_lanes(count));
}
inline void store_first(float* to, int count, Vec v) {
  _mm256_maskstore_ps(to, first_lanes(count), v);
}

#endif

inline constexpr int kLanes = sizeof(Vec) / sizeof(float);
inline constexpr int kPanelVecs = kPanel / kLanes;

inline Vec rectified(Vec v) { return v < 0.0f ? Vec{} : v; }  // lets NaN through

// A vector of floats from `at` on, or fewer than a full vector.
template <bool Whole>
struct Span {
  std::ptrdiff_t at;
  int lanes;  // ignored if Whole
  Vec load_from(const float* from) const {
    if constexpr (Whole) return load(from + at);
    return load_first(from + at, lanes);
  }
  void store_to(float* to, Vec v) const {
    if constexpr (Whole) {
      store(to + at, v);
    } else {
      store_first(to + at, lanes, v);
    }
  }
};

// Splits `count` floats into spans: full vectors, then the rest. Calls body with each.
template <typename Body>
inline void for_each_span(std::ptrdiff_t count, Body body) {
  std::ptrdiff_t at = 0;
  for (; at + kLanes <= count; at += kLanes) body(Span<true>{at, kLanes});
  if (at < count) body(Span<false>{at, static_cast<int>(count - at)});
}

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
