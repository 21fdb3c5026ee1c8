// The parts of a file that the kernel has, or had, in memory: mincore(2), cachestat(2).
#pragma once

#include <cstdint>
#include <vector>

namespace sim::guest {

inline constexpr std::int64_t kPage = 4096;

// The lowest bit of each page from `first` on: whether the page is in the cache, or was and had to
// make room for other files. Empty if the kernel cannot say. Kernels before Linux 6.5 do not report
// pages that made room.
std::vector<unsigned char> pages_brought_in(int file, std::int64_t first, std::int64_t pages);

}  // namespace sim::guest
