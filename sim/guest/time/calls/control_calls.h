// ioctl(2) requests that the kernel permits only root of the whole machine, and that a guest's root
// may make on its own disks (SupervisorHooks::control).
#pragma once

#include <linux/fs.h>
#include <sys/ioctl.h>

#include <cstddef>
#include <cstdint>

namespace sim::guest {

struct ControlRequest {
  std::uint32_t request;
  std::size_t bytes;  // the size of the argument's target; 0: the argument is a number, or unused
};

// Requests of <linux/fs.h>, and those of mkfs.xfs, xfs_growfs (XFS_IOC_FSGROWFSDATA) and resize2fs
// (EXT4_IOC_RESIZE_FS).
inline constexpr ControlRequest kControlRequests[] = {
    {BLKBSZSET, sizeof(int)},
    {BLKROSET, sizeof(int)},
    {BLKRASET, 0},
    {BLKFLSBUF, 0},
    {FIFREEZE, 0},
    {FITHAW, 0},
    {FITRIM, sizeof(fstrim_range)},
    {_IOW('X', 110, std::uint64_t[2]), sizeof(std::uint64_t[2])},
    {_IOW('f', 16, std::uint64_t), sizeof(std::uint64_t)},
};
inline constexpr std::size_t kLargestControl = sizeof(fstrim_range);

}  // namespace sim::guest
