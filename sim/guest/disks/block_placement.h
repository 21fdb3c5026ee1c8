// Controls where ext4 puts the blocks of small files.
#pragma once

#include <sys/types.h>

namespace sim::guest {

// Makes the place of a file's blocks on a mounted ext2, ext3 or ext4 independent of the processor
// that writes them. By default ext4 has one group of blocks for small files per processor, and the
// kernel's threads write on any processor. Reads of a restored volume take time by place, so runs
// would differ. Returns false if the kernel has no such setting.
bool place_blocks_on_any_cpu_alike(dev_t device);

}  // namespace sim::guest
