// What the kernel holds in memory of a file: mincore(2).
#pragma once

#include <cstdint>
#include <vector>

namespace sim::guest {

inline constexpr std::int64_t kPage = 4096;

// For each of the pages from `first` on whether it is there, in the lowest bit; empty when the
// kernel does not tell.
std::vector<unsigned char> pages_in_memory(int file, std::int64_t first, std::int64_t pages);

}  // namespace sim::guest
