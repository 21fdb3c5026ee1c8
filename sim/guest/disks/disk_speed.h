// The virtual time that a volume's transfers take, computed from what a guest read and wrote. Disks
// has one DiskMeter per volume and delays the guest's call by its result.
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

// A file at its last sync. Times are the file system's and only serve to identify the file: a new
// file may have a deleted one's inode, but not its birth time.
struct SyncedFile {
  std::uint64_t inode = 0;
  std::int64_t born = 0;
  std::int64_t size = 0;  // without holes
  std::int64_t modified = 0;
};

// Pages that were read, and the number of I/Os for them.
struct PagesRead {
  std::int64_t bytes = 0, ios = 0;
  std::vector<ByteRange> places;  // on the volume, if they were asked for
};

// A fault that slows the first reads of the next restored volumes.
struct SlowRestores {
  double factor = 1;
  std::int64_t times = 0;
  // The factor for the next volume; empty: no change.
  std::optional<double> next() {
    if (times == 0) return {};
    --times;
    return factor;
  }
};

// The time of one volume's transfers. Each transfer begins when the volume is free.
class DiskMeter {
 public:
  DiskMeter() = default;
  // `cold`: the blocks of its snapshot; none for a blank volume.
  DiskMeter(const cloud::VolumePerformance& performance, ColdBlocks cold)
      : speed_(performance), cold_(std::move(cold)) {}

  bool has_cold() const { return !cold_.empty(); }
  // Multiplies the time of fetching a snapshot's blocks.
  void slow_first_reads(double factor) { speed_.slow_first_reads(factor); }
  void change(Time now, const cloud::VolumePerformance& performance) {
    speed_.change(now, performance);
  }
  // Delays all I/O until then, including an empty sync.
  void pause(Time until) { speed_.pause(until); }
  Time paused_until() const { return speed_.paused_until(); }
  Duration pause_left(Time now) const { return std::max(paused_until() - now, Duration{}); }
  Duration read(Time now, const PagesRead& pages);
  // Consecutive bytes at an unknown place.
  Duration read(Time now, std::int64_t bytes);
  std::int64_t io_bytes() const { return speed_.io_bytes(); }

  // A file was synced. The charge is its growth since its last sync, or the whole file if it was
  // modified without growing. The device's counter and dirty memory would depend on when the kernel
  // wrote in real time.
  Duration synced(Time now, const SyncedFile& file);
  // The device's image was synced, as mkfs does. The charge is the growth of its stored bytes since
  // the last sync, or since `stands_at`.
  Duration image_synced(Time now, std::int64_t stored);
  // Sets the bytes that a new disk's image stores at the start.
  void stands_at(std::int64_t stored) { image_stored_ = stored; }

 private:
  Duration write(Time now, std::int64_t bytes);

  VolumeSpeed speed_;
  ColdBlocks cold_;
  std::int64_t image_stored_ = 0;
  std::map<std::uint64_t, SyncedFile> files_;  // by inode
};

}  // namespace sim::guest
