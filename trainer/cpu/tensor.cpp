#include "trainer/cpu/tensor.h"

namespace spottrain::cpu {
namespace {

constexpr std::size_t kFloats = 64 / sizeof(float);  // a cache line's

std::size_t whole_lines(std::size_t floats) { return (floats + kFloats - 1) / kFloats * kFloats; }

}  // namespace

std::ptrdiff_t Layout::image() const {
  const auto floats = static_cast<std::size_t>(shape.height * row() + border * pixel());
  const std::size_t lines = whole_lines(floats);
  // If images were a multiple of 4096 bytes apart, the same place of each would share a few cache
  // lines.
  return static_cast<std::ptrdiff_t>(lines % 1024 == 0 ? lines + kFloats : lines);
}

Tensor::Tensor(const Layout& layout, int images)
    : layout_(layout),
      first_(layout.border * layout.pixel()),
      data_(static_cast<std::size_t>(layout.image() * images)) {}

}  // namespace spottrain::cpu
