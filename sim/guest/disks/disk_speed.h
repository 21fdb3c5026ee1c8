// How much virtual time a volume's transfers take, from what a guest did.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/guest/disks/cold_blocks.h"
#include "sim/guest/disks/volume_speed.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// From a sync until the volume has answered.
inline constexpr Duration kSyncLatency = std::chrono::milliseconds{1};

// A file as it was when it was synced. Times are the file system's, and serve as identities only: a
// new file may have a deleted one's inode, but not its birth.
struct SyncedFile {
  std::uint64_t inode = 0;
  std::int64_t born = 0;
  std::int64_t size = 0;  // without holes
  std::int64_t modified = 0;
};

// Pages that were read, and the number of I/Os.
struct PagesRead {
  std::int64_t bytes = 0, ios = 0;
  std::vector<ByteRange> places;  // on the volume, if they were asked for
};

// How much longer the first reads of volumes that are made of snapshots take, while there are any.
struct SlowRestores {
  double factor = 1;
  std::int64_t times = 0;
  // Of the next volume; empty: as ever.
  std::optional<double> next() {
    if (times == 0) return {};
    --times;
    return factor;
  }
};

// The time of one volume's transfers. Each begins when the volume is free.
class DiskMeter {
 public:
  DiskMeter() = default;
  // `cold`: of its snapshot; none for a blank volume.
  DiskMeter(const cloud::VolumePerformance& performance, ColdBlocks cold)
      : speed_(performance), cold_(std::move(cold)) {}

  bool has_cold() const { return !cold_.empty(); }
  // First reads take so much longer: what is fetched comes slower.
  void slow_first_reads(double factor) { speed_.slow_first_reads(factor); }
  // Its I/O waits until then, an empty sync's, too.
  void pause(Time until) { speed_.pause(until); }
  Time paused_until() const { return speed_.paused_until(); }
  Duration pause_left(Time now) const { return std::max(paused_until() - now, Duration{}); }
  Duration read(Time now, const PagesRead& pages);
  // Consecutive bytes at an unknown place.
  Duration read(Time now, std::int64_t bytes);
  std::int64_t io_bytes() const { return speed_.io_bytes(); }

  // A file was synced: charged for what it grew by since its last sync; as a whole when it did not
  // grow but was modified. Not by the device's counter, nor by what is dirty in memory: both show
  // when the kernel wrote in real time.
  Duration synced(Time now, const SyncedFile& file);
  // The image that stands for the device was synced, as mkfs does it: charged for the bytes that it
  // stores more than at its last sync, or than at `stands_at`.
  Duration image_synced(Time now, std::int64_t stored);
  // What a new disk's image stores from the beginning.
  void stands_at(std::int64_t stored) { image_stored_ = stored; }

 private:
  Duration write(Time now, std::int64_t bytes);

  VolumeSpeed speed_;
  ColdBlocks cold_;
  std::int64_t image_stored_ = 0;
  std::map<std::uint64_t, SyncedFile> files_;  // by inode
};

}  // namespace sim::guest
