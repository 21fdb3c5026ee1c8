// The kernel as the machines see it: settings of their own, calls that none may make.
#include <sys/sysmacros.h>

#include <fstream>

#include "sim/guest/process/process_host_state.h"
#include "sim/guest/sandbox/kernel_settings.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// "/dev/xvdf" → "sys/block/xvdf"
fs::path disk_settings(const std::string& device) {
  return fs::path("sys/block") / fs::path(device).filename();
}

// Of an attached volume that is no device here: what Xen's disks have on EC2, /dev/xvdf 202:80.
std::string disk_number(const std::string& device) {
  return "202:" + std::to_string(16 * (device.back() - 'a'));
}

// Its link in /sys/dev/block.
fs::path number_link(const std::string& device) {
  return fs::path(kDiskNumbers) / disk_number(device);
}

}  // namespace

void ProcessHost::State::copy_settings() {
  if (!has_namespaces(config.level)) return;
  copy_host_settings(folder.path() / "settings");
  setting_folders = folders_of(folder.path() / "settings");
}

// Null at kPlain, where a guest has the host's /proc.
std::unique_ptr<UptimeFiles> ProcessHost::State::make_uptime_files(const std::string& name,
                                                                   SandboxSpec& spec) const {
  if (!has_namespaces(config.level)) return nullptr;
  spec.root.kernel_files = folder.path() / "proc" / name;
  return std::make_unique<UptimeFiles>(spec.root.kernel_files);
}

// As a reboot leaves them: those of disks, too.
void ProcessHost::State::restore_settings(const Machine& machine) {
  if (setting_folders.empty()) return;
  const fs::path copies = folder.path() / "settings";
  settings.drain(simulation.now(), log);
  settings.forget(machine.name);
  guest::restore_settings(machine.sandbox.root(), copies);
  machine.network_settings.restore(machine.sandbox.init());
  watch_settings(machine);
  std::error_code none;
  for (const auto& [volume, plug] : machine.plugs) {
    const fs::path queue = disk_settings(plug.device) / "queue";
    fs::copy(copies / kDiskSettings / "queue", machine.sandbox.root() / queue,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, none);
    settings.watch(machine.name, machine.sandbox.root(), queue);
  }
}

void ProcessHost::State::watch_settings(const Machine& machine) {
  for (const fs::path& setting : setting_folders)
    settings.watch(machine.name, machine.sandbox.root(), setting);
}

// With its number and size, by which lsblk(8) finds it.
void ProcessHost::State::show_disk_settings(const Machine& machine, const cloud::VolumeId& volume) {
  const std::string& device = machine.plugs.at(volume).device;
  const fs::path from = folder.path() / "settings" / kDiskSettings;
  const fs::path shown = disk_settings(device);
  const fs::path to = machine.sandbox.root() / shown;
  std::error_code there;
  if (!fs::is_directory(from, there) || fs::exists(to, there)) return;
  fs::copy(from, to, fs::copy_options::recursive);
  if (const auto disk = disks.block_device(volume)) {
    const std::string number = std::to_string(major(*disk)) + ":" + std::to_string(minor(*disk));
    std::ofstream(to / "dev") << number << "\n";
    std::ofstream(to / "size") << std::ifstream("/sys/dev/block/" + number + "/size").rdbuf();
  } else {
    constexpr std::int64_t kSectorsOfGib = (std::int64_t{1} << 30) / 512;
    std::ofstream(to / "dev") << disk_number(device) << "\n";
    std::ofstream(to / "size") << kSectorsOfGib * backend->cloud.volume(volume).size_gib << "\n";
    fs::create_symlink("../../block/" + shown.filename().string(),
                       machine.sandbox.root() / number_link(device), there);
  }
  settings.watch(machine.name, machine.sandbox.root(), shown / "queue");
}

void ProcessHost::State::hide_disk_settings(const Machine& machine, const std::string& device) {
  if (setting_folders.empty()) return;
  std::error_code gone;  // with its guest
  fs::remove_all(machine.sandbox.root() / disk_settings(device), gone);
  fs::remove(machine.sandbox.root() / number_link(device), gone);
}

// A program may try again and again; the first time tells.
void ProcessHost::State::was_refused(int guest, std::string_view call) {
  Machine* machine = machine_of(guest);
  if (machine == nullptr || !machine->refused.emplace(call).second) return;
  log.append(simulation.now(), "guest.refused", {{"machine", machine->name}, {"call", call}});
}

}  // namespace sim::guest
