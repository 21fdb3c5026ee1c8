// What the kernel of an EC2 instance calls its disks.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/sandbox/shown_disk.h"

namespace sim::guest {

// The root disk, "xvda" with "xvda1" or "nvme0n1" with "nvme0n1p1". `volume`: its volume's ID.
// Its numbers are less than those of loop devices, since lsblk(8) lists disks in that order.
RootDisk root_disk(bool nvme, std::int64_t bytes, const std::string& volume);

// The device of a volume that was attached as `name` ("/dev/xvdf", cloud::guest_device): that name
// with Xen; else the first of "/dev/nvme1n1", "/dev/nvme2n1" … that is not among `used`.
std::string volume_device(bool nvme, const std::string& name, const std::set<std::string>& used);
// Amazon Linux has rules for udev(7) that link "/dev/xvdf" and "/dev/sdf" to a volume's device
// (package amazon-ec2-utils). Ubuntu and Debian have none.
enum class DiskLinks { kNone, kOfAmazonLinux };
// All names of the attachment point, the device's first. An NVMe disk also has the link by the
// volume's ID, which udev makes everywhere.
std::vector<std::string> volume_names(const std::string& device, const std::string& name,
                                      const std::string& volume, DiskLinks links);
// "202:80" of /dev/xvdf, "259:2" of /dev/nvme1n1: what such an instance shows, and what stands for
// the number of a volume that is no device here.
std::string shown_number(const std::string& device);
// The serial number of an NVMe disk: its volume's ID without the dash ("vol0123…"); empty with Xen.
std::string shown_serial(const std::string& device, const std::string& volume);

}  // namespace sim::guest
