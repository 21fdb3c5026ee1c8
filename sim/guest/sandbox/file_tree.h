// Copies of folders with all that their files have: owners, modes, times, extended attributes, hard
// links, and what overlayfs notes in an upper layer.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sim::guest {

// Copies what is in the folder `from`, on its own file system alone, to the folder `to`. A file
// that is there already stays as it is. Files that vanish meanwhile are left out. Returns the bytes
// of the regular files. Throws std::system_error.
std::int64_t copy_files(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sim::guest
