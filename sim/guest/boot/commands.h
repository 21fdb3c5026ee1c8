// Commands of a machine with systemd and cloud-init, as far as they work in a guest: they come in
// the place of the host's own.
#pragma once

#include <map>
#include <string>

namespace sim::guest::boot {

// Path in the guest → text of a script for sh(1). Their messages and exit codes are the originals'.
// SPOTRUN_ROOT, where it is set, is the folder that their files are in.
const std::map<std::string, std::string>& commands();

}  // namespace sim::guest::boot
