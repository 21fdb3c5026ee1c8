// The names of EBS devices (EC2 user guide, "Device names on Linux instances").
#include "sim/cloud/host.h"

#include <fmt/format.h>

#include <charconv>

namespace sim::cloud {

// (/dev/)?((sd|xvd)[a-z]([1-9]|1[0-5])?|xvd[a-d][a-z])
std::optional<std::string> guest_device(std::string_view name) {
  const auto is_letter = [&](std::size_t at, char last) {
    return name[at] >= 'a' && name[at] <= last;
  };
  if (name.starts_with("/dev/")) name.remove_prefix(5);
  const bool sd = name.starts_with("sd");
  if (!sd && !name.starts_with("xvd")) return {};
  name.remove_prefix(sd ? 2 : 3);
  if (!sd && name.size() == 2 && is_letter(0, 'd') && is_letter(1, 'z'))
    return fmt::format("/dev/xvd{}", name);
  if (name.empty() || !is_letter(0, 'z')) return {};
  const std::string_view partition = name.substr(1);
  if (!partition.empty()) {
    unsigned number = 0;
    const char* const end = partition.data() + partition.size();
    const auto read = std::from_chars(partition.data(), end, number);
    if (partition[0] == '0' || read.ec != std::errc{} || read.ptr != end || number > 15) return {};
  }
  return fmt::format("/dev/xvd{}", name);
}

bool is_root_device(std::string_view name) {
  const auto device = guest_device(name);
  return device == "/dev/xvda" || device == "/dev/xvda1";
}

bool is_same_device(std::string_view a, std::string_view b) {
  return is_root_device(a) ? is_root_device(b) : guest_device(a) == guest_device(b);
}

}  // namespace sim::cloud
