// A guest's /dev/console: what is written there comes into the file of its console.
#pragma once

#include <filesystem>

#include "base/files/file_descriptor.h"

namespace sim::guest {

class ConsoleDevice {
 public:
  // `root` is the guest's root folder as the host sees it; empty: the guest has no console of its
  // own. Throws std::system_error.
  ConsoleDevice(const std::filesystem::path& root, const std::filesystem::path& file);

  int descriptor() const { return device_.get(); }  // readable when there is something; or -1
  bool drain();  // appends what has been written to the file; false when there was nothing

 private:
  base::FileDescriptor device_, file_;
};

}  // namespace sim::guest
