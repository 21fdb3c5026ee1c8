// The names that the kernel of an EC2 instance gives its disks.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/sandbox/shown_disk.h"

namespace sim::guest {

// The root disk: "xvda" with "xvda1", or "nvme0n1" with "nvme0n1p1". `volume` is its volume's ID.
// Its device numbers are lower than those of loop devices, because lsblk(8) lists disks in that
// order.
RootDisk root_disk(bool nvme, std::int64_t bytes, const std::string& volume);

// The device of a volume that was attached as `name` ("/dev/xvdf", cloud::guest_device). With Xen
// it has that name. With NVMe it is the first of "/dev/nvme1n1", "/dev/nvme2n1" … that is not in
// `used`.
std::string volume_device(bool nvme, const std::string& name, const std::set<std::string>& used);
// Links by udev(7). Amazon Linux links "/dev/xvdf" and "/dev/sdf" to a volume's device (package
// amazon-ec2-utils). Ubuntu and Debian do not.
enum class DiskLinks { kNone, kOfAmazonLinux };
// All names of the device, its own first. An NVMe disk also has a link by the volume's ID, which
// udev makes on every distribution.
std::vector<std::string> volume_names(const std::string& device, const std::string& name,
                                      const std::string& volume, DiskLinks links);
// The device number that guests see: "202:80" of /dev/xvdf, "259:2" of /dev/nvme1n1. Volumes that
// are no devices here show it, too.
std::string shown_number(const std::string& device);
// The serial number of an NVMe disk: its volume's ID without the dash ("vol0123…"). Empty with Xen.
std::string shown_serial(const std::string& device, const std::string& volume);

}  // namespace sim::guest
