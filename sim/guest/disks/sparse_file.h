// Files with holes.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sim::guest {

// EBS's snapshots store blocks of 512 KiB.
inline constexpr std::int64_t kSnapshotBlock = 512 * 1024;

// Makes an empty file of that size, all hole. These functions throw std::system_error.
void create_sparse(const std::filesystem::path& file, std::int64_t bytes);
// Copies the data and leaves the holes. Returns the bytes of the kSnapshotBlock blocks that hold
// data.
std::int64_t copy_sparse(const std::filesystem::path& from, const std::filesystem::path& to);
// Grows the file to at least that size.
void grow(const std::filesystem::path& file, std::int64_t bytes);

}  // namespace sim::guest
