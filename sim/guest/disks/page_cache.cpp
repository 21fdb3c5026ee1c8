#include "sim/guest/disks/page_cache.h"

#include <sys/mman.h>

namespace sim::guest {
std::vector<unsigned char> pages_in_memory(int file, std::int64_t first, std::int64_t pages) {
  std::vector<unsigned char> out(static_cast<std::size_t>(pages));
  const auto bytes = static_cast<std::size_t>(pages * kPage);
  void* const at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, first * kPage);
  if (at == MAP_FAILED) return {};
  if (mincore(at, bytes, out.data()) != 0) out.clear();
  munmap(at, bytes);
  return out;
}

}  // namespace sim::guest
