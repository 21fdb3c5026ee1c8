// Copies folders with all attributes of files: owners, modes, times, extended attributes, hard
// links, and overlayfs's marks in an upper layer.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sim::guest {

// Copies the files of the folder `from` to the folder `to`. Other file systems that are mounted
// below `from` are not copied. Existing files of `to` remain. Files that disappear during the copy
// are omitted. Returns the bytes of the regular files. Throws std::system_error.
std::int64_t copy_files(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sim::guest
