#include "sim/guest/boot/restart.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

// FIFOs of the host's are in use there: the job's events.
bool stays(const fs::path& path) { return path == "/run/job-events" || path == "/run/lock"; }

}  // namespace

void forget_the_last_boot() {
  for (const char* folder : {"/run", "/tmp", "/dev/shm"}) {
    std::error_code ignored;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (!stays(entry.path())) entries.push_back(entry.path());
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
