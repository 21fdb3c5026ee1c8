#include "sim/guest/disks/disk_times.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <set>
#include <utility>

#include "base/process/quiet_thread.h"
#include "base/process/system_call.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

constexpr std::uint64_t kChanges =
    FAN_MODIFY | FAN_ATTRIB | FAN_CREATE | FAN_DELETE | FAN_MOVED_FROM | FAN_MOVED_TO | FAN_ONDIR;

void mark_overlay(int group, unsigned how, int root) {
  fanotify_mark(group, how | FAN_MARK_FILESYSTEM, FAN_MODIFY, root, ".");
}

// Calls `visit` with each file system that the guest can write to and that the host does not have,
// together with one of its folders and its kind.
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

DiskTimes::DiskTimes(const Simulation& simulation, bool lockstep)
    : simulation_(simulation),
      lockstep_(lockstep),
      changed_(true),
      written_(fanotify_init(FAN_CLOEXEC | FAN_NONBLOCK | FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS,
                             O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_LARGEFILE)),
      end_(base::checked(eventfd(0, EFD_CLOEXEC), "making an eventfd")),
      any_(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching disks")) {
  for (const int from : {changed_.descriptor(), written_.get(), end_.get()}) {
    epoll_event heard{.events = EPOLLIN, .data = {.fd = from}};
    if (from >= 0)
      base::checked(epoll_ctl(any_.get(), EPOLL_CTL_ADD, from, &heard), "watching disks");
  }
}

DiskTimes::~DiskTimes() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  static_cast<void>(!write(end_.get(), &one, sizeof one));
  thread_.join();
}

void DiskTimes::begin() {
  if (thread_.joinable()) return;
  thread_ = base::quiet_thread([this] { work(); });
  if (lockstep_) precede_lockstep(thread_);
}

void DiskTimes::work() {
  for (;;) {
    epoll_event ready{};
    if (epoll_wait(any_.get(), &ready, 1, -1) < 1) continue;
    if (ready.data.fd == end_.get()) return;
    const std::lock_guard lock(mutex_);
    hear();
  }
}

bool DiskTimes::settle() {
  if (!thread_.joinable()) return false;  // nothing is watched
  const std::lock_guard lock(mutex_);     // the thread may wait for a disk
  return !lockstep_ && hear();
}

void DiskTimes::watch(pid_t init) {
  begin();
  each_own(init, [this](const MountedFileSystem& mount, int root, auto kind) {
    if (kind == OVERLAYFS_SUPER_MAGIC) mark_overlay(written_.get(), FAN_MARK_ADD, root);
    if (kind != TMPFS_MAGIC || !changed_.watch(root, kChanges)) return;
    const std::lock_guard lock(mutex_);
    mounted_.emplace(filesystem_id(root), mount);
  });
}

void DiskTimes::watch(const MountedFileSystem& volume) {
  begin();
  MountedFileSystem of = volume;
  const base::FileDescriptor root = open_root(of);
  if (!root || !changed_.watch(root.get(), kChanges)) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(mounted_, [&of](const auto& entry) { return entry.second.device == of.device; });
  mounted_.emplace(filesystem_id(root.get()), of);
}

void DiskTimes::forget(pid_t init) {
  const std::lock_guard lock(mutex_);
  std::erase_if(mounted_, [init](const auto& entry) { return entry.second.init == init; });
}

void DiskTimes::leave_overlays(pid_t init) {
  each_own(init, [this](const MountedFileSystem&, int root, auto kind) {
    if (kind == OVERLAYFS_SUPER_MAGIC) mark_overlay(written_.get(), FAN_MARK_REMOVE, root);
  });
}

bool DiskTimes::hear() {
  times_.changed_by(simulation_.now());
  const bool written = hear_written();
  return hear_changed() || written;
}

bool DiskTimes::hear_written() {
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

bool DiskTimes::hear_changed() {
  std::map<std::uint64_t, std::set<FileId>> files;
  const bool any = changed_.take(
      [&files](const FileEvent& event) { files[event.filesystem].insert(event.file); });
  for (const auto& [filesystem, ids] : files) {
    const auto [first, last] = mounted_.equal_range(filesystem);
    for (auto at = first; at != last; ++at) {
      const base::FileDescriptor root = open_root(at->second);
      if (!root) continue;
      for (const FileId& id : ids)
        if (const auto file = open_file(root.get(), id, O_PATH)) times_.set(file.get());
    }
  }
  return any;
}

}  // namespace sim::guest
