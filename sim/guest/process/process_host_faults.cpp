// What goes wrong inside of an instance: programs that end or hang, files that are damaged.
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/guest/process/machine_files.h"
#include "sim/guest/process/process_host.h"
#include "sim/guest/process/process_host_state.h"
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

// To every process of this name; the kernel keeps 15 letters of it.
void signal_programs(const Sandbox& sandbox, const std::string& name, int signal) {
  std::vector<TaskState> tasks;
  descendants_of(sandbox.init())->look(Look::kEveryTask, tasks);
  for (const TaskState& task : tasks) {
    const bool leader = fs::exists("/proc/" + std::to_string(task.tid));
    if (leader && task.tid != sandbox.init() && name_of(task.tid) == name.substr(0, 15))
      kill(task.tid, signal);
  }
}

// The newest file of the folder whose name fits; of equally new ones the last by name.
std::optional<std::string> newest(int folder, const std::string& pattern) {
  const fs::path listed = "/proc/self/fd/" + std::to_string(folder);
  std::optional<std::string> found;
  timespec best{};
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(listed)) names.insert(entry.path().filename());
  for (const std::string& name : names) {
    struct stat status {};
    if (fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) != 0 ||
        fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
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
  const auto name = newest(folder.get(), path.filename());
  if (!name) return;
  if (fault.damage == GuestFault::Damage::kRemoved) {
    unlinkat(folder.get(), name->c_str(), 0);
    return;
  }
  const base::FileDescriptor file(
      openat(folder.get(), name->c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (file.get() < 0) return;
  if (fault.damage == GuestFault::Damage::kFlipped) return flip_a_bit(file.get(), fault.byte);
  struct stat status {};
  if (fstat(file.get(), &status) == 0 && status.st_size > fault.byte)
    static_cast<void>(!ftruncate(file.get(), fault.byte));
}

}  // namespace

bool ProcessHost::can(What what) const {
  switch (what) {
    case What::kCrash:
    case What::kHang:
      return true;
    case What::kDamage:  // at kPlain a guest's files are the host's own
      return has_namespaces(state_->config.level);
    case What::kDiskFull:
    case What::kCodeUnreachable:
      break;
  }
  return false;
}

void ProcessHost::inflict(const cloud::InstanceId& instance, const GuestFault& fault) {
  State& s = *state_;
  const auto at = s.machines.find(instance.value);
  if (at == s.machines.end()) return;
  const Sandbox& sandbox = at->second->sandbox;
  if (fault.what == What::kDamage) return damage(sandbox, fault);
  signal_programs(sandbox, fault.program, fault.what == What::kHang ? SIGSTOP : SIGKILL);
  s.supervisor.wake(at->second->guest);
}

}  // namespace sim::guest
