#include "sim/guest/disks/disk_speed.h"

#include <algorithm>
#include <utility>

namespace sim::guest {

Duration DiskMeter::read(Time now, const PagesRead& pages) {
  if (pages.bytes == 0) return {};
  std::int64_t first = 0;
  for (const ByteRange& place : pages.places) first += cold_.read(place);
  return speed_.transfer(now, {.bytes = pages.bytes, .ios = pages.ios, .first_read = first});
}

Duration DiskMeter::read(Time now, std::int64_t bytes) {
  if (bytes == 0) return {};
  const std::int64_t first = cold_.read_any(bytes);
  return speed_.transfer(now, {.bytes = bytes, .ios = speed_.ios(bytes), .first_read = first});
}

Duration DiskMeter::write(Time now, std::int64_t bytes) {
  if (bytes <= 0) return pause_left(now) + kSyncLatency;
  return kSyncLatency + speed_.transfer(now, {.bytes = bytes, .ios = speed_.ios(bytes)});
}

Duration DiskMeter::synced(Time now, const SyncedFile& file) {
  SyncedFile& before = files_[file.inode];
  if (before.born != file.born) before = {};
  std::int64_t bytes = 0;
  if (file.modified != before.modified)
    bytes = file.size > before.size ? file.size - before.size : file.size;
  before = file;
  return write(now, bytes);
}

Duration DiskMeter::image_synced(Time now, std::int64_t stored) {
  return write(now, stored - std::exchange(image_stored_, stored));
}

}  // namespace sim::guest
