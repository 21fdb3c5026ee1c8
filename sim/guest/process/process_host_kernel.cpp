// The kernel as the machines see it: settings of their own, calls that none may make.
#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/guest/disks/device_names.h"
#include "sim/guest/process/process_host_state.h"
#include "sim/guest/sandbox/kernel_settings.h"
#include "sim/guest/time/kernel_state.h"

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

// As /proc/partitions has it.
std::string partition_line(const ShownDisk& disk) {
  const auto colon = disk.number.find(':');
  return fmt::format("{:>4}  {:>7} {:>10} {}\n", disk.number.substr(0, colon),
                     disk.number.substr(colon + 1), disk.bytes / 1024, disk.name);
}

// As /proc/diskstats has it: 17 counters.
std::string statistics_line(const ShownDisk& disk) {
  const auto colon = disk.number.find(':');
  std::string line = fmt::format("{:>4} {:>7} {}", disk.number.substr(0, colon),
                                 disk.number.substr(colon + 1), disk.name);
  for (int counter = 0; counter < 17; ++counter) line += " 0";
  return line + "\n";
}

}  // namespace

void set_utc(SandboxSpec& spec) {
  if (!spec.root.image.is_host("etc/localtime") && !spec.root.image.at("etc/localtime").empty())
    return;
  // A TZif file of version 1 (RFC 9636): its header with two counts, one type of local time, its
  // name.
  std::string file(44 + 6, '\0');
  file.replace(0, 4, "TZif");
  file[39] = 1;  // types; the last byte of a big-endian number
  file[43] = 4;  // bytes of names
  spec.root.files["/etc/localtime"] = file + std::string("UTC\0", 4);
  spec.root.files["/etc/timezone"] = "Etc/UTC\n";
}

void ProcessHost::State::copy_settings() {
  if (!has_namespaces(config.level)) return;
  copy_host_settings(folder.path() / "settings");
  write_kernel_state(folder.path() / "kernel");
  setting_folders = folders_of(folder.path() / "settings");
}

// Null at kPlain, where a guest has the host's /proc.
std::unique_ptr<UptimeFiles> ProcessHost::State::make_uptime_files(const std::string& name,
                                                                   SandboxSpec& spec) const {
  if (!has_namespaces(config.level)) return nullptr;
  spec.root.kernel_files = folder.path() / "proc" / name;
  auto out = std::make_unique<UptimeFiles>(spec.root.kernel_files);
  for (const char* file : {"partitions", "diskstats"})
    std::ofstream(spec.root.kernel_files / file) << "";
  for (const auto& file : fs::directory_iterator(folder.path() / "kernel"))
    fs::create_hard_link(file, spec.root.kernel_files / file.path().filename());
  return out;
}

void ProcessHost::State::serve_random_files(Machine& machine) {
  if (RandomFiles files = machine.sandbox.take_random())
    random.serve(machine.name, std::move(files));
  else if (has_namespaces(config.level) && !std::exchange(random_files_are_real, true))
    config.say(
        "randomness: /dev/urandom is not seeded, so that another run with this seed may differ: "
        "/dev/fuse cannot be used here");
}

// As a reboot leaves them: those of disks, too.
void ProcessHost::State::restore_settings(const Machine& machine) {
  if (setting_folders.empty()) return;
  const fs::path kept = folder.path() / "settings";
  settings.drain(simulation.now(), log);
  settings.forget(machine.name);
  guest::restore_settings(machine.sandbox.root(), kept);
  machine.network_settings.restore(machine.sandbox.inside());
  std::error_code none;
  for (const fs::path& queue : queues_of(machine))
    fs::copy(kept / kDiskSettings / "queue", machine.sandbox.root() / queue,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, none);
  show_new_boot(machine);
  watch_settings(machine);
}

void ProcessHost::State::show_new_boot(const Machine& machine) {
  if (setting_folders.empty()) return;
  Stream boots = streams.stream("boots", fmt::format("{}/{}", machine.name, machine.reboots));
  write_boot_id(machine.sandbox.root(), random_uuid(boots));
}

void ProcessHost::State::watch_settings(const Machine& machine) {
  if (setting_folders.empty()) return;
  for (const fs::path& setting : setting_folders)
    settings.watch(machine.name, machine.sandbox.root(), setting);
  for (const fs::path& queue : queues_of(machine))
    settings.watch(machine.name, machine.sandbox.root(), queue);
}

// libblkid finds a volume only if it is shown with the number of its node.
ShownDisk ProcessHost::State::shown(const Machine& machine, const cloud::VolumeId& volume) const {
  const std::string& device = machine.plugs.at(volume).names.front();
  const auto node = disks.block_device(volume);
  return {.name = fs::path(device).filename(),
          .number = node ? fmt::format("{}:{}", major(*node), minor(*node)) : shown_number(device),
          .bytes = std::int64_t{backend->cloud.volume(volume).size_gib} << 30,
          .serial = shown_serial(device, volume.value)};
}

void ProcessHost::State::show_volume(const Machine& machine, const cloud::VolumeId& volume) {
  if (setting_folders.empty()) return;
  const ShownDisk disk = shown(machine, volume);
  show_disk(machine.sandbox.root(), disk, folder.path() / "settings");
  settings.watch(machine.name, machine.sandbox.root(), queue_of(disk.name));
  list_partitions(machine);
}

void ProcessHost::State::hide_volume(const Machine& machine, const std::string& device) {
  if (setting_folders.empty()) return;
  hide_disk(machine.sandbox.root(), fs::path(device).filename());
  list_partitions(machine);
}

// The guest's /proc/partitions and /proc/diskstats, where it has ones of its own. No transfer is
// counted.
void ProcessHost::State::list_partitions(const Machine& machine) const {
  const fs::path files = folder.path() / "proc" / machine.name;
  if (!fs::exists(files / "partitions")) return;
  std::vector<ShownDisk> disks_of_it;
  if (machine.root_disk) disks_of_it = {machine.root_disk->disk, machine.root_disk->partition};
  for (const auto& [volume, plug] : machine.plugs) disks_of_it.push_back(shown(machine, volume));
  std::ofstream partitions(files / "partitions"), statistics(files / "diskstats");
  partitions << "major minor  #blocks  name\n\n";
  for (const ShownDisk& disk : disks_of_it) {
    partitions << partition_line(disk);
    statistics << statistics_line(disk);
  }
}

// A program may try again and again; the first time tells.
void ProcessHost::State::was_refused(int guest, std::string_view call) {
  Machine* machine = machine_of(guest);
  if (machine == nullptr || !machine->refused.emplace(call).second) return;
  log.append(
      events::GuestRefused{.time = simulation.now(), .machine = machine->name, .call = call});
}

// The first time tells.
void ProcessHost::State::has_spun(const Supervisor::BusyTask& task) {
  Machine* machine = machine_of(task.guest);
  if (machine == nullptr || !machine->spun.emplace(task.process, task.does).second) return;
  log.append(events::GuestSpun{.time = simulation.now(),
                               .machine = machine->name,
                               .process = task.process,
                               .command = task.command,
                               .does = task.does});
}

void ProcessHost::State::say_busy(const Supervisor::BusyTask& task) {
  const Machine* machine = machine_of(task.guest);
  if (machine == nullptr) return;
  config.say(fmt::format("busy: process {} of {} ({}) has not rested for 10 s of real time: it {}",
                         task.process, machine->name, task.command, task.does));
}

}  // namespace sim::guest
