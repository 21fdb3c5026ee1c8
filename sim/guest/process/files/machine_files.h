// Files of a machine, seen from outside.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Opens `path` with `root` as the root folder, also for symbolic links on the way. Empty where
// there is none. `flags` as open(2) has them.
base::FileDescriptor open_in(const std::filesystem::path& root, const std::filesystem::path& path,
                             int flags);

// Opens `path` if it is a folder, else the nearest existing folder above it.
base::FileDescriptor open_nearest_folder(const std::filesystem::path& root,
                                         const std::filesystem::path& path);

}  // namespace sim::guest
