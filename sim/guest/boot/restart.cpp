#include "sim/guest/boot/restart.h"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/mount_table.h"

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

// FIFOs of the host's are in use there: the job's events.
bool stays(const fs::path& path) { return path == "/run/job-events" || path == "/run/lock"; }

bool is_below(const fs::path& path, const fs::path& folder) {
  return path != folder && std::ranges::mismatch(folder, path).in1 == folder.end();
}

// In the order in which they were made.
std::vector<fs::path> mounts_below(const fs::path& folder) {
  std::vector<fs::path> points;
  for (const base::MountEntry& mount : base::mounts_of(getpid()))
    if (is_below(mount.point, folder)) points.emplace_back(mount.point);
  return points;
}

// What a mount shows belongs to somebody else.
void unmount_below(const fs::path& folder) {
  std::vector<fs::path> points = mounts_below(folder);
  std::ranges::reverse(points);
  for (const fs::path& point : points)
    if (!stays(point)) umount2(point.c_str(), MNT_DETACH);
}

}  // namespace

void forget_the_last_boot() {
  for (const char* folder : {"/run", "/tmp", "/dev/shm"}) {
    std::error_code ignored;
    unmount_below(folder);
    const auto left = mounts_below(folder);
    const auto shows_others = [&](const fs::path& path) {
      return std::ranges::any_of(
          left, [&](const fs::path& point) { return point == path || is_below(point, path); });
    };
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (!stays(entry.path()) && !shows_others(entry.path())) entries.push_back(entry.path());
    for (const auto& entry : entries) fs::remove_all(entry, ignored);
  }
}

void wait_for_boot(Duration takes) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(takes);
  timespec left{seconds.count(), (takes - seconds).count()};
  while (syscall(SYS_nanosleep, &left, &left) != 0) {  // on the guest's clock
  }
}

}  // namespace sim::guest::boot
