#include "sim/guest/disks/page_cache.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <span>

namespace sim::guest {
namespace {

#ifdef SYS_cachestat
constexpr long kCachestat = SYS_cachestat;
#else
constexpr long kCachestat = 451;  // Linux 6.5; the C library's headers may be older
#endif

// As <linux/mman.h> has them.
struct CacheRange {
  std::uint64_t begin, bytes;
};
struct CacheState {
  std::uint64_t here, dirty, under_write_back, evicted, recently_evicted;
};

// The number of pages that the kernel has evicted and still remembers.
std::int64_t evicted(int file, std::int64_t first, std::int64_t pages) {
  const CacheRange range{static_cast<std::uint64_t>(first * kPage),
                         static_cast<std::uint64_t>(pages * kPage)};
  CacheState state{};
  if (syscall(kCachestat, file, &range, &state, 0u) != 0) return 0;
  return static_cast<std::int64_t>(state.evicted);
}

// Halves a range until each part is of one kind.
void mark_evicted(int file, std::int64_t first, std::span<unsigned char> pages) {
  const auto count = static_cast<std::int64_t>(pages.size());
  const std::int64_t out = count == 0 ? 0 : evicted(file, first, count);
  if (out == 0) return;
  if (out == count) {
    for (unsigned char& page : pages) page |= 1;
    return;
  }
  mark_evicted(file, first, pages.first(pages.size() / 2));
  mark_evicted(file, first + count / 2, pages.subspan(pages.size() / 2));
}

}  // namespace

std::vector<unsigned char> pages_brought_in(int file, std::int64_t first, std::int64_t pages) {
  std::vector<unsigned char> out(static_cast<std::size_t>(pages));
  const auto bytes = static_cast<std::size_t>(pages * kPage);
  void* const at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, first * kPage);
  if (at == MAP_FAILED) return {};
  const bool told = mincore(at, bytes, out.data()) == 0;
  munmap(at, bytes);
  if (!told) return {};
  mark_evicted(file, first, out);
  return out;
}

}  // namespace sim::guest
