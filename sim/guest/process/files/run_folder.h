// The run's private folder: disk images, repositories, and the files from which guests are built.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"
#include "sim/guest/sandbox/level.h"

namespace sim::guest {

// Makes a folder in the folder for temporary files. With namespaces the folder is a tmpfs that only
// this process and its guests see, and the process enters() the level. The folder is removed
// however the process ends: a watchdog process holds a pipe to it and removes the folder when the
// pipe closes.
class RunFolder {
 public:
  explicit RunFolder(Level level);  // throws std::system_error
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
  base::FileDescriptor alive_;  // closes when this process ends
};

}  // namespace sim::guest
