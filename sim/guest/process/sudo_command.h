// sudo for guests on hosts whose sudo does not work for them: in a user namespace no program of the
// host may change the user.
#pragma once

#include <string_view>

namespace sim::guest {

// A script for sh that takes sudo's options, finds the user and the home, and resets the
// environment, except for variables in /etc/sudoers.d/spotsim. It then runs the command as that
// user, if the guest has several users; only root may request another user.
std::string_view sudo_command();

}  // namespace sim::guest
