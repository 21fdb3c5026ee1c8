#include "sim/guest/disks/disk_trouble.h"

#include <fcntl.h>
#include <linux/types.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdint>

#include "base/files/file_descriptor.h"

namespace sim::guest {
namespace {

// XFS_IOC_GOINGDOWN, which equals EXT4_IOC_SHUTDOWN, with the mode that writes everything first.
constexpr unsigned long kGoingDown = _IOR('X', 125, __u32);
constexpr __u32 kAfterWriting = 0;

}  // namespace

void fill(int root) {
  struct statfs space {};
  const base::FileDescriptor file(openat(root, kFiller, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!file || fstatfs(file.get(), &space) != 0) return;
  off_t at = 0;
  for (off_t piece = static_cast<off_t>(space.f_bfree) * space.f_bsize; piece >= space.f_bsize;) {
    if (fallocate(file.get(), 0, at, piece) == 0)
      at += piece;
    else
      piece /= 2;
  }
}

void make_room(int root) { unlinkat(root, kFiller, 0); }

bool make_read_only(int root) {
  const base::FileDescriptor picked(fspick(root, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC));
  return picked && fsconfig(picked.get(), FSCONFIG_SET_FLAG, "ro", nullptr, 0) == 0 &&
         fsconfig(picked.get(), FSCONFIG_CMD_RECONFIGURE, nullptr, nullptr, 0) == 0;
}

void shut_down(int root) {
  __u32 how = kAfterWriting;
  ioctl(root, kGoingDown, &how);
}

}  // namespace sim::guest
