// Volumes in machines: devices that come and go, and the time that their transfers take.
#include <fcntl.h>
#include <fnmatch.h>
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

#include "base/system_call.h"
#include "sim/cloud/host.h"
#include "sim/guest/disks/device_names.h"
#include "sim/guest/disks/mounts.h"
#include "sim/guest/process/machine_files.h"
#include "sim/guest/process/process_host_state.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr Duration kUnmountLook = 1s;

std::string guest_name(const std::string& device) {
  return cloud::guest_device(device).value_or(device);
}

// An image's distribution shows in the user that all its instances have.
DiskLinks links_of(const ImageLayers& image) {
  return std::ranges::find(image.users(), "ec2-user", &User::name) != image.users().end()
             ? DiskLinks::kOfAmazonLinux
             : DiskLinks::kNone;
}

// Kinds of file systems that lie on a device, by this kernel's own list.
bool is_on_device(const std::string& filesystem) {
  std::ifstream in("/proc/filesystems");
  for (std::string line; std::getline(in, line);)
    if (line == "\t" + filesystem) return true;
  return false;
}

// Why a new mount of a device fails, as a machine's own kernel says it: a guest's root is told
// EPERM for such a file system before this kernel looks whether the device is there, or can be
// mounted.
std::optional<int> objection_to(const Supervisor::MountCall& call, const fs::path& root) {
  constexpr unsigned long kNotNew =
      MS_REMOUNT | MS_BIND | MS_MOVE | MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE;
  if ((call.flags & kNotNew) != 0 || !is_on_device(call.filesystem)) return {};
  const base::FileDescriptor device = open_in(root, call.source, O_PATH);
  struct stat found {};
  if (!device || fstat(device.get(), &found) != 0) return ENOENT;
  return S_ISBLK(found.st_mode) ? EINVAL : ENOTBLK;
}

}  // namespace

Machine* ProcessHost::State::machine_of(int guest) {
  const auto at = machine_of_guest.find(guest);
  return at == machine_of_guest.end() ? nullptr : at->second;
}

RootDisk ProcessHost::State::root_disk_of(const cloud::Instance& instance) const {
  const auto& volumes = backend->cloud.volumes();
  const auto root = std::ranges::find_if(volumes, [&](const auto& entry) {
    return entry.second.root && entry.second.attachment &&
           entry.second.attachment->instance == instance.id;
  });
  SIM_CHECK(root != volumes.end());
  return root_disk(has_nvme_disks(instance.spec.instance_type),
                   std::int64_t{root->second.size_gib} << 30, root->first.value);
}

// Without namespaces the guest's devices lie in its own folder.
fs::path ProcessHost::State::device_path(const Machine& machine, const std::string& device) const {
  const fs::path root = has_namespaces(config.level) ? machine.sandbox.root()
                                                     : folder.path() / "guests" / machine.name;
  return root / fs::path(device).relative_path();
}

void ProcessHost::State::take_device(Machine& machine, const cloud::VolumeId& volume) {
  supervisor.wake(machine.guest);
  const auto plug = machine.plugs.extract(volume);
  disks.unplug(volume);
  const std::vector<std::string>& names = plug.mapped().names;
  hide_volume(machine, names.front());
  std::error_code ignored;
  for (std::size_t link = 1; link < names.size(); ++link)
    fs::remove(device_path(machine, names[link]), ignored);
  if (plug.mapped().released) simulation.after({}, plug.mapped().released);
}

// Looks once a virtual second, for as long as the machine lives: its end releases all.
void ProcessHost::State::release_when_unmounted(const std::string& name,
                                                const cloud::VolumeId& volume) {
  const auto at = machines.find(name);
  if (at == machines.end()) return;
  Machine& machine = *at->second;
  if (!machine.plugs.contains(volume)) return;
  if (!disks.mounted(volume, machine.sandbox.inside())) return take_device(machine, volume);
  simulation.after(kUnmountLook, [this, name, volume] { release_when_unmounted(name, volume); });
}

Duration ProcessHost::State::charge(int guest) {
  Machine* machine = machine_of(guest);
  if (!machine) return {};
  for (const fs::path& path : std::exchange(machine->written_through, {}))
    if (const auto file = open_in(machine->sandbox.root(), path, O_PATH))
      for (const auto& [volume, plug] : machine->plugs) disks.write_through(volume, file.get());
  const Time now = simulation.now();
  Time until = std::max(now, std::exchange(machine->unmounted, {}));
  for (const auto& [volume, plug] : machine->plugs) until = disks.done(volume, until);
  return until - now;
}

// Not where each line of a log is to have the time at which it was written.
bool ProcessHost::State::lendable(int guest) {
  const Machine* machine = machine_of(guest);
  return !config.progress &&
         (!machine || (machine->written_through.empty() &&
                       std::ranges::all_of(machine->plugs, [this](const auto& plug) {
                         return disks.reads_are_told(plug.first);
                       })));
}

Duration ProcessHost::State::sync(int guest, int descriptor, int call) {
  const Machine* machine = machine_of(guest);
  if (call == SYS_sync) {
    Duration takes{};
    if (machine)
      for (const auto& [volume, plug] : machine->plugs) takes = std::max(takes, disks.sync(volume));
    return takes;
  }
  base::checked(syscall(call, descriptor), "syncing a file");
  if (machine)
    for (const auto& [volume, plug] : machine->plugs)
      if (const auto time = disks.synced(volume, descriptor, call == SYS_syncfs)) return *time;
  return kSyncLatency;
}

// At kRoot, else none.
std::vector<dev_t> ProcessHost::State::own_disks(const Machine& machine) const {
  std::vector<dev_t> out;
  for (const auto& [volume, plug] : machine.plugs)
    if (const auto device = disks.block_device(volume)) out.push_back(*device);
  return out;
}

// With the host's rights, where the descriptor is one of the guest's own disks or a file on it.
std::optional<int> ProcessHost::State::control(int guest, int descriptor, std::uint32_t request,
                                               std::uint64_t argument) {
  const Machine* machine = machine_of(guest);
  struct stat file {};
  if (!machine || fstat(descriptor, &file) != 0) return {};
  const dev_t disk = S_ISBLK(file.st_mode) ? file.st_rdev : file.st_dev;
  const std::vector<dev_t> own = own_disks(*machine);
  if (std::ranges::find(own, disk) == own.end()) return {};
  // What the disk reads ahead depends on real time (disk_image.h): it stays as it is.
  if (request == BLKRASET) return 0;
  return ioctl(descriptor, request, argument) == 0 ? 0 : errno;
}

std::optional<int> ProcessHost::State::mount(const Supervisor::MountCall& call) {
  const Machine* machine = machine_of(call.guest);
  if (!machine) return {};
  if (config.level == Level::kRoot && (call.flags & MS_REMOUNT) != 0) {
    Supervisor::MountCall timeless = call;
    if ((call.flags & MS_BIND) == 0)
      for (const auto& [volume, plug] : machine->plugs) timeless = disks.remount(volume, timeless);
    return remount(timeless, own_disks(*machine));
  }
  for (const auto& [volume, plug] : machine->plugs) {
    const bool named = std::ranges::any_of(plug.names, [&](const std::string& name) {
      return guest_name(call.source) == name || call.source == device_path(*machine, name);
    });
    if (!named) continue;
    if (config.level != Level::kRoot) return disks.mount(volume, call.tid, call.target);
    if (const auto result = disks.mount_device(volume, call, machine->sandbox.inside()))
      return result;
    break;
  }
  if (!has_namespaces(config.level)) return {};
  return objection_to(call, machine->sandbox.root());
}

std::optional<int> ProcessHost::State::unmount(int guest, pid_t task, const std::string& target) {
  Machine* const machine = machine_of(guest);
  if (machine && machine->progress) machine->progress->reader->look_at_files();
  if (machine) make_room(*machine);
  if (disks.unmount(task, target)) return 0;
  if (machine)
    for (const auto& [volume, plug] : machine->plugs)
      machine->unmounted =
          std::max(machine->unmounted, simulation.now() + disks.unmount_time(volume, task, target));
  return {};
}

std::optional<Supervisor::PowerCut> ProcessHost::State::watched(int guest, pid_t tid,
                                                                int descriptor) {
  Machine* machine = machine_of(guest);
  const auto at = machine ? cuts.find(machine->instance) : cuts.end();
  if (at == cuts.end()) return {};
  std::error_code gone;
  const fs::path file =
      fs::read_symlink("/proc/" + std::to_string(tid) + "/fd/" + std::to_string(descriptor), gone);
  const FileCut* first = nullptr;  // of those that the file fits
  for (const auto& [cut, there] : at->second)
    if (fnmatch(cut.path.c_str(), file.c_str(), FNM_PATHNAME) == 0 &&
        (!cut.again || there.contains(file.filename())) && (!first || cut.bytes < first->bytes))
      first = &cut;
  if (!first) return {};
  return Supervisor::PowerCut{first->bytes, [this, machine, cut = *first] {
                                cuts.erase(machine->instance);
                                if (cut.flushed)
                                  for (const auto& [volume, plug] : machine->plugs)
                                    disks.sync(volume);
                                simulation.after({}, cut.cut);
                              }};
}

// Before the guest makes it.
void ProcessHost::State::make_fifo(const Machine& machine, const fs::path& fifo) {
  const auto below = open_nearest_folder(machine.sandbox.root(), fifo.parent_path());
  if (!below || !is_overlay(below.get())) return;
  disk_times.leave_overlays(machine.sandbox.inside());
  if (config.say)
    config.say("file times: " + machine.name + " made the FIFO " + fifo.string() +
               " on its root disk: what it writes there from now on has the machine's own times, "
               "not virtual"
               " ones; FIFOs below /tmp and /run do not have this effect");
}

std::string ProcessHost::State::disk_of(const std::string& name, const std::string& path) const {
  const auto at = machines.find(name);
  if (at == machines.end() || at->second->instance.empty()) return "";
  const Machine& machine = *at->second;
  // A service decides what becomes of its containers' files.
  if (machine.output) return "";
  const base::FileDescriptor nearest = open_nearest_folder(machine.sandbox.root(), path);
  if (!nearest) return "";
  for (const auto& [volume, plug] : machine.plugs)
    if (disks.holds(volume, nearest.get())) return volume.value;
  return "root";
}

void ProcessHost::create_disk(const cloud::Volume& volume) { state_->disks.create(volume); }
void ProcessHost::delete_disk(const cloud::VolumeId& volume) { state_->disks.remove(volume); }
std::int64_t ProcessHost::snapshot_disk(const cloud::SnapshotId& snapshot,
                                        const cloud::VolumeId& volume) {
  return state_->disks.snapshot(snapshot, volume);
}
void ProcessHost::delete_snapshot_disk(const cloud::SnapshotId& snapshot) {
  state_->disks.remove(snapshot);
}

void ProcessHost::plug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                       const std::string& name) {
  State& s = *state_;
  const auto at = s.machines.find(instance.value);
  if (at == s.machines.end()) return;  // it powered off; its end detaches the volume
  Machine& machine = *at->second;
  s.supervisor.wake(machine.guest);
  const cloud::Instance& own = s.backend->cloud.instance(instance);
  std::set<std::string> used;
  for (const auto& [other, plug] : machine.plugs) used.insert(plug.names.front());
  const std::string point = guest_name(name);
  const std::string device = volume_device(has_nvme_disks(own.spec.instance_type), point, used);
  const std::vector<std::string> names =
      volume_names(device, point, volume.value, links_of(s.image_of(own)));
  for (const std::string& each : names)
    fs::create_directories(s.device_path(machine, each).parent_path());
  s.disks.plug(volume, s.device_path(machine, device));
  for (std::size_t link = 1; link < names.size(); ++link) {
    const fs::path place = s.device_path(machine, names[link]);
    std::error_code exists;
    fs::create_symlink(fs::path(device).lexically_relative(fs::path(names[link]).parent_path()),
                       place, exists);
  }
  machine.plugs[volume] = {.names = names};
  s.show_volume(machine, volume);
}

void ProcessHost::unplug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                         bool force, std::function<void()> released) {
  State& s = *state_;
  const auto at = s.machines.find(instance.value);
  if (at == s.machines.end() || !at->second->plugs.contains(volume)) {
    s.simulation.after({}, std::move(released));
    return;
  }
  Machine& machine = *at->second;
  machine.plugs.at(volume).released = std::move(released);
  if (!force) return s.release_when_unmounted(machine.name, volume);
  s.supervisor.wake(machine.guest);
  s.disks.cut_off(volume, machine.sandbox.inside());
  s.take_device(machine, volume);
}

}  // namespace sim::guest
