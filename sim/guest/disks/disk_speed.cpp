#include "sim/guest/disks/disk_speed.h"

#include <algorithm>
#include <utility>

namespace sim::guest {
namespace {

Duration time_of(std::int64_t bytes, std::int64_t bytes_per_second) {
  return Duration{
      static_cast<std::int64_t>(static_cast<__int128>(bytes) * 1'000'000'000 / bytes_per_second)};
}

}  // namespace

Duration DiskMeter::read(std::int64_t total) {
  const std::int64_t since = total - std::exchange(seen_, total);
  owed_ += (since + kReadGrain / 2) / kReadGrain * kReadGrain;
  const std::int64_t bytes = owed_ / kMebibyte * kMebibyte;
  owed_ -= bytes;
  const std::int64_t cold = std::min(bytes, cold_);
  cold_ -= cold;
  return time_of(cold, std::min(speed_, kFirstReadBytesPerSecond)) + time_of(bytes - cold, speed_);
}

Duration DiskMeter::synced(const SyncedFile& file) {
  SyncedFile& before = files_[file.inode];
  if (before.born != file.born) before = {};
  std::int64_t bytes = 0;
  if (file.modified != before.modified)
    bytes = file.size > before.size ? file.size - before.size : file.size;
  before = file;
  return kSyncLatency + time_of(bytes, speed_);
}

Duration DiskMeter::image_synced(std::int64_t stored) {
  const std::int64_t before = std::exchange(image_stored_, stored);
  return kSyncLatency + time_of(std::max<std::int64_t>(stored - before, 0), speed_);
}

}  // namespace sim::guest
