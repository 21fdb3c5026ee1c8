// The settings of a guest's own network namespace (/proc/sys/net) do not outlive a reboot: a new
// kernel has what it is built with, and /etc/sysctl.d.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace sim::guest {

class NetworkSettings {
 public:
  NetworkSettings() = default;  // none: nothing is restored
  // Reads the present settings of the guest with that init, as far as they can be read and written.
  // The guest's interfaces exist already, and none of its programs has run. Throws
  // std::system_error.
  explicit NetworkSettings(pid_t init);

  // Writes those that are another now, or says by std::system_error why it cannot look. What the
  // kernel does not take again stays, and so do settings of interfaces that came later.
  void restore(pid_t init) const;

 private:
  std::map<std::filesystem::path, std::string> noted_;  // below /proc/sys/net
};

}  // namespace sim::guest
