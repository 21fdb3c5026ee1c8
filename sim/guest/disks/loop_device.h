// An image file as a block device of the kernel's, which reads ahead by kReadAhead whatever it was
// set to before: what is read ahead counts as read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

#include "sim/guest/file_descriptor.h"

namespace sim::guest {

// Detaches itself when the last user (this object, a mount, an open descriptor) is gone, so that
// none stays behind a process that was killed.
inline constexpr unsigned long kReadAhead = 128 * 1024;  // bytes; the kernel's own for new devices

class LoopDevice {
 public:
  explicit LoopDevice(const std::filesystem::path& image);  // throws std::system_error
  LoopDevice(const LoopDevice&) = delete;
  LoopDevice& operator=(const LoopDevice&) = delete;
  ~LoopDevice();

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
  unsigned long read_ahead_before_ = 0;  // sectors of 512 bytes
};

}  // namespace sim::guest
