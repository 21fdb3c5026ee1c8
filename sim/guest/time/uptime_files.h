// The files in which a guest's kernel shows the time since its boot: /proc/uptime, and the boot's
// instant and the processors' idle time in /proc/stat. Each is a file of the host that the guest
// sees in place of the kernel's own. The simulator writes the guest's clock into it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/kernel/time.h"

namespace sim::guest {

class UptimeFiles {
 public:
  // Makes "uptime", "stat" and "loadavg" in the folder. A machine that never computes for any
  // length of virtual time has no load. Throws std::system_error.
  explicit UptimeFiles(const std::filesystem::path& folder);

  // Writes changes since the last call: the uptime has hundredths of a second.
  void tell(Duration up, Time now);

 private:
  base::FileDescriptor uptime_, stat_;
  std::vector<std::string> processors_;  // "cpu0", as /proc/stat names the host's
  std::int64_t hundredths_ = -1, seconds_ = -1;
};

}  // namespace sim::guest
