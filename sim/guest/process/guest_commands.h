// Small commands that come first on a guest's PATH, where the host's own would not do in a sandbox.
#pragma once

#include <filesystem>

#include "sim/guest/sandbox/level.h"

namespace sim::guest {

// Writes them into `folder`: aws (with the endpoint's URL, which the version in Debian 12 does not
// read from the environment), poweroff, halt, reboot and shutdown (which tell the sandbox's init);
// sudo where the host has none that would work, and mount where volumes are no block devices.
void write_guest_commands(const std::filesystem::path& folder, Level level);

}  // namespace sim::guest
