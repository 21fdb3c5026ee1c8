#include "sim/guest/time/uptime_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

using Hundredths = std::chrono::duration<std::int64_t, std::centi>;  // a jiffy, to programs

base::FileDescriptor made(const std::filesystem::path& file) {
  base::FileDescriptor out(
      base::checked(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444),
                    "making " + file.string()));
  base::checked(fchmod(out.get(), 0444), "opening up " + file.string());  // whatever our umask
  return out;
}

void put(const base::FileDescriptor& file, const std::string& text) {
  base::checked(pwrite(file.get(), text.data(), text.size(), 0), "telling the uptime");
  base::checked(ftruncate(file.get(), static_cast<off_t>(text.size())), "telling the uptime");
}

}  // namespace

UptimeFiles::UptimeFiles(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  uptime_ = made(folder / "uptime");
  stat_ = made(folder / "stat");
  put(made(folder / "loadavg"), "0.00 0.00 0.00 1/64 1024\n");
  std::ifstream host("/proc/stat");
  for (std::string line; std::getline(host, line);)
    if (line.starts_with("cpu") && line[3] != ' ')
      processors_.push_back(line.substr(0, line.find(' ')));
}

void UptimeFiles::tell(Duration up, Time now) {
  if (up < Duration{0}) up = Duration{0};  // its firmware still runs
  const std::int64_t hundredths = std::chrono::floor<Hundredths>(up).count();
  if (hundredths == hundredths_) return;
  hundredths_ = hundredths;
  const auto processors = static_cast<std::int64_t>(processors_.size());
  const std::int64_t idle = hundredths * processors;
  put(uptime_, fmt::format("{}.{:02} {}.{:02}\n", hundredths / 100, hundredths % 100, idle / 100,
                           idle % 100));
  if (hundredths / 100 == seconds_) return;
  seconds_ = hundredths / 100;
  std::string text = fmt::format("cpu  0 0 0 {} 0 0 0 0 0 0\n", 100 * seconds_ * processors);
  for (const std::string& processor : processors_)
    text += fmt::format("{} 0 0 0 {} 0 0 0 0 0 0\n", processor, 100 * seconds_);
  const auto boot = std::chrono::floor<std::chrono::seconds>((now - up).time_since_epoch());
  put(stat_, text + fmt::format("intr 0\nctxt 0\nbtime {}\nprocesses 64\nprocs_running 1\n"
                                "procs_blocked 0\n",
                                boot.count()));
}

}  // namespace sim::guest
