// Opens files of a machine from outside of it.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Opens `path` with `root` as the root folder, which also applies to symbolic links on the way.
// Empty if the file does not exist. `flags` are those of open(2).
base::FileDescriptor open_in(const std::filesystem::path& root, const std::filesystem::path& path,
                             int flags);

// Opens `path` if it is a folder, else the nearest existing folder above it.
base::FileDescriptor open_nearest_folder(const std::filesystem::path& root,
                                         const std::filesystem::path& path);

}  // namespace sim::guest
