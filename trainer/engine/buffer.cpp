#include "trainer/engine/buffer.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace spottrain {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t whole(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

Buffer::Buffer(std::size_t size) : size_(size) {
  std::size_t bytes = whole(size * sizeof(float), kAlignment);
  const bool large = bytes >= kHugePage;
  if (large) bytes = whole(bytes, kHugePage);
  data_.reset(static_cast<float*>(std::aligned_alloc(large ? kHugePage : kAlignment, bytes)));
  if (!data_) throw std::bad_alloc();
  if (large) ::madvise(data_.get(), bytes, MADV_HUGEPAGE);  // only for speed; it may fail
  std::memset(data_.get(), 0, bytes);
}

}  // namespace spottrain
