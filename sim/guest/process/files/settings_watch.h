// Watches the guests' writes to their copies of the kernel's settings (sandbox/kernel_settings.h)
// for the log.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/events/event_log.h"

namespace sim::guest {

// The part of GuestKernel that logs changed settings. It watches folders with inotify(7).
class SettingsWatch {
 public:
  SettingsWatch();  // throws std::system_error

  int descriptor() const { return inotify_.get(); }  // readable if a setting was written
  // Watches the machine's writes to files in `folder` ("proc/sys/vm") below `root`, its root
  // folder. A folder that does not exist is ignored.
  void watch(const std::string& machine, const std::filesystem::path& root,
             const std::filesystem::path& folder);
  void forget(const std::string& machine);
  // Logs a "guest.setting" for each file that was written and closed. Returns true if there was
  // any.
  bool drain(Time now, EventLog& log);

 private:
  struct Folder {
    std::string machine;
    std::filesystem::path root, folder;
  };
  base::FileDescriptor inotify_;
  std::map<int, Folder> folders_;  // by watch
};

}  // namespace sim::guest
