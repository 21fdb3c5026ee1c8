#include "sim/guest/disks/block_placement.h"

#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <fstream>

namespace sim::guest {

// Linux: Documentation/admin-guide/ext4.rst, "mb_group_prealloc"; fs/ext4/mballoc.c,
// ext4_mb_group_or_file(): 0 means no group of blocks per processor.
bool place_blocks_on_any_cpu_alike(dev_t device) {
  std::error_code error;
  const std::filesystem::path sys =
      fmt::format("/sys/dev/block/{}:{}", major(device), minor(device));
  const std::string name = std::filesystem::canonical(sys, error).filename();
  std::ofstream setting("/sys/fs/ext4/" + name + "/mb_group_prealloc");
  setting << 0 << std::flush;
  return !error && setting.good();
}

}  // namespace sim::guest
