// Copies of folders with all that their files have: owners, modes, times, extended attributes, hard
// links, and what overlayfs notes in an upper layer.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sim::guest {

// Copies the files of the folder `from` to the folder `to`, without other file systems that are
// mounted below `from`. An existing file of `to` is kept. Files that vanish during the copy are
// left out. Returns the bytes of the regular files. Throws std::system_error.
std::int64_t copy_files(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sim::guest
