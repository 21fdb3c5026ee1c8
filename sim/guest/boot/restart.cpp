#include "sim/guest/boot/restart.h"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

// FIFOs of the host's are in use there: the job's events.
bool stays(const fs::path& path) { return path == "/run/job-events" || path == "/run/lock"; }

// A mount point as proc_pid_mountinfo(5) writes it: \040 is a space.
fs::path plain(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 3 < text.size();
    out += escaped ? static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8)) : text[i];
    if (escaped) i += 3;
  }
  return out;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return path != folder && std::ranges::mismatch(folder, path).in1 == folder.end();
}

// In the order in which they were made.
std::vector<fs::path> mounts_below(const fs::path& folder) {
  std::vector<fs::path> points;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i < 5; ++i) fields >> field;
    if (const fs::path point = plain(field); is_below(point, folder)) points.push_back(point);
  }
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
