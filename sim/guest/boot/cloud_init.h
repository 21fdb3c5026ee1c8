// Does cloud-init's work at an instance's boot, in the guest and as its root: it is the guest's
// first process. The user's programs run as its children. Files are written to the places that
// Ubuntu's images use.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sim/guest/boot/cron.h"
#include "sim/guest/boot/user_data.h"
#include "sim/guest/services/manager.h"
#include "sim/kernel/time.h"

namespace sim::guest::boot {

inline constexpr const char* kVersion = "22.4.2";  // a version that behaves the same (Debian 12's)
inline constexpr const char* kOutputLog = "/var/log/cloud-init-output.log";

struct Boot {
  std::string instance_id;
  std::string user_data;  // as the metadata service shows it
  UserData parts;         // the user data of the instance
  Time now{};             // when it begins
  // After a reboot: the virtual time until the operating system is up. Modules that run once per
  // instance do not run again.
  std::optional<Duration> up_after;
  services::UnitFiles host_units;  // of this machine's systemd, none of the guest's
  CronFiles image_cron;            // of the image's folder
  std::filesystem::path root;      // the guest's files begin here; empty: the machine is its own
  bool own() const { return root.empty(); }  // may change users, mounts, and files anywhere
};

// Runs until the user's scripts have ended; standard output is the console. Returns the status of
// the first program of the user that failed, as a shell gives it, or 0. Reads no clock before such
// a program ran.
int run(Boot boot, const std::map<std::string, std::string>& environment);

}  // namespace sim::guest::boot
