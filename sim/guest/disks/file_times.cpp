#include "sim/guest/disks/file_times.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>

#include "sim/guest/time/guest_clock.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

std::chrono::nanoseconds since_epoch(const timespec& time) {
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

}  // namespace

FileTimes::FileTimes() : since_(coarse_real_date()), heard_(since_) {}

void FileTimes::changed_by(Time now) {
  if (now != now_) since_ = heard_;
  heard_ = coarse_real_date();
  now_ = now;
}

void FileTimes::set(int file) const {
  struct stat as {};
  if (fstat(file, &as) != 0) return;
  const auto modified = since_epoch(as.st_mtim);
  if (modified < since_ || modified > real_date()) return;
  const std::array<timespec, 2> times{timespec{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                                      to_timespec(now_.time_since_epoch())};
  utimensat(file, "", times.data(), AT_EMPTY_PATH);
}

}  // namespace sim::guest
