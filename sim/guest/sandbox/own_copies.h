// In a user namespace the host's files belong to no user of the guest. The guest's root may read
// only files that all users may read, and write none. So the guest gets copies of the files that
// root writes on a real machine.
#pragma once

#include <filesystem>

#include "sim/guest/sandbox/image.h"

namespace sim::guest {

// Copies files and folders that do not belong to the caller to `upper`, the topmost layer of the
// guest. Folders: those of /etc, /var, /opt, /srv, /usr/local and the users' homes, and
// installation folders. Files: those of /etc up to 256 KiB, and empty files, which are locks.
// Existing content of `upper` remains. Throws std::system_error, std::filesystem::filesystem_error.
void make_own_copies(const ImageLayers& image, const std::filesystem::path& upper);

}  // namespace sim::guest
