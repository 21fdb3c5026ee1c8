#include "sim/guest/process/parts/devices.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "base/process/system_call.h"
#include "sim/cloud/host.h"
#include "sim/guest/disks/device_names.h"
#include "sim/guest/disks/mounts.h"
#include "sim/guest/process/files/machine_files.h"
#include "sim/kernel/check.h"
#include "sim/market/nitro.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr Duration kUnmountLook = 1s;

std::string guest_name(const std::string& device) {
  return cloud::guest_device(device).value_or(device);
}

// Kinds of file systems that lie on a device, by this kernel's own list.
bool is_on_device(const std::string& filesystem) {
  std::ifstream in("/proc/filesystems");
  for (std::string line; std::getline(in, line);)
    if (line == "\t" + filesystem) return true;
  return false;
}

// The error of a new mount as a machine's own kernel would report it. This kernel answers EPERM to
// a guest's root, before it checks whether the device exists or can be mounted.
std::optional<int> objection_to(const MountCall& call, const fs::path& root) {
  constexpr unsigned long kNotNew =
      MS_REMOUNT | MS_BIND | MS_MOVE | MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE;
  if ((call.flags & kNotNew) != 0 || !is_on_device(call.filesystem)) return {};
  const base::FileDescriptor device = open_in(root, call.source, O_PATH);
  struct stat found {};
  if (!device || fstat(device.get(), &found) != 0) return ENOENT;
  return S_ISBLK(found.st_mode) ? EINVAL : ENOTBLK;
}

}  // namespace

Devices::Devices(HostContext& context, const Machines& machines, Disks& disks,
                 DiskTimes& disk_times, GuestKernel& kernel)
    : context_(context),
      machines_(machines),
      disks_(disks),
      disk_times_(disk_times),
      kernel_(kernel) {}

RootDisk Devices::root_disk_of(const cloud::Instance& instance, const cloud::Volume& root) {
  return root_disk(market::is_on_nitro(instance.spec.instance_type),
                   std::int64_t{root.size_gib} << 30, root.id.value);
}

// Without namespaces the guest's devices lie in its own folder.
fs::path Devices::device_path(const Machine& machine, const std::string& device) const {
  const fs::path root = context_.isolated() ? machine.sandbox.root()
                                            : context_.folder.path() / "guests" / machine.name;
  return root / fs::path(device).relative_path();
}

void Devices::take_device(Machine& machine, const cloud::VolumeId& volume) {
  context_.supervisor.wake(machine.guest);
  const auto plug = machine.plugs.extract(volume);
  disks_.unplug(volume);
  const std::vector<std::string>& names = plug.mapped().names;
  kernel_.hide_volume(machine, names.front());
  std::error_code ignored;
  for (std::size_t link = 1; link < names.size(); ++link)
    fs::remove(device_path(machine, names[link]), ignored);
  if (plug.mapped().released) context_.simulation.after({}, plug.mapped().released);
}

// Looks once a virtual second, for as long as the machine lives: its end releases all.
void Devices::release_when_unmounted(const std::string& name, const cloud::VolumeId& volume) {
  Machine* const machine = machines_.find(name);
  if (!machine || !machine->plugs.contains(volume)) return;
  if (!disks_.mounted(volume, machine->sandbox.inside())) return take_device(*machine, volume);
  context_.simulation.after(kUnmountLook,
                            [this, name, volume] { release_when_unmounted(name, volume); });
}

Duration Devices::charge(Machine& machine) {
  for (const fs::path& path : std::exchange(machine.written_through, {}))
    if (const auto file = open_in(machine.sandbox.root(), path, O_PATH))
      for (const auto& [volume, plug] : machine.plugs) disks_.write_through(volume, file.get());
  const Time now = context_.simulation.now();
  Time until = std::max(now, std::exchange(machine.unmounted, {}));
  for (const auto& [volume, plug] : machine.plugs) until = disks_.done(volume, until);
  return until - now;
}

// Not where each line of a log is to have the time at which it was written.
bool Devices::lendable(const Machine* machine) const {
  return !context_.config.progress &&
         (!machine || (machine->written_through.empty() &&
                       std::ranges::all_of(machine->plugs, [this](const auto& plug) {
                         return disks_.reads_are_told(plug.first);
                       })));
}

Duration Devices::sync(const Machine* machine, int descriptor, int call) {
  if (call == SYS_sync) {
    Duration takes{};
    if (machine)
      for (const auto& [volume, plug] : machine->plugs)
        takes = std::max(takes, disks_.sync(volume));
    return takes;
  }
  base::checked(syscall(call, descriptor), "syncing a file");
  if (machine)
    for (const auto& [volume, plug] : machine->plugs)
      if (const auto time = disks_.synced(volume, descriptor, call == SYS_syncfs)) return *time;
  return kSyncLatency;
}

std::vector<dev_t> Devices::own_disks(const Machine& machine) const {
  std::vector<dev_t> out;
  for (const auto& [volume, plug] : machine.plugs)
    if (const auto device = disks_.block_device(volume)) out.push_back(*device);
  return out;
}

// With the host's rights, where the descriptor is one of the guest's own disks or a file on it.
std::optional<int> Devices::control(const Machine& machine, int descriptor, std::uint32_t request,
                                    std::uint64_t argument) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return {};
  const dev_t disk = S_ISBLK(file.st_mode) ? file.st_rdev : file.st_dev;
  const std::vector<dev_t> own = own_disks(machine);
  if (std::ranges::find(own, disk) == own.end()) return {};
  // What the disk reads ahead depends on real time (disk_image.h): it stays as it is.
  if (request == BLKRASET) return 0;
  return ioctl(descriptor, request, argument) == 0 ? 0 : errno;
}

std::optional<int> Devices::mount(const Machine& machine, const MountCall& call) {
  if (context_.config.level == Level::kRoot && (call.flags & MS_REMOUNT) != 0) {
    MountCall timeless = call;
    if ((call.flags & MS_BIND) == 0)
      for (const auto& [volume, plug] : machine.plugs) timeless = disks_.remount(volume, timeless);
    return remount(timeless, own_disks(machine));
  }
  for (const auto& [volume, plug] : machine.plugs) {
    const bool named = std::ranges::any_of(plug.names, [&](const std::string& name) {
      return guest_name(call.source) == name || call.source == device_path(machine, name);
    });
    if (!named) continue;
    if (context_.config.level != Level::kRoot) return disks_.mount(volume, call.tid, call.target);
    if (const auto result = disks_.mount_device(volume, call, machine.sandbox.inside()))
      return result;
    break;
  }
  if (!context_.isolated()) return {};
  return objection_to(call, machine.sandbox.root());
}

std::optional<int> Devices::unmount(Machine* machine, pid_t task, const std::string& target) {
  if (disks_.unmount(task, target)) return 0;
  if (machine)
    for (const auto& [volume, plug] : machine->plugs)
      machine->unmounted =
          std::max(machine->unmounted,
                   context_.simulation.now() + disks_.unmount_time(volume, task, target));
  return {};
}

// Before the guest makes it.
void Devices::make_fifo(const Machine& machine, const fs::path& fifo) {
  const auto below = open_nearest_folder(machine.sandbox.root(), fifo.parent_path());
  if (!below || !is_overlay(below.get())) return;
  disk_times_.leave_overlays(machine.sandbox.inside());
  if (context_.config.say)
    context_.config.say(
        "file times: " + machine.name + " made the FIFO " + fifo.string() +
        " on its root disk: what it writes there from now on has the machine's own times, "
        "not virtual"
        " ones; FIFOs below /tmp and /run do not have this effect");
}

std::string Devices::disk_of(const std::string& name, const std::string& path) const {
  const Machine* const machine = machines_.find(name);
  if (!machine || machine->instance.empty()) return "";
  // A service decides what becomes of its containers' files.
  if (machine->output) return "";
  const base::FileDescriptor nearest = open_nearest_folder(machine->sandbox.root(), path);
  if (!nearest) return "";
  for (const auto& [volume, plug] : machine->plugs)
    if (disks_.holds(volume, nearest.get())) return volume.value;
  return "root";
}

void Devices::let_go(Machine& machine) {
  for (auto& [volume, plug] : machine.plugs) {
    disks_.wait_until_free(volume);
    disks_.unplug(volume);
    if (plug.released) context_.simulation.after({}, std::move(plug.released));
  }
  machine.plugs.clear();
}

void Devices::plug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                   const std::string& name, DiskLinks links) {
  Machine* const found = machines_.find(instance.value);
  if (!found) return;  // it powered off; its end detaches the volume
  Machine& machine = *found;
  context_.supervisor.wake(machine.guest);
  const cloud::Instance& own = context_.cloud_of(instance).instance(instance);
  std::set<std::string> used;
  for (const auto& [other, plug] : machine.plugs) used.insert(plug.names.front());
  const std::string point = guest_name(name);
  const std::string device =
      volume_device(market::is_on_nitro(own.spec.instance_type), point, used);
  const std::vector<std::string> names = volume_names(device, point, volume.value, links);
  for (const std::string& each : names)
    fs::create_directories(device_path(machine, each).parent_path());
  disks_.plug(volume, device_path(machine, device));
  for (std::size_t link = 1; link < names.size(); ++link) {
    const fs::path place = device_path(machine, names[link]);
    std::error_code exists;
    fs::create_symlink(fs::path(device).lexically_relative(fs::path(names[link]).parent_path()),
                       place, exists);
  }
  machine.plugs[volume] = {.names = names};
  kernel_.show_volume(machine, volume);
}

void Devices::show_again(const cloud::Volume& volume) {
  if (!volume.attachment) return;
  Machine* const machine = machines_.find(volume.attachment->instance.value);
  if (!machine || !machine->plugs.contains(volume.id)) return;
  kernel_.hide_volume(*machine, machine->plugs.at(volume.id).names.front());
  kernel_.show_volume(*machine, volume.id);
}

void Devices::unplug(const cloud::VolumeId& volume, const cloud::InstanceId& instance, bool force,
                     std::function<void()> released) {
  Machine* const found = machines_.find(instance.value);
  if (!found || !found->plugs.contains(volume)) {
    context_.simulation.after({}, std::move(released));
    return;
  }
  Machine& machine = *found;
  machine.plugs.at(volume).released = std::move(released);
  if (!force) return release_when_unmounted(machine.name, volume);
  context_.supervisor.wake(machine.guest);
  disks_.cut_off(volume, machine.sandbox.inside());
  take_device(machine, volume);
}

}  // namespace sim::guest
