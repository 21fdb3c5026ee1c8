// Disks as lsblk(8) and others find them in a guest's /sys: folders in its copies
// (kernel_settings.h), each with a number, a size and a queue.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/guest/sandbox/level.h"

namespace sim::guest {

struct ShownDisk {
  std::string name;    // "xvdf"
  std::string number;  // "202:80"
  std::int64_t bytes = 0;
  std::string serial = {};  // empty: none, as with Xen's disks
};

// The root disk with its one partition, as files without a device.
struct RootDisk {
  ShownDisk disk, partition;
};

// Shows a disk below `root`, a guest's root folder, with the queue of a disk of `copies`
// (kernel_settings.h). Throws std::filesystem::filesystem_error.
void show_disk(const std::filesystem::path& root, const ShownDisk& disk,
               const std::filesystem::path& copies);
// Has no effect if the disk is not shown.
void hide_disk(const std::filesystem::path& root, const std::string& name);
// Shows the root disk in place of the disk whose queue was copied. At kRoot it also makes nodes in
// /dev that cannot be opened. They are in the working folder, whose file system must be mounted
// "nodev".
void show_root_disk(const std::string& root, const RootDisk& disk,
                    const std::filesystem::path& copies, Level level);

}  // namespace sim::guest
