// cloud-init's two logs: its lines on the console, and /var/log/cloud-init.log.
#pragma once

#include <filesystem>
#include <string>

#include "base/files/file_descriptor.h"
#include "sim/kernel/time.h"

namespace sim::guest::boot {

// The kernel's boot time: the guest's monotonic clock shows this uptime when user data begins.
inline constexpr std::chrono::seconds kBootTime{10};

// Writes what cloud-init would write, because programs and tests read these logs. Times are the
// guest's. Until a program has run, the clock does not move, so the log begins at the boot time.
class BootLog {
 public:
  BootLog(const std::filesystem::path& file, Time now);

  // A line of cloud-init's own on the console: "Cloud-init v. … running 'init' at …".
  void stage(const std::string& name);
  void say(const std::string& line);  // on the console
  void debug(const std::string& source, const std::string& text);
  void warn(const std::string& source, const std::string& text);  // there and on the console

  void clock_moves() { moves_ = true; }  // a program ran: from now on the clock is read
  Time now() const;
  double uptime() const;               // seconds
  static std::string date(Time time);  // "Tue, 05 Nov 2019 10:01:10 +0000"

 private:
  void append(const std::string& source, const char* level, const std::string& text);

  base::FileDescriptor file_;
  const Time began_;
  bool moves_ = false;
};

}  // namespace sim::guest::boot
