// Commands of a machine with systemd and cloud-init, as far as they work in a guest: they come in
// the place of the host's own.
#pragma once

#include <map>
#include <string>

namespace sim::guest::boot {

// Path in the guest → text of a script for sh(1). Messages and exit codes equal those of the
// original commands. SPOTRUN_ROOT, where it is set, is the folder of the guest's files.
const std::map<std::string, std::string>& commands();

}  // namespace sim::guest::boot
