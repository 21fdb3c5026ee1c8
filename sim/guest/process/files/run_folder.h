// The run's private folder: disk images, repositories, what guests are built on.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"
#include "sim/guest/sandbox/level.h"

namespace sim::guest {

// A folder in the temporary folder. With namespaces it is a tmpfs that only this process and its
// guests see, and the process enters() the level. However the process ends, nothing stays: a
// watchdog process holds a pipe to it and removes the folder when that closes.
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
  base::FileDescriptor alive_;  // closes with us, however we end
};

}  // namespace sim::guest
