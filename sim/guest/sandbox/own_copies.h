// In a user namespace the host's files belong to no user of the guest: its root may read only files
// that all users may read, and write none. So the guest gets copies of the files that root of a
// machine writes to.
#pragma once

#include <filesystem>

#include "sim/guest/sandbox/image.h"

namespace sim::guest {

// Lays into `upper`, what lies topmost in the guest, what is not the caller's: folders of /etc,
// /var, /opt, /srv, /usr/local and the users' homes, and those that programs are installed to;
// copies of the files of /etc, those of up to 256 KiB; empty files, which are locks. What is in
// `upper` already stays. Throws std::system_error, std::filesystem::filesystem_error.
void make_own_copies(const ImageLayers& image, const std::filesystem::path& upper);

}  // namespace sim::guest
