// The element types of activations. Kernels load and store either type, and compute in float32.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define SPOTTRAIN_HOST_DEVICE __host__ __device__
#else
#define SPOTTRAIN_HOST_DEVICE
#endif

namespace spottrain::cuda {

enum class Element { f32, bf16 };

// bfloat16: the upper half of a float32.
struct Bf16 {
  std::uint16_t bits = 0;
};

inline std::size_t size_of(Element element) {
  return element == Element::f32 ? sizeof(float) : sizeof(Bf16);
}

SPOTTRAIN_HOST_DEVICE inline float to_float(float value) { return value; }
SPOTTRAIN_HOST_DEVICE inline float to_float(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

// Rounds to the nearest value, ties to even. NaN stays NaN.
SPOTTRAIN_HOST_DEVICE inline void store_float(float& to, float value) { to = value; }
SPOTTRAIN_HOST_DEVICE inline void store_float(Bf16& to, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  to.bits = static_cast<std::uint16_t>((nan ? bits | 0x400000u : rounded) >> 16);
}

}  // namespace spottrain::cuda
