#include "sim/guest/disks/root_disk_times.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/epoll.h>
#include <sys/fanotify.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <set>
#include <utility>

#include "base/system_call.h"

namespace sim::guest {
namespace {

constexpr std::uint64_t kInMemory =
    FAN_MODIFY | FAN_ATTRIB | FAN_CREATE | FAN_DELETE | FAN_MOVED_FROM | FAN_MOVED_TO | FAN_ONDIR;

void mark_overlay(int group, unsigned how, int root) {
  fanotify_mark(group, how | FAN_MARK_FILESYSTEM, FAN_MODIFY, root, ".");
}

// Calls `visit` with each file system that the guest can write to and the host does not have, and
// with a folder of it and its kind.
template <typename Visit>
void each_own(pid_t init, const Visit& visit) {
  std::set<dev_t> seen;
  for (const base::MountEntry& mount : base::mounts_of(getpid())) seen.insert(mount.device);
  for (const base::MountEntry& mount : base::mounts_of(init)) {
    if (seen.contains(mount.device)) continue;
    MountedFileSystem of{.device = mount.device, .init = init, .point = mount.point};
    const base::FileDescriptor root = open_root(of);
    struct statfs as {};
    if (!root || fstatfs(root.get(), &as) != 0 || (as.f_flags & ST_RDONLY) != 0) continue;
    seen.insert(mount.device);
    visit(of, root.get(), as.f_type);
  }
}

}  // namespace

bool is_overlay(int file) {
  struct statfs as {};
  return fstatfs(file, &as) == 0 && as.f_type == OVERLAYFS_SUPER_MAGIC;
}

RootDiskTimes::RootDiskTimes()
    : changed_(true),
      written_(fanotify_init(FAN_CLOEXEC | FAN_NONBLOCK | FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS,
                             O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_LARGEFILE)),
      either_(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching root disks")) {
  epoll_event heard{.events = EPOLLIN, .data = {.u64 = 0}};
  for (const int events : {changed_.descriptor(), written_.get()})
    if (events >= 0)
      base::checked(epoll_ctl(either_.get(), EPOLL_CTL_ADD, events, &heard), "watching root disks");
}

void RootDiskTimes::watch(pid_t init) {
  each_own(init, [this](const MountedFileSystem& mount, int root, auto kind) {
    if (kind == OVERLAYFS_SUPER_MAGIC) mark_overlay(written_.get(), FAN_MARK_ADD, root);
    if (kind == TMPFS_MAGIC && changed_.watch(root, kInMemory))
      in_memory_.insert_or_assign(filesystem_id(root), mount);
  });
}

void RootDiskTimes::forget(pid_t init) {
  std::erase_if(in_memory_, [init](const auto& entry) { return entry.second.init == init; });
}

void RootDiskTimes::leave_overlays(pid_t init) {
  each_own(init, [this](const MountedFileSystem&, int root, auto kind) {
    if (kind == OVERLAYFS_SUPER_MAGIC) mark_overlay(written_.get(), FAN_MARK_REMOVE, root);
  });
}

bool RootDiskTimes::hear(Time now) {
  times_.changed_by(now);
  const bool written = hear_written();
  return hear_changed() || written;
}

bool RootDiskTimes::hear_written() {
  alignas(fanotify_event_metadata) std::array<char, 4096> buffer;
  bool any = false;
  for (ssize_t n; (n = read(written_.get(), buffer.data(), buffer.size())) > 0;) {
    const auto* event = reinterpret_cast<const fanotify_event_metadata*>(buffer.data());
    for (; FAN_EVENT_OK(event, n); event = FAN_EVENT_NEXT(event, n)) {
      const base::FileDescriptor file(event->fd);
      if (event->pid == getpid()) continue;
      any = true;
      times_.set(file.get());
    }
  }
  return any;
}

bool RootDiskTimes::hear_changed() {
  std::map<std::uint64_t, std::set<FileId>> files;
  const bool any = changed_.take(
      [&files](const FileEvent& event) { files[event.filesystem].insert(event.file); });
  for (const auto& [filesystem, ids] : files) {
    const auto at = in_memory_.find(filesystem);
    if (at == in_memory_.end()) continue;
    const base::FileDescriptor root = open_root(at->second);
    for (const FileId& id : ids)
      if (const auto file = open_file(root.get(), id, O_PATH)) times_.set(file.get());
  }
  return any;
}

}  // namespace sim::guest
