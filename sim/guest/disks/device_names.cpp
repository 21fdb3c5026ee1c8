#include "sim/guest/disks/device_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace sim::guest {
namespace {

constexpr std::string_view kNvme = "/dev/nvme";
constexpr std::string_view kXvd = "/dev/xvd";
constexpr std::int64_t kBeforePartition = 1 << 20;

std::string without_dash(std::string volume) {
  std::erase(volume, '-');
  return volume;
}

// "/dev/nvme1n1" → 1
int nvme_number(const std::string& device) { return std::atoi(device.c_str() + kNvme.size()); }

std::string nvme_device(int number) { return fmt::format("{}{}n1", kNvme, number); }

std::string link_by_volume(const std::string& volume) {
  return "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_" + without_dash(volume);
}

}  // namespace

RootDisk root_disk(bool nvme, std::int64_t bytes, const std::string& volume) {
  RootDisk out{.disk = {.name = nvme ? "nvme0n1" : "xvda",
                        .number = "3:0",
                        .bytes = bytes,
                        .serial = nvme ? without_dash(volume) : ""},
               .partition = {.name = nvme ? "nvme0n1p1" : "xvda1",
                             .number = "3:1",
                             .bytes = bytes - kBeforePartition}};
  return out;
}

std::string volume_device(bool nvme, const std::string& name, const std::set<std::string>& used) {
  if (!nvme) return name;
  int number = 1;
  while (used.contains(nvme_device(number))) ++number;
  return nvme_device(number);
}

std::vector<std::string> volume_names(const std::string& device, const std::string& name,
                                      const std::string& volume, DiskLinks links) {
  std::vector<std::string> out{device};
  if (links == DiskLinks::kOfAmazonLinux) {
    if (device != name) out.push_back(name);
    if (name.starts_with(kXvd)) out.push_back("/dev/sd" + name.substr(kXvd.size()));
  }
  if (device.starts_with(kNvme)) out.push_back(link_by_volume(volume));
  return out;
}

std::string shown_number(const std::string& device) {
  if (device.starts_with(kNvme)) return fmt::format("259:{}", nvme_number(device) + 1);
  const char* const letter = device.c_str() + kXvd.size();
  const int first = *letter - 'a';
  const bool has_two = letter[1] >= 'a' && letter[1] <= 'z';
  // Xen's driver reserves 255 partitions for "xvdaa" and every later name.
  if (has_two) return fmt::format("202:{}", 256 * (26 * (first + 1) + letter[1] - 'a'));
  return fmt::format("202:{}", 16 * first + std::atoi(letter + 1));
}

std::string shown_serial(const std::string& device, const std::string& volume) {
  return device.starts_with(kNvme) ? without_dash(volume) : "";
}

}  // namespace sim::guest
