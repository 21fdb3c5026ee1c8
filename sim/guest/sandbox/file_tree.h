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

// The bytes of the regular files below `folder` that have no equal file at the same place below
// `previous`.
std::int64_t changed_files(const std::filesystem::path& previous,
                           const std::filesystem::path& folder);

}  // namespace sim::guest
