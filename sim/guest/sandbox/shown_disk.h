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
  std::string serial = {};  // empty: it tells none, as Xen's disks
};

// The root disk has one partition; no device is behind either.
struct RootDisk {
  ShownDisk disk, partition;
};

// Below `root`, a guest's root folder, with the queue of a disk of `copies` (kernel_settings.h).
// Throws std::filesystem::filesystem_error.
void show_disk(const std::filesystem::path& root, const ShownDisk& disk,
               const std::filesystem::path& copies);
// Nothing, where it is not shown.
void hide_disk(const std::filesystem::path& root, const std::string& name);
// In the place of the disk that the copies have a queue of. At kRoot with nodes in /dev that
// cannot be opened, made in the working folder, whose file system must have been mounted "nodev".
void show_root_disk(const std::string& root, const RootDisk& disk,
                    const std::filesystem::path& copies, Level level);

}  // namespace sim::guest
