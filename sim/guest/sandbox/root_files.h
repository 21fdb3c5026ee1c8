// The files that a guest has written to its root, apart from its image. The host reads them while
// the guest runs. They are also saved as folders, from which another guest's root can begin.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Folders of a guest: the upper layers of its overlays, and the files in its root folder. They
// exist as long as these descriptors are open. Empty at kPlain.
struct RootFiles {
  base::FileDescriptor upper, top;
};

// Copies both into the folder `to`, which is made. Returns the bytes of the files. Without
// descriptors the copy is empty.
std::int64_t save_root(const RootFiles& files, const std::filesystem::path& to);

// Called while a guest is set up. restore_upper() restores the upper layers before they are
// mounted. restore_top() then restores the files in the saved guest's root folder that do not exist
// yet.
void restore_upper(const std::filesystem::path& saved, const std::filesystem::path& upper);
void restore_top(const std::filesystem::path& saved, const std::filesystem::path& top);

}  // namespace sim::guest
