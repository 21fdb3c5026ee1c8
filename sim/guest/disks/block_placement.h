// Where ext4 puts the blocks of small files.
#pragma once

#include <sys/types.h>

namespace sim::guest {

// Makes the place of a file's blocks on a mounted ext2, ext3 or ext4 independent of the processor
// that writes them. Otherwise ext4 has for each processor a group of blocks for small files, and
// the kernel's threads write on any processor. What is read of a restored volume takes time by its
// place, so runs would differ. Returns false where the kernel has no such setting.
bool place_blocks_on_any_cpu_alike(dev_t device);

}  // namespace sim::guest
