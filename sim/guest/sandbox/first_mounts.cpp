#include "sim/guest/sandbox/first_mounts.h"

#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/mount_table.h"
#include "base/process/system_call.h"

namespace sim::guest {
namespace {

// Without block devices the host mounts folders instead of volumes, and cron's folders are mounted
// new (boot/cron.cpp). These mounts belong to the machine.
bool is_the_machines(const std::string& point) {
  return point.starts_with("/dev/xvd") || point.starts_with("/dev/nvme") ||
         point.starts_with("/dev/sd") || point.starts_with("/etc/cron") ||
         point.starts_with("/var/spool/cron");
}

}  // namespace

FirstMounts::FirstMounts()
    : noted_(base::checked(memfd_create("mounts", MFD_CLOEXEC), "keeping the list of mounts")) {}

void FirstMounts::note() const {
  std::vector<int> ids;
  for (const base::MountEntry& mount : base::mounts_of(getpid())) ids.push_back(mount.id);
  base::checked(pwrite(noted_.get(), ids.data(), ids.size() * sizeof(int), 0),
                "keeping the list of mounts");
}

void FirstMounts::undo_others() const {
  struct stat file {};
  base::checked(fstat(noted_.get(), &file), "reading the list of mounts");
  std::vector<int> first(static_cast<std::size_t>(file.st_size) / sizeof(int));
  base::checked(pread(noted_.get(), first.data(), first.size() * sizeof(int), 0),
                "reading the list of mounts");
  std::vector<base::MountEntry> mounts = base::mounts_of(getpid());
  std::ranges::reverse(mounts);
  for (const base::MountEntry& mount : mounts)
    if (std::ranges::find(first, mount.id) == first.end() && !is_the_machines(mount.point))
      umount2(mount.point.c_str(), MNT_DETACH);
}

}  // namespace sim::guest
