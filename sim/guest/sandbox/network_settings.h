// Resets the settings of a guest's network namespace (/proc/sys/net) at a reboot. A new kernel has
// its defaults and /etc/sysctl.d.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace sim::guest {

// The settings of a machine that begins. There are some 700, whose reading takes 13 ms: what is
// true of one machine is true of all that are made alike.
class NetworkSettings {
 public:
  // Reads the present settings of the guest with that init, except those that cannot be read or
  // written. The guest's interfaces must exist already, and none of its programs may have run.
  // Throws std::system_error.
  explicit NetworkSettings(pid_t init);

  // Writes the settings that have changed. Throws std::system_error if it cannot read them. Values
  // that the kernel refuses remain, and so do settings of later interfaces.
  void restore(pid_t init) const;

 private:
  std::map<std::filesystem::path, std::string> noted_;  // below /proc/sys/net
};

}  // namespace sim::guest
