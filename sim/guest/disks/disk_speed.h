// How much virtual time a volume's transfers take. Sources: EBS user guide, "General Purpose SSD
// volumes" and "Initialize Amazon EBS volumes"; I/O sizes and IOPS credits are not modelled.
#pragma once

#include <cstdint>
#include <map>

#include "sim/kernel/time.h"

namespace sim::guest {

inline constexpr std::int64_t kMebibyte = 1024 * 1024;
// A volume made from a snapshot fetches each block when it is first read.
inline constexpr std::int64_t kFirstReadBytesPerSecond = 20 * kMebibyte;
// What is read from one look at a clock to the next is rounded to this: a file system reads some
// blocks of its own (up to 85 KiB at a time were seen of XFS), and when depends on real time.
inline constexpr std::int64_t kReadGrain = 256 * 1024;
inline constexpr Duration kSyncLatency = std::chrono::milliseconds{1};

// A file as it was when it was synced. Times are the file system's, and serve as identities only: a
// new file may have a deleted one's inode, but not its birth.
struct SyncedFile {
  std::uint64_t inode = 0;
  std::int64_t born = 0;
  std::int64_t size = 0;  // without holes
  std::int64_t modified = 0;
};

// The time of one volume's transfers, from what the guest did.
class DiskMeter {
 public:
  DiskMeter() = default;
  // `from_snapshot`: the bytes that its snapshot stored; 0 for a blank volume.
  DiskMeter(std::int64_t bytes_per_second, std::int64_t from_snapshot)
      : speed_(bytes_per_second), cold_(from_snapshot) {}

  // Bytes that the device has read in all, so far. What came since the last call is rounded to
  // kReadGrain, and charged when it makes a whole MiB.
  Duration read(std::int64_t total);
  // What the device has read so far is not charged.
  void pass_over(std::int64_t total) { seen_ = total; }
  // The device counts from zero again.
  void replugged() { seen_ = owed_ = 0; }

  // A file was synced: charged for what it grew by since its last sync; as a whole when it did not
  // grow but was modified. Not by the device's counter, which shows when the kernel wrote in real
  // time.
  Duration synced(const SyncedFile& file);
  // The image that stands for the device was synced, as mkfs does it: charged for the bytes that it
  // stores more than at its last sync, or than at `stands_at`.
  Duration image_synced(std::int64_t stored);
  // What a new disk's image stores from the beginning.
  void stands_at(std::int64_t stored) { image_stored_ = stored; }

 private:
  std::int64_t speed_ = 125 * kMebibyte;
  std::int64_t cold_ = 0;
  std::int64_t seen_ = 0;
  std::int64_t owed_ = 0;  // less than a MiB
  std::int64_t image_stored_ = 0;
  std::map<std::uint64_t, SyncedFile> files_;  // by inode
};

}  // namespace sim::guest
