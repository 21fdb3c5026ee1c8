#include "sim/guest/process/parts/guest_kernel.h"

#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <utility>

#include "sim/guest/disks/device_names.h"
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

GuestKernel::GuestKernel(HostContext& context, RandomServer& random, const Disks& disks)
    : context_(context), random_(random), disks_(disks) {}

void GuestKernel::copy_settings() {
  if (!context_.isolated()) return;
  copy_host_settings(context_.folder.path() / "settings");
  write_kernel_state(context_.folder.path() / "kernel");
  setting_folders_ = folders_of(context_.folder.path() / "settings");
}

std::unique_ptr<UptimeFiles> GuestKernel::make_uptime_files(const std::string& name,
                                                            SandboxSpec& spec) const {
  if (!context_.isolated()) return nullptr;
  spec.root.kernel_files = context_.folder.path() / "proc" / name;
  auto out = std::make_unique<UptimeFiles>(spec.root.kernel_files);
  for (const char* file : {"partitions", "diskstats"})
    std::ofstream(spec.root.kernel_files / file) << "";
  for (const auto& file : fs::directory_iterator(context_.folder.path() / "kernel"))
    fs::create_hard_link(file, spec.root.kernel_files / file.path().filename());
  return out;
}

void GuestKernel::serve_random_files(Machine& machine) {
  if (RandomFiles files = machine.sandbox.take_random())
    random_.serve(machine.name, std::move(files));
  else if (context_.isolated() && !std::exchange(random_files_are_real_, true))
    context_.config.say(
        "randomness: /dev/urandom is not seeded, so that another run with this seed may differ: "
        "/dev/fuse cannot be used here");
}

void GuestKernel::begin_boot_again(const Machine& machine) {
  if (setting_folders_.empty()) return;
  const fs::path kept = context_.folder.path() / "settings";
  end(machine.name);
  guest::restore_settings(machine.sandbox.root(), kept);
  network_settings_->restore(machine.sandbox.inside());
  std::error_code none;
  for (const fs::path& queue : queues_of(machine))
    fs::copy(kept / kDiskSettings / "queue", machine.sandbox.root() / queue,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, none);
  begin_boot(machine);
}

void GuestKernel::begin_boot(const Machine& machine) {
  if (setting_folders_.empty()) return;
  if (!network_settings_) network_settings_.emplace(machine.sandbox.inside());
  Stream boots =
      context_.streams.stream("boots", fmt::format("{}/{}", machine.name, machine.reboots));
  write_boot_id(machine.sandbox.root(), random_uuid(boots));
  for (const fs::path& setting : setting_folders_)
    settings_.watch(machine.name, machine.sandbox.root(), setting);
  for (const fs::path& queue : queues_of(machine))
    settings_.watch(machine.name, machine.sandbox.root(), queue);
}

// libblkid finds a volume only if it is shown with the number of its node.
ShownDisk GuestKernel::shown(const Machine& machine, const cloud::VolumeId& volume) const {
  const std::string& device = machine.plugs.at(volume).names.front();
  const auto node = disks_.block_device(volume);
  return {.name = fs::path(device).filename(),
          .number = node ? fmt::format("{}:{}", major(*node), minor(*node)) : shown_number(device),
          .bytes = std::int64_t{context_.cloud_of(volume).volume(volume).size_gib} << 30,
          .serial = shown_serial(device, volume.value)};
}

void GuestKernel::show_volume(const Machine& machine, const cloud::VolumeId& volume) {
  if (setting_folders_.empty()) return;
  const ShownDisk disk = shown(machine, volume);
  show_disk(machine.sandbox.root(), disk, context_.folder.path() / "settings");
  settings_.watch(machine.name, machine.sandbox.root(), queue_of(disk.name));
  list_partitions(machine);
}

void GuestKernel::hide_volume(const Machine& machine, const std::string& device) {
  if (setting_folders_.empty()) return;
  hide_disk(machine.sandbox.root(), fs::path(device).filename());
  list_partitions(machine);
}

void GuestKernel::list_partitions(const Machine& machine) const {
  const fs::path files = context_.folder.path() / "proc" / machine.name;
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

bool GuestKernel::log_settings() {
  return settings_.drain(context_.simulation.now(), context_.log);
}

void GuestKernel::end(const std::string& machine) {
  log_settings();
  settings_.forget(machine);
}

}  // namespace sim::guest
