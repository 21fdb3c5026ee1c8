#include "sim/guest/disks/mounts.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Runs `action` in a child in the mount namespace of `pid`; returns its errno.
int in_mount_namespace(pid_t pid, const std::function<int()>& action) {
  const std::string file = "/proc/" + std::to_string(pid) + "/ns/mnt";
  const base::FileDescriptor space(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!space) return errno;
  const pid_t child = base::checked(fork(), "entering a guest");
  if (child == 0) _exit(setns(space.get(), CLONE_NEWNS) == 0 ? action() : errno);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

// The same in the task's current folder, for relative paths.
int where_the_task_is(pid_t task, const std::function<int()>& action) {
  const std::string cwd = "/proc/" + std::to_string(task) + "/cwd";
  const base::FileDescriptor at(open(cwd.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!at) return errno;
  return in_mount_namespace(task, [&] { return fchdir(at.get()) == 0 ? action() : errno; });
}

// A mount of the host's file or folder that another namespace can take.
base::FileDescriptor detached_mount(const fs::path& of) {
  return base::FileDescriptor(
      base::checked(open_tree(AT_FDCWD, of.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC),
                    "making a mount of " + of.string()));
}

int move_here(const base::FileDescriptor& mount, const fs::path& target) {
  return move_mount(mount.get(), "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0
             ? 0
             : errno;
}

// "/proc/PID/root/dev/xvdf" → PID and "/dev/xvdf"; PID 0 for any other path.
std::pair<pid_t, fs::path> in_guest(const fs::path& device) {
  std::istringstream in(device.string());
  pid_t pid = 0;
  if (in.ignore(6) >> pid && device.string().starts_with("/proc/")) {
    const std::string root = "/proc/" + std::to_string(pid) + "/root";
    return {pid, device.string().substr(root.size())};
  }
  return {0, device};
}

bool leads_to(const fs::path& link, const fs::path& folder) {
  std::error_code gone;
  return fs::read_symlink(link, gone) == folder;
}

}  // namespace

base::FileDescriptor open_root(MountedFileSystem& mounted) {
  const fs::path root = "/proc/" + std::to_string(mounted.init) + "/root";
  const auto opened = [&](const fs::path& point) {
    base::FileDescriptor at(
        open((root / point.relative_path()).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat as {};
    const bool is_it = at && fstat(at.get(), &as) == 0 && as.st_dev == mounted.device;
    return is_it ? std::move(at) : base::FileDescriptor();
  };
  if (!mounted.point.empty())
    if (auto at = opened(mounted.point)) return at;
  for (const base::MountEntry& mount : base::mounts_of(mounted.init)) {
    if (mount.device != mounted.device) continue;
    mounted.point = mount.point;
    if (auto at = opened(mounted.point)) return at;
  }
  return {};
}

void show_file(const fs::path& file, const fs::path& device) {
  const auto [pid, path] = in_guest(device);
  if (pid == 0) return fs::create_symlink(file, device);
  std::ofstream{device};
  const base::FileDescriptor mount = detached_mount(file);
  const fs::path& target = path;
  errno = in_mount_namespace(pid, [&] { return move_here(mount, target); });
  if (errno != 0) base::throw_errno("mounting " + device.string());
}

void hide_file(const fs::path& device) {
  const auto [pid, path] = in_guest(device);
  const fs::path& target = path;
  if (pid != 0)
    in_mount_namespace(pid, [&] { return umount2(target.c_str(), MNT_DETACH) == 0 ? 0 : errno; });
}

int show_folder(const fs::path& folder, pid_t task, const std::string& target) {
  const base::FileDescriptor mount = detached_mount(folder);
  return where_the_task_is(task, [&] { return move_here(mount, target); });
}

std::optional<int> mount_device(const MountCall& call) {
  static const std::set<std::string> on_disk{"ext2", "ext3", "ext4",     "xfs",     "btrfs",
                                             "f2fs", "vfat", "squashfs", "iso9660", "udf"};
  constexpr unsigned long kNotNew =
      MS_REMOUNT | MS_BIND | MS_MOVE | MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE;
  if ((call.flags & kNotNew) != 0 || !on_disk.contains(call.filesystem)) return {};
  std::string options = call.options;
  const auto add = [&options](const char* option) {
    options += (options.empty() ? "" : ",") + std::string(option);
  };
  if (call.filesystem == "xfs") add("nouuid");
  // The last errors= option applies, and it overrides the setting in the file system.
  if (call.filesystem.starts_with("ext") && (options.find("errors=") == std::string::npos ||
                                             options.find("errors=panic") != std::string::npos))
    add("errors=remount-ro");
  return where_the_task_is(call.tid, [&] {
    return mount(call.source.c_str(), call.target.c_str(), call.filesystem.c_str(),
                 call.flags | MS_NODEV, options.c_str()) == 0
               ? 0
               : errno;
  });
}

int remount(const MountCall& call, const std::vector<dev_t>& own_disks) {
  const std::string users = "/proc/" + std::to_string(call.tid) + "/ns/user";
  const base::FileDescriptor space(open(users.c_str(), O_RDONLY | O_CLOEXEC));
  if (!space) return errno;
  if (call.options.find("errors=panic") != std::string::npos) return EPERM;
  return where_the_task_is(call.tid, [&] {
    const base::FileDescriptor at(open(call.target.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat where {};
    if (!at || fstat(at.get(), &where) != 0 || fchdir(at.get()) != 0) return errno;
    const bool own = std::ranges::find(own_disks, where.st_dev) != own_disks.end();
    if (!own && setns(space.get(), CLONE_NEWUSER) != 0) return errno;
    const unsigned long flags = call.flags | MS_NODEV;
    return mount(nullptr, ".", nullptr, flags, call.options.c_str()) == 0 ? 0 : errno;
  });
}

bool shows(const base::MountEntry& mount, const fs::path& folder) {
  return mount.root.ends_with("/" + folder.filename().string());
}

bool is_shown(const fs::path& folder, pid_t init) {
  return std::ranges::any_of(base::mounts_of(init),
                             [&](const auto& m) { return shows(m, folder); });
}

void unmount_in(pid_t init, const std::string& point) {
  in_mount_namespace(init, [&] { return umount2(point.c_str(), 0) == 0 ? 0 : errno; });
}

bool is_below(int descriptor, const fs::path& folder) {
  struct stat wanted {
  }, here{}, before{};
  if (stat(folder.c_str(), &wanted) != 0 || fstat(descriptor, &here) != 0) return false;
  base::FileDescriptor at(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  const auto same = [](const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  };
  while (at && !same(here, wanted)) {
    before = here;
    at = base::FileDescriptor(openat(at.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!at || fstat(at.get(), &here) != 0 || same(here, before)) return false;  // the root
  }
  return static_cast<bool>(at);
}

int FolderLinks::link(const fs::path& folder, const fs::path& target) {
  std::error_code error;
  if (fs::is_symlink(target, error)) return EBUSY;
  if (!fs::is_directory(target, error)) return ENOTDIR;
  if (!fs::is_empty(target, error)) return error ? error.value() : ENOTEMPTY;
  fs::remove(target, error);
  if (!error) fs::create_directory_symlink(folder, target, error);
  if (!error) folders_[target] = folder;
  return error.value();
}

bool FolderLinks::unlink(const fs::path& target) {
  const auto at = folders_.find(target);
  if (at == folders_.end()) return false;
  const bool there = leads_to(target, at->second);
  folders_.erase(at);
  if (!there) return false;
  fs::remove(target);
  fs::create_directory(target);
  return true;
}

void FolderLinks::unlink_all(const fs::path& folder) {
  for (const auto& [link, of] : std::map(folders_))
    if (of == folder) unlink(link);
}

bool FolderLinks::linked(const fs::path& folder) const {
  for (const auto& [link, of] : folders_)
    if (of == folder && leads_to(link, folder)) return true;
  return false;
}

fs::path path_of(pid_t task, const std::string& written) {
  return (fs::read_symlink("/proc/" + std::to_string(task) + "/cwd") / written).lexically_normal();
}

}  // namespace sim::guest
