// What a guest has written to its root, apart from its image: as the host sees it while the guest
// runs, and as folders that another guest's root can begin with.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Folders of a guest: the upper layers of its overlays, and what stands in its root folder. They
// last for as long as these descriptors are open. Empty at kPlain.
struct RootFiles {
  base::FileDescriptor upper, top;
};

// Copies both into the folder `to`, which is made. Returns the bytes of the files. Without
// descriptors the copy is empty.
std::int64_t save_root(const RootFiles& files, const std::filesystem::path& to);

// In a guest that is being set up: the upper layers as they were, before they are mounted, and then
// what stood in the root folder of the guest and is not there yet.
void restore_upper(const std::filesystem::path& saved, const std::filesystem::path& upper);
void restore_top(const std::filesystem::path& saved, const std::filesystem::path& top);

}  // namespace sim::guest
