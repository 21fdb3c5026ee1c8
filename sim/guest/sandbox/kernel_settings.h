// The kernel's settings as a guest finds them: copies of the host's, which take what is written and
// show it back but change nothing. What belongs to the guest's own namespaces stays real: net.*,
// user.*, the host name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/guest/sandbox/level.h"

namespace sim::guest {

// The folder of the copies that has the queue of any disk; what a new device's is copied from.
inline constexpr const char* kDiskSettings = "sys/block/xvda";
// Where lsblk(8) and others look a disk's number up: a folder of the guest's.
inline constexpr const char* kDiskNumbers = "sys/dev/block";

// Copies the host's settings into `to`: proc/sys (of net.* only net.core), sys/kernel/mm, and the
// queue of one of its disks as that of xvda. No disk's number is copied. Unreadable files are empty
// there. Counters are those of a machine that has just booted. Throws
// std::filesystem::filesystem_error or std::system_error.
void copy_host_settings(const std::filesystem::path& to);

// Every folder below `copies`, relative to it, in order of names.
std::vector<std::filesystem::path> folders_of(const std::filesystem::path& copies);

// Below `root`, which has /proc and /sys: shows the guest its own changes on top of `copies`, in
// the working folder. Other writable files of /proc, and files that show the host, are hidden.
void cover_kernel(const std::string& root, const std::filesystem::path& copies, Level level);

// Called outside the guest: resets the guest's changes below `root` to `copies`, as a reboot does.
// network_settings.h does this for real settings.
void restore_settings(const std::filesystem::path& root, const std::filesystem::path& copies);

// Likewise: what /proc/sys/kernel/random/boot_id says from this boot on.
void write_boot_id(const std::filesystem::path& root, const std::string& id);

// In the guest's own network namespace: the settings of net.core that the kernel has once for all
// become copies, too.
void cover_shared_network_settings();

// Shows process 1, a program of the host's, as a folder with its name and state only.
void cover_init();

}  // namespace sim::guest
