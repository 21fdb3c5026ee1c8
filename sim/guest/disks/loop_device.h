// An image file as a block device of the kernel's.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

#include "sim/guest/file_descriptor.h"

namespace sim::guest {

// Detaches itself when the last user (this object, a mount, an open descriptor) is gone, so that
// none stays behind a process that was killed.
class LoopDevice {
 public:
  explicit LoopDevice(const std::filesystem::path& image);  // throws std::system_error

  dev_t device() const { return device_; }
  const std::filesystem::path& path() const { return path_; }
  // A mount or another exclusive user has it.
  bool in_use() const;
  // Bytes read from the device since it was made. Waits in real time for reads that are under way:
  // the kernel reads ahead of those who ask.
  std::int64_t bytes_read() const;

 private:
  FileDescriptor loop_, statistics_, in_flight_;
  std::filesystem::path path_;
  dev_t device_ = 0;
  std::int64_t read_before_ = 0;
};

}  // namespace sim::guest
