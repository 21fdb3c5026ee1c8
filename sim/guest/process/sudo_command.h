// sudo for guests on hosts whose sudo does not work for them: in a user namespace no program of the
// host may change the user.
#pragma once

#include <string_view>

namespace sim::guest {

// A script for sh that takes sudo's options, finds the user and the home, resets the environment
// but for what /etc/sudoers.d/spotsim keeps, and runs the command: as that user where there is more
// than one, which only root may ask for.
std::string_view sudo_command();

}  // namespace sim::guest
