// The kernel's settings as a guest sees them: copies of the host's settings. A guest can write and
// read them, but they have no effect. Settings of the guest's own namespaces are real: net.*,
// user.*, the host name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/guest/sandbox/level.h"

namespace sim::guest {

// The folder in the copies with the queue of a disk. New devices get a copy of it.
inline constexpr const char* kDiskSettings = "sys/block/xvda";
// The guest's folder in which lsblk(8) and others look up a disk's number.
inline constexpr const char* kDiskNumbers = "sys/dev/block";

// Copies the host's settings into `to`: proc/sys (of net.* only net.core), sys/kernel/mm, and the
// queue of one of its disks as that of xvda. No disk's number is copied. Unreadable files are empty
// there. Counters are those of a machine that has just booted. Throws
// std::filesystem::filesystem_error or std::system_error.
void copy_host_settings(const std::filesystem::path& to);

// Returns every folder below `copies`, as a relative path, sorted by name.
std::vector<std::filesystem::path> folders_of(const std::filesystem::path& copies);

// Below `root`, which has /proc and /sys: shows the guest its own changes on top of `copies`, in
// the working folder. Other writable files of /proc, and files that show the host, are hidden.
void cover_kernel(const std::string& root, const std::filesystem::path& copies, Level level);

// Called outside the guest: resets the guest's changes below `root` to `copies`, as a reboot does.
// network_settings.h does this for real settings.
void restore_settings(const std::filesystem::path& root, const std::filesystem::path& copies);

// Sets the content of /proc/sys/kernel/random/boot_id from this boot on. Called outside the guest,
// too.
void write_boot_id(const std::filesystem::path& root, const std::string& id);

// Called in the guest's own network namespace. Replaces the settings of net.core that exist once
// for the whole kernel by copies, too.
void cover_shared_network_settings();

// Shows process 1, a program of the host, as a folder with only its name and state.
void cover_init();

}  // namespace sim::guest
