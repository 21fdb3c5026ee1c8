#include "trainer/cpu/tensor.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace spottrain::cpu {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kFloats = kAlignment / sizeof(float);

std::size_t whole_lines(std::size_t floats) { return (floats + kFloats - 1) / kFloats * kFloats; }

}  // namespace

Buffer::Buffer(std::size_t size) : size_(size) {
  std::size_t bytes = whole_lines(size) * sizeof(float);
  const bool large = bytes >= kHugePage;
  if (large) bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  data_.reset(static_cast<float*>(std::aligned_alloc(large ? kHugePage : kAlignment, bytes)));
  if (!data_) throw std::bad_alloc();
  if (large) ::madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish; without it all works
  std::memset(data_.get(), 0, bytes);
}

std::ptrdiff_t Layout::image() const {
  const auto floats = static_cast<std::size_t>(shape.height * row() + border * pixel());
  const std::size_t lines = whole_lines(floats);
  // The same place of images that are a multiple of 4096 bytes apart would share a few cache lines.
  return static_cast<std::ptrdiff_t>(lines % 1024 == 0 ? lines + kFloats : lines);
}

Tensor::Tensor(const Layout& layout, int images)
    : layout_(layout),
      first_(layout.border * layout.pixel()),
      data_(static_cast<std::size_t>(layout.image() * images)) {}

}  // namespace spottrain::cpu
