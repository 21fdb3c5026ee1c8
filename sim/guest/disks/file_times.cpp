#include "sim/guest/disks/file_times.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

std::chrono::nanoseconds since_epoch(const timespec& time) {
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

// Empty for a mount point, and if the entry has gone.
base::FileDescriptor open_here(int folder, const char* entry, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_NOFOLLOW | O_CLOEXEC);
  how.resolve = RESOLVE_NO_XDEV;
  return base::FileDescriptor(
      static_cast<int>(syscall(SYS_openat2, folder, entry, &how, sizeof how)));
}

}  // namespace

FileTimes::FileTimes() : since_(coarse_real_date()), heard_(since_) {}
FileTimes::FileTimes(std::chrono::nanoseconds since, Time now)
    : since_(since), heard_(since), now_(now) {}

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

void FileTimes::set(const std::filesystem::path& file) const {
  if (const base::FileDescriptor opened{open(file.c_str(), O_PATH | O_CLOEXEC)}) set(opened.get());
}

void FileTimes::set_all(int folder) const {
  set(folder);
  base::FileDescriptor list = open_here(folder, ".", O_RDONLY | O_DIRECTORY);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(list ? fdopendir(list.get()) : nullptr,
                                                    closedir);
  if (!entries) return;
  const int here = list.release();  // closedir() closes it
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    const base::FileDescriptor file = open_here(here, entry->d_name, O_PATH);
    if (!file) continue;
    entry->d_type == DT_DIR ? set_all(file.get()) : set(file.get());
  }
}

void FileTimes::set_all(const std::filesystem::path& folder) const {
  if (const base::FileDescriptor opened{open(folder.c_str(), O_PATH | O_CLOEXEC)})
    set_all(opened.get());
}

}  // namespace sim::guest
