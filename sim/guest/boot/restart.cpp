#include "sim/guest/boot/restart.h"

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <utmpx.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

// FIFOs of the host's are in use there, the job's events; and a mount of each boot.
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

void record_boot(Time at) {
  utmpx record{};
  record.ut_type = BOOT_TIME;
  std::strcpy(record.ut_line, "~");
  std::memcpy(record.ut_id, "~~", 2);
  std::strcpy(record.ut_user, "reboot");
  utsname kernel{};
  if (uname(&kernel) == 0) std::strncpy(record.ut_host, kernel.release, sizeof record.ut_host - 1);
  const auto microseconds =
      std::chrono::floor<std::chrono::microseconds>(at).time_since_epoch().count();
  record.ut_tv.tv_sec = static_cast<std::int32_t>(microseconds / 1'000'000);
  record.ut_tv.tv_usec = static_cast<std::int32_t>(microseconds % 1'000'000);
  const auto append = [&](const char* file) {
    std::ofstream(file, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(&record), sizeof record);
  };
  append("/run/utmp");
  append("/var/log/wtmp");
}

}  // namespace sim::guest::boot
