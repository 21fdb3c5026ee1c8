// The files of a machine that are added to the results of its run (`keep` of a scenario).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sim::guest {

inline constexpr std::int64_t kMostKeptBytes = 16 << 20;  // from the end of each file
inline constexpr int kMostKeptFiles = 64;                 // of each machine, the first by name

// Copies the regular files below `root` that match a pattern to the same paths below `folder`. The
// last part of a pattern may be one of fnmatch(3). Symbolic links are resolved within `root`. Files
// that cannot be read or written are omitted.
void keep_files(const std::filesystem::path& root, const std::vector<std::string>& patterns,
                const std::filesystem::path& folder);

}  // namespace sim::guest
