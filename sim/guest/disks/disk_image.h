// Disk images: a sparse file, and a loop device on it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// EBS's snapshots store blocks of 512 KiB.
inline constexpr std::int64_t kSnapshotBlock = 512 * 1024;
// The bytes of the blocks for this many bytes.
constexpr std::int64_t in_blocks(std::int64_t bytes) {
  return (bytes + kSnapshotBlock - 1) / kSnapshotBlock * kSnapshotBlock;
}

// Makes an empty sparse file of that size. These functions throw std::system_error.
void create_sparse(const std::filesystem::path& file, std::int64_t bytes);
// Copies the data and leaves the holes. Returns the bytes of the kSnapshotBlock blocks that hold
// data.
std::int64_t copy_sparse(const std::filesystem::path& from, const std::filesystem::path& to);
// The bytes from `begin` to `end`, without `end`.
struct ByteRange {
  std::int64_t begin = 0, end = 0;
};
// The ranges of a sparse file that hold data.
std::vector<ByteRange> data_of(const std::filesystem::path& file);
// The bytes of the kSnapshotBlock blocks of `image` that hold data and differ from those of
// `previous`, a copy of an earlier state. Beyond its end `previous` has no data.
std::int64_t changed_blocks(const std::filesystem::path& previous,
                            const std::filesystem::path& image);
// Grows the file to at least that size.
void grow(const std::filesystem::path& file, std::int64_t bytes);

// A device reads nothing ahead. Read-ahead would count as reads, and its amount depends on real
// time.
inline constexpr unsigned long kReadAhead = 0;  // sectors of 512 bytes

// An image as a block device of the kernel. It detaches itself when its last user (this object, a
// mount, an open descriptor) has ended, so a killed process leaves none.
class LoopDevice {
 public:
  explicit LoopDevice(const std::filesystem::path& image);  // throws std::system_error
  LoopDevice(const LoopDevice&) = delete;
  LoopDevice& operator=(const LoopDevice&) = delete;
  ~LoopDevice();

  dev_t device() const { return device_; }
  const std::filesystem::path& path() const { return path_; }
  // Takes the image's present size as the device's.
  void follow_size();
  // True if a mount or another exclusive user has it.
  bool in_use() const;
  // The bytes read from the device since it was made. Waits in real time for reads in progress,
  // because the kernel may read ahead.
  std::int64_t bytes_read() const;

 private:
  base::FileDescriptor loop_, statistics_, in_flight_;
  std::filesystem::path path_;
  dev_t device_ = 0;
  std::int64_t read_before_ = 0;
  unsigned long read_ahead_before_ = 0;  // sectors of 512 bytes
};

}  // namespace sim::guest
