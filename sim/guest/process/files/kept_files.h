// Files that a machine leaves to the results of its run (`keep` of a scenario).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sim::guest {

inline constexpr std::int64_t kMostKeptBytes = 16 << 20;  // of a file: its end
inline constexpr int kMostKeptFiles = 64;                 // of a machine: the first by name

// Copies the regular files below `root` that a pattern names to the same paths below `folder`. The
// last part of a pattern may be one of fnmatch(3). Symbolic links lead to what they are in `root`.
// What cannot be read or written is left out.
void keep_files(const std::filesystem::path& root, const std::vector<std::string>& patterns,
                const std::filesystem::path& folder);

}  // namespace sim::guest
