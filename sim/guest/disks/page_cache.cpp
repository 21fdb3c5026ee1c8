#include "sim/guest/disks/page_cache.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sim::guest {
namespace {

// Of <linux/mman.h> since Linux 6.5; one number on all architectures.
constexpr long kCacheStat = 451;
struct CacheRange {
  std::uint64_t begin, bytes;  // 0: to the end
};
struct CacheState {
  std::uint64_t cached, dirty, writing, evicted, recently_evicted;  // pages
};

}  // namespace

std::vector<unsigned char> pages_in_memory(int file, std::int64_t first, std::int64_t pages) {
  std::vector<unsigned char> out(static_cast<std::size_t>(pages));
  const auto bytes = static_cast<std::size_t>(pages * kPage);
  void* const at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, first * kPage);
  if (at == MAP_FAILED) return {};
  if (mincore(at, bytes, out.data()) != 0) out.clear();
  munmap(at, bytes);
  return out;
}

std::optional<std::int64_t> dirty_bytes(int file) {
  CacheRange all{};
  CacheState state{};
  if (syscall(kCacheStat, file, &all, &state, 0) != 0) return {};
  return static_cast<std::int64_t>(state.dirty + state.writing) * kPage;
}

}  // namespace sim::guest
