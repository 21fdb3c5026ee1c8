// Disks as lsblk(8) and others find them below a guest's /sys: folders of its own copies
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
  std::string serial = {};  // empty: it shows none, as Xen's disks do
};

// The root disk with its one partition, as files without a device.
struct RootDisk {
  ShownDisk disk, partition;
};

// Below `root`, a guest's root folder, with the queue of a disk of `copies` (kernel_settings.h).
// Throws std::filesystem::filesystem_error.
void show_disk(const std::filesystem::path& root, const ShownDisk& disk,
               const std::filesystem::path& copies);
// Nothing, where it is not shown.
void hide_disk(const std::filesystem::path& root, const std::string& name);
// Shows the root disk in place of the disk whose queue was copied. At kRoot it also makes nodes in
// /dev that cannot be opened. They are in the working folder, whose file system must be mounted
// "nodev".
void show_root_disk(const std::string& root, const RootDisk& disk,
                    const std::filesystem::path& copies, Level level);

}  // namespace sim::guest
