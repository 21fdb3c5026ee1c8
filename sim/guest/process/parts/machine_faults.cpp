#include "sim/guest/process/parts/machine_faults.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/guest/disks/disk_trouble.h"
#include "sim/guest/process/bad_memory.h"
#include "sim/guest/process/console/process_status.h"
#include "sim/guest/process/files/machine_files.h"
#include "sim/guest/time/tasks.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;
using What = GuestFault::What;

std::string name_of(pid_t pid) {
  std::ifstream comm("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(comm, name);
  return name;
}

std::vector<pid_t> processes_of(const Sandbox& sandbox) {
  std::vector<TaskState> tasks;
  descendants_of(sandbox.init())->look(Look::kEveryTask, tasks);
  std::vector<pid_t> found;
  for (const TaskState& task : tasks)
    if (task.tid != sandbox.init() && fs::exists("/proc/" + std::to_string(task.tid)))
      found.push_back(task.tid);
  return found;
}

// A fork of the simulator, such as the one that runs an instance's boot.
bool is_of_ours(pid_t pid) {
  std::error_code gone;
  return fs::equivalent("/proc/" + std::to_string(pid) + "/exe", "/proc/self/exe", gone);
}

// The processes of this name; the kernel keeps 15 letters of it. If the scenario does not name the
// trainer, it is spottrain, else the process with the most memory.
std::vector<pid_t> programs_of(const Sandbox& sandbox, const std::string& name) {
  const std::string wanted = (name.empty() ? std::string("spottrain") : name).substr(0, 15);
  std::vector<pid_t> all = processes_of(sandbox), found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](pid_t pid) { return name_of(pid) == wanted; });
  if (!name.empty() || !found.empty()) return found;
  std::erase_if(all, is_of_ours);
  const auto most = std::ranges::max_element(
      all, {}, [](pid_t pid) { return std::stoll(status_of(pid, "VmRSS")); });
  if (most != all.end()) found.push_back(*most);
  return found;
}

void signal_programs(const Sandbox& sandbox, const std::string& name, int signal) {
  for (const pid_t pid : programs_of(sandbox, name)) kill(pid, signal);
}

// None where there is no such folder.
std::set<std::string> names_in(const base::FileDescriptor& folder) {
  std::set<std::string> names;
  if (!folder) return names;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd/" + std::to_string(folder.get())))
    names.insert(entry.path().filename());
  return names;
}

// The newest file of the folder with a matching name; among equally new ones the last by name.
std::optional<std::string> newest(const base::FileDescriptor& folder, const std::string& pattern) {
  std::optional<std::string> found;
  timespec best{};
  for (const std::string& name : names_in(folder)) {
    struct stat status {};
    if (fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) != 0 ||
        fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    const timespec& time = status.st_mtim;
    if (found && std::pair(time.tv_sec, time.tv_nsec) < std::pair(best.tv_sec, best.tv_nsec))
      continue;
    found = name;
    best = time;
  }
  return found;
}

void flip_a_bit(int file, std::int64_t at) {
  char byte = 0;
  if (pread(file, &byte, 1, at) != 1) return;
  byte = static_cast<char>(byte ^ 1);
  if (pwrite(file, &byte, 1, at) != 1) return;
}

void damage(const Sandbox& sandbox, const GuestFault& fault) {
  const fs::path path(fault.path);
  const base::FileDescriptor folder =
      open_in(sandbox.root(), path.parent_path(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder.get() < 0) return;
  const auto name = newest(folder, path.filename());
  if (!name) return;
  // It is on the disk: a power cut that comes soon would else mend it.
  if (fault.damage == GuestFault::Damage::kRemoved) {
    unlinkat(folder.get(), name->c_str(), 0);
    fsync(folder.get());
    return;
  }
  const base::FileDescriptor file(
      openat(folder.get(), name->c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (file.get() < 0) return;
  struct stat status {};
  if (fault.damage == GuestFault::Damage::kFlipped)
    flip_a_bit(file.get(), fault.byte);
  else if (fstat(file.get(), &status) == 0 && status.st_size > fault.byte)
    static_cast<void>(!ftruncate(file.get(), fault.byte));
  fsync(file.get());
}

}  // namespace

MachineFaults::MachineFaults(HostContext& context, const Machines& machines, Disks& disks,
                             Consoles& consoles)
    : context_(context), machines_(machines), disks_(disks), consoles_(consoles) {}

// As the kernel's oom_kill.c says it.
void MachineFaults::kill_for_memory(const Machine& machine, const std::string& program) {
  const Duration up = context_.simulation.now() -
                      context_.cloud_of(machine.instance).instance(machine.instance).launched_at;
  for (const pid_t pid : programs_of(machine.sandbox, program)) {
    std::ofstream(consoles_.of(machine.name).path(), std::ios::app) << fmt::format(
        "[{:12.6f}] Out of memory: Killed process {} ({}) total-vm:{}kB, anon-rss:{}kB, "
        "file-rss:{}kB, shmem-rss:{}kB, UID:{} pgtables:{}kB oom_score_adj:0\n",
        seconds(up), status_of(pid, "NSpid"), name_of(pid), status_of(pid, "VmSize"),
        status_of(pid, "RssAnon"), status_of(pid, "RssFile"), status_of(pid, "RssShmem"),
        status_of(pid, "Uid"), status_of(pid, "VmPTE"));
    kill(pid, SIGKILL);
  }
}

void MachineFaults::trouble_disks(Machine& machine, const GuestFault& fault) {
  for (auto& [volume, plug] : machine.plugs) {
    const base::FileDescriptor root = disks_.open_mounted(volume, machine.sandbox.inside());
    if (!root) continue;
    if (fault.what == What::kDiskFull) {
      guest::fill(root.get());
      plug.full = true;
    } else if (fault.what == What::kDiskErrors || !make_read_only(root.get())) {
      disks_.sync(volume);
      guest::shut_down(root.get());
    }
  }
  if (fault.what != What::kDiskFull) return;
  machine.full_until = std::max(machine.full_until, context_.simulation.now() + fault.lasts);
  context_.simulation.after(fault.lasts, [this, name = machine.name] {
    Machine* const still = machines_.find(name);
    if (still && context_.simulation.now() >= still->full_until) make_room(*still);
  });
}

void MachineFaults::make_room(Machine& machine) {
  for (auto& [volume, plug] : machine.plugs) {
    if (!std::exchange(plug.full, false)) continue;
    if (const auto root = disks_.open_mounted(volume, machine.sandbox.inside()))
      guest::make_room(root.get());
  }
}

// Clones come from folders of ours, whatever the URL is.
void MachineFaults::hide_code(Duration lasts) {
  const fs::path shown = context_.folder.path() / "repositories",
                 hidden = context_.folder.path() / "unreachable";
  const auto move = [](const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const auto& entry : fs::directory_iterator(from))
      if (entry.is_directory() && !entry.is_symlink())
        fs::rename(entry.path(), to / entry.path().filename());
  };
  code_hidden_until_ = std::max(code_hidden_until_, context_.simulation.now() + lasts);
  move(shown, hidden);
  context_.simulation.after(lasts, [this, move, shown, hidden] {
    if (context_.simulation.now() >= code_hidden_until_) move(hidden, shown);
  });
}

void MachineFaults::skew_clock(Machine& machine, const GuestFault& fault) {
  context_.supervisor.set_clock_skew(machine.guest, fault.skew);
  machine.skewed_until = std::max(machine.skewed_until, context_.simulation.now() + fault.lasts);
  context_.simulation.after(fault.lasts, [this, name = machine.name] {
    const Machine* const still = machines_.find(name);
    if (still && context_.simulation.now() >= still->skewed_until)
      context_.supervisor.set_clock_skew(still->guest, {});
  });
}

void MachineFaults::cut_power_at(const cloud::InstanceId& instance, FileCut cut) {
  std::set<std::string> there;
  const Machine* const machine = machines_.find(instance.value);
  if (cut.again && machine)
    there = names_in(
        open_in(machine->sandbox.root(), fs::path(cut.path).parent_path(), O_RDONLY | O_DIRECTORY));
  cuts_[instance].push_back({std::move(cut), std::move(there)});
}

std::optional<PowerCut> MachineFaults::on_write(Machine& machine, pid_t tid, int descriptor) {
  const auto at = cuts_.find(machine.instance);
  if (at == cuts_.end()) return {};
  std::error_code gone;
  const fs::path file =
      fs::read_symlink("/proc/" + std::to_string(tid) + "/fd/" + std::to_string(descriptor), gone);
  const FileCut* first = nullptr;  // the first one that matches the file
  for (const auto& [cut, there] : at->second)
    if (fnmatch(cut.path.c_str(), file.c_str(), FNM_PATHNAME) == 0 &&
        (!cut.again || there.contains(file.filename())) && (!first || cut.bytes < first->bytes))
      first = &cut;
  if (!first) return {};
  return PowerCut{first->bytes, [this, machine = &machine, cut = *first] {
                    cuts_.erase(machine->instance);
                    if (cut.flushed)
                      for (const auto& [volume, plug] : machine->plugs) disks_.sync(volume);
                    context_.simulation.after({}, cut.cut);
                  }};
}

void MachineFaults::inflict(const cloud::InstanceId& instance, const GuestFault& fault) {
  if (fault.what == What::kCodeUnreachable) return hide_code(fault.lasts);
  if (fault.what == What::kSlowRestore) return disks_.slow_next_restores(fault.factor, fault.times);
  Machine* const found = machines_.find(instance.value);
  if (!found) return;
  Machine& machine = *found;
  context_.supervisor.wake(machine.guest);
  switch (fault.what) {
    case What::kCrash:
      return signal_programs(machine.sandbox, fault.program, SIGKILL);
    case What::kHang:
      return signal_programs(machine.sandbox, fault.program, SIGSTOP);
    case What::kOutOfMemory:
      return kill_for_memory(machine, fault.program);
    case What::kBadMemory:
      for (const pid_t pid : programs_of(machine.sandbox, fault.program)) spoil_numbers(pid);
      return;
    case What::kDamage:
      return damage(machine.sandbox, fault);
    case What::kDiskFull:
    case What::kReadOnly:
    case What::kDiskErrors:
      return trouble_disks(machine, fault);
    case What::kPausedIo:
      for (const auto& [volume, plug] : machine.plugs)
        if (fault.volume.empty() || fault.volume == volume.value)
          disks_.pause(volume, context_.simulation.now() + fault.lasts);
      return;
    case What::kClockSkew:
      return skew_clock(machine, fault);
    case What::kSlowRestore:
    case What::kCodeUnreachable:
    case What::kTornWrite:
    case What::kReboot:
    case What::kDamageVolume:
      return;  // above, and functions of their own
  }
}

}  // namespace sim::guest
