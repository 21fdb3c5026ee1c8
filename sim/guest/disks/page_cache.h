// What the kernel holds in memory of a file: mincore(2), cachestat(2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sim::guest {

inline constexpr std::int64_t kPage = 4096;

// For each of the pages from `first` on whether it is there, in the lowest bit; empty when the
// kernel does not tell.
std::vector<unsigned char> pages_in_memory(int file, std::int64_t first, std::int64_t pages);
// Bytes of pages that are written to and not yet on the disk; empty before Linux 6.5.
std::optional<std::int64_t> dirty_bytes(int file);

}  // namespace sim::guest
