// The kernel as the machines see it: settings of their own, calls that none may make.
#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <fstream>

#include "sim/guest/disks/device_names.h"
#include "sim/guest/process/process_host_state.h"
#include "sim/guest/sandbox/kernel_settings.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// "/dev/xvdf" → "sys/block/xvdf/queue"
fs::path queue_of(const std::string& device) {
  return fs::path("sys/block") / fs::path(device).filename() / "queue";
}

std::vector<fs::path> queues_of(const Machine& machine) {
  std::vector<fs::path> out;
  if (machine.root_disk) out.push_back(queue_of(machine.root_disk->disk.name));
  for (const auto& [volume, plug] : machine.plugs) out.push_back(queue_of(plug.names.front()));
  return out;
}

// A line of /proc/partitions, of which blkid(8) and fdisk(8) take names and numbers.
std::string partition_line(const std::string& number, std::int64_t bytes, const std::string& name) {
  const auto colon = number.find(':');
  return fmt::format("{:>4}  {:>7} {:>10} {}\n", number.substr(0, colon), number.substr(colon + 1),
                     bytes / 1024, name);
}

}  // namespace

void ProcessHost::State::copy_settings() {
  if (!has_namespaces(config.level)) return;
  copy_host_settings(folder.path() / "settings");
  setting_folders = folders_of(folder.path() / "settings");
}

// Of its device on this machine, "7:0"; none where it is no device.
std::optional<std::string> ProcessHost::State::number_of(const cloud::VolumeId& volume) const {
  const auto device = disks.block_device(volume);
  if (!device) return {};
  return fmt::format("{}:{}", major(*device), minor(*device));
}

// Null at kPlain, where a guest has the host's /proc.
std::unique_ptr<UptimeFiles> ProcessHost::State::make_uptime_files(const std::string& name,
                                                                   SandboxSpec& spec) const {
  if (!has_namespaces(config.level)) return nullptr;
  spec.root.kernel_files = folder.path() / "proc" / name;
  auto out = std::make_unique<UptimeFiles>(spec.root.kernel_files);
  std::ofstream(spec.root.kernel_files / "partitions") << "";
  return out;
}

// As a reboot leaves them: those of disks, too.
void ProcessHost::State::restore_settings(const Machine& machine) {
  if (setting_folders.empty()) return;
  const fs::path copies = folder.path() / "settings";
  settings.drain(simulation.now(), log);
  settings.forget(machine.name);
  guest::restore_settings(machine.sandbox.root(), copies);
  machine.network_settings.restore(machine.sandbox.init());
  std::error_code none;
  for (const fs::path& queue : queues_of(machine))
    fs::copy(copies / kDiskSettings / "queue", machine.sandbox.root() / queue,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, none);
  watch_settings(machine);
}

void ProcessHost::State::watch_settings(const Machine& machine) {
  if (setting_folders.empty()) return;
  for (const fs::path& setting : setting_folders)
    settings.watch(machine.name, machine.sandbox.root(), setting);
  for (const fs::path& queue : queues_of(machine))
    settings.watch(machine.name, machine.sandbox.root(), queue);
}

// lsblk(8) finds it by the number that EC2 shows, and by that of its node here.
void ProcessHost::State::show_volume(const Machine& machine, const cloud::VolumeId& volume) {
  if (setting_folders.empty()) return;
  const std::string& device = machine.plugs.at(volume).names.front();
  const ShownDisk disk{.name = fs::path(device).filename(),
                       .number = shown_number(device),
                       .bytes = std::int64_t{backend->cloud.volume(volume).size_gib} << 30,
                       .serial = shown_serial(device, volume.value)};
  show_disk(machine.sandbox.root(), disk, folder.path() / "settings");
  if (const auto number = number_of(volume))
    show_number(machine.sandbox.root(), disk.name, *number);
  settings.watch(machine.name, machine.sandbox.root(), queue_of(device));
  list_partitions(machine);
}

void ProcessHost::State::hide_volume(const Machine& machine, const std::string& device) {
  if (setting_folders.empty()) return;
  hide_disk(machine.sandbox.root(), fs::path(device).filename());
  list_partitions(machine);
}

// The guest's /proc/partitions, where it has one of its own.
void ProcessHost::State::list_partitions(const Machine& machine) const {
  std::string text = "major minor  #blocks  name\n\n";
  if (machine.root_disk)
    for (const ShownDisk& disk : {machine.root_disk->disk, machine.root_disk->partition})
      text += partition_line(disk.number, disk.bytes, disk.name);
  for (const auto& [volume, plug] : machine.plugs) {
    const std::string& device = plug.names.front();
    text += partition_line(number_of(volume).value_or(shown_number(device)),
                           std::int64_t{backend->cloud.volume(volume).size_gib} << 30,
                           fs::path(device).filename());
  }
  const fs::path file = folder.path() / "proc" / machine.name / "partitions";
  if (fs::exists(file)) std::ofstream(file) << text;
}

// A program may try again and again; the first time tells.
void ProcessHost::State::was_refused(int guest, std::string_view call) {
  Machine* machine = machine_of(guest);
  if (machine == nullptr || !machine->refused.emplace(call).second) return;
  log.append(simulation.now(), "guest.refused", {{"machine", machine->name}, {"call", call}});
}

}  // namespace sim::guest
