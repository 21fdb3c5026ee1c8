// A guest's /dev/console. Text that programs write there is appended to a file.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Owns an open /dev/console of the guest and the console's file. ProcessHost polls descriptor() and
// calls drain().
class ConsoleDevice {
 public:
  // `root` is the guest's root folder as the host sees it; empty: the guest has no console of its
  // own. Throws std::system_error.
  ConsoleDevice(const std::filesystem::path& root, const std::filesystem::path& file);

  int descriptor() const { return device_.get(); }  // readable if text has arrived; or -1
  bool drain();  // appends new text to the file; false if there was none

 private:
  base::FileDescriptor device_, file_;
};

}  // namespace sim::guest
