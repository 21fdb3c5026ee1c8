// The kernel as the machines see it: their own settings, the disks in /sys and /proc, uptime,
// randomness and boot IDs. If guests have no namespaces, they see the host's kernel, and these
// functions do nothing.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/disks/disks.h"
#include "sim/guest/process/files/settings_watch.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/sandbox/network_settings.h"
#include "sim/guest/sandbox/random_files.h"

namespace sim::guest {

// The part of ProcessHost that writes and mounts such files for each machine.
class GuestKernel {
 public:
  GuestKernel(HostContext&, RandomServer&, const Disks&);

  // Copies the host's settings. Every machine starts with this copy.
  void copy_settings();
  // Readable when a machine has written a setting. Then call log_settings(). It returns true if
  // there was a setting.
  int settings_descriptor() const { return settings_.descriptor(); }
  bool log_settings();

  // ---- a machine's start, reboot and end
  // Returns null if the guest has the host's /proc.
  std::unique_ptr<UptimeFiles> make_uptime_files(const std::string& machine, SandboxSpec&) const;
  void serve_random_files(Machine&);
  // Gives the machine a new boot ID. Settings that the machine writes are logged from now on.
  void begin_boot(const Machine&);
  // The same for a reboot, with the settings of the first boot, including those of disks.
  void begin_boot_again(const Machine&);
  void end(const std::string& machine);

  // ---- disks
  void show_volume(const Machine&, const cloud::VolumeId&);
  void hide_volume(const Machine&, const std::string& device);
  // Writes the guest's /proc/partitions and /proc/diskstats, if it has its own. The counters of
  // transfers are zero.
  void list_partitions(const Machine&) const;

 private:
  ShownDisk shown(const Machine&, const cloud::VolumeId&) const;

  HostContext& context_;
  RandomServer& random_;
  const Disks& disks_;
  SettingsWatch settings_;
  std::vector<std::filesystem::path>
      setting_folders_;                 // empty: guests have no settings of their own
  // As the first machine's programs found them: all machines begin alike.
  std::optional<NetworkSettings> network_settings_;
  bool random_files_are_real_ = false;  // and the user was warned of it
};

}  // namespace sim::guest
