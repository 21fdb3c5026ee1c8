// The guest's replacements for programs that query systemd.
#pragma once

#include <map>
#include <string>

namespace sim::guest::services {

// Path in a guest → a script: systemctl, service, journalctl, hostnamectl, timedatectl.
const std::map<std::string, std::string>& commands();

}  // namespace sim::guest::services
