// What the kernel holds, or held, in memory of a file: mincore(2), cachestat(2).
#pragma once

#include <cstdint>
#include <vector>

namespace sim::guest {

inline constexpr std::int64_t kPage = 4096;

// For each of the pages from `first` on whether it is there, or was and had to make room for other
// files, in the lowest bit; empty when the kernel does not tell. Kernels before Linux 6.5 do not
// tell of those that made room.
std::vector<unsigned char> pages_brought_in(int file, std::int64_t first, std::int64_t pages);

}  // namespace sim::guest
