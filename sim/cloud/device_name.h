// Device names as AttachVolume takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sim::cloud {

// What a Linux guest on Xen makes of it: "/dev/sdf", "sdf", "/dev/xvdf" → "/dev/xvdf", with an
// optional number 1–15; empty for other names. Two names of one attachment point have one guest
// name (EC2 user guide, "Device names on Linux instances").
std::optional<std::string> guest_device(std::string_view name);

}  // namespace sim::cloud
