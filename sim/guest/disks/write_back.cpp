#include "sim/guest/disks/write_back.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/process/system_call.h"
#include "sim/guest/disks/host_memory.h"

namespace sim::guest {
namespace {

// XFS_IOC_GOINGDOWN and EXT4_IOC_SHUTDOWN are one number, and so are their ways.
constexpr unsigned long kShutDownFileSystem = _IOR('X', 125, __u32);
constexpr __u32 kWithLog = 1, kWithoutLog = 2;
// EXT4_IOC_CHECKPOINT, of Linux 5.14: writes the log.
constexpr unsigned long kCheckpoint = _IOW('f', 43, __u32);

constexpr Duration kExt4Commit = 5s;       // default of ext4(5)
constexpr long kNeverCommits = 1'000'000;  // seconds, of the machine's own

bool is_ext(const std::string& filesystem) { return filesystem == "ext4" || filesystem == "ext3"; }

bool is_xfs(int root) {
  struct statfs as {};
  return fstatfs(root, &as) == 0 && as.f_type == XFS_SUPER_MAGIC;
}

// Writes names and sizes of all files to the disk, without data. The sync of a new unnamed file
// forces the log of every file system.
void write_log(int root) {
  __u32 flags = 0;
  if (ioctl(root, kCheckpoint, &flags) == 0) return;
  const base::FileDescriptor file(openat(root, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) fsync(file.get());
}

std::chrono::microseconds host_age() {
  std::ifstream in("/proc/sys/vm/dirty_expire_centisecs");
  std::int64_t hundredths = 0;
  in >> hundredths;
  return std::chrono::microseconds{hundredths * 10'000};
}

// Linux then writes data before its age is reached (vm.rst, dirty_background_ratio).
bool memory_is_short() {
  const long limit = host_memory("nr_dirty_background_threshold");
  return limit > 0 && host_memory("nr_dirty") + host_memory("nr_writeback") > limit;
}

}  // namespace

TimelessMount remount_without_timer(const MountCall& call) {
  TimelessMount out{call, {}};
  std::string options;
  std::istringstream in(call.options);
  for (std::string option; std::getline(in, option, ',');) {
    if (!option.starts_with("commit=")) {
      options += option + ",";
      continue;
    }
    const long seconds = std::strtol(option.c_str() + std::string("commit=").size(), nullptr, 10);
    if (seconds == 0) out.commit = kExt4Commit;  // its default
    if (seconds > 0 && seconds < kNeverCommits) out.commit = std::chrono::seconds{seconds};
  }
  // Without this option a kernel thread initialises a new file system's inode tables in real time,
  // and snapshots would differ by the tables written so far (ext4(5)).
  out.call.options = options + "noinit_itable,commit=" + std::to_string(kNeverCommits);
  return out;
}

TimelessMount without_timer(const MountCall& call) {
  if (!is_ext(call.filesystem)) return {call, {}};
  TimelessMount out = remount_without_timer(call);
  if (!out.commit) out.commit = kExt4Commit;
  return out;
}

WriteBack::WriteBack(const WriteBackSettings& settings, MountedFileSystem mount,
                     std::optional<Duration> commit, TimeOf time_of)
    : settings_(settings),
      mount_(std::move(mount)),
      commit_every_(commit),
      time_of_(std::move(time_of)),
      files_(open_root(mount_).get()) {
  if (deaf()) look_later(settings_.knobs.age);
}

WriteBack::~WriteBack() {
  for (const auto& event : {look_, commit_})
    if (event) settings_.simulation.cancel(*event);
}

bool WriteBack::hear() {
  if (!files_.hear(settings_.simulation.now())) return false;
  names_changed();
  if (!files_.empty() && !look_) look_later(settings_.knobs.look);
  return true;
}

void WriteBack::look_later(Duration wait) {
  look_ = settings_.simulation.after(wait, [this] { look(); });
}

void WriteBack::names_changed() {
  if (commit_every_ && !commit_)
    commit_ = settings_.simulation.after(*commit_every_, [this] { this->commit(); });
}

void WriteBack::look() {
  look_.reset();
  if (paused()) return look_later(paused_until_ - settings_.simulation.now());
  tell_if_host_was_first();
  if (deaf()) {
    sync_all();
    return look_later(settings_.knobs.age);
  }
  const base::FileDescriptor root = open_root(mount_);
  // The guest does not wait for these writes.
  files_.write_back(root.get(), settings_.simulation.now() - settings_.knobs.age,
                    [this](int file) { time_of_(file); });
  if (root) names_changed();
  if (!files_.empty()) look_later(settings_.knobs.look);
}

void WriteBack::commit() {
  commit_.reset();
  if (paused()) {
    commit_ = settings_.simulation.at(paused_until_, [this] { this->commit(); });
    return;
  }
  if (const auto root = open_root(mount_)) write_log(root.get());
}

void WriteBack::synced(int descriptor) {
  hear();
  files_.cleaned(descriptor);
}

Duration WriteBack::written_through(const std::set<FileId>& files) {
  hear();
  if (!files_.has_any(files)) return {};
  Duration takes{};
  const base::FileDescriptor root = open_root(mount_);
  files_.write_back(root.get(), files, [&](int file) { takes = std::max(takes, time_of_(file)); });
  return takes;
}

Duration WriteBack::sync_all() {
  const Duration takes = before_unmount();
  if (const auto root = open_root(mount_)) base::checked(syncfs(root.get()), "syncing a volume");
  files_.cleaned();
  return takes;
}

Duration WriteBack::before_unmount() {
  hear();
  Duration takes{};
  if (const auto root = open_root(mount_)) {
    files_.each(root.get(), [&](int file) { takes = std::max(takes, time_of_(file)); });
    files_.start_writes(root.get());
  }
  return takes;
}

void WriteBack::before_snapshot() {
  hear();
  tell_if_host_was_first();
  const auto root = open_root(mount_);
  if (!root) return;
  files_.finish_writes(root.get());
  if (is_xfs(root.get())) write_log(root.get());
}

void WriteBack::cut() {
  hear();
  tell_if_host_was_first();
  const auto root = open_root(mount_);
  if (!root) return;
  files_.finish_writes(root.get());
  __u32 how = is_xfs(root.get()) ? kWithLog : kWithoutLog;
  ioctl(root.get(), kShutDownFileSystem, &how);
}

void WriteBack::tell_if_host_was_first() {
  if (files_.empty()) return;
  const auto age = settings_.knobs.host_age.value_or(host_age());
  if (files_.real_age() >= age)
    settings_.say(
        "write-back: written data waited longer in real time than this machine lets it wait "
        "(vm.dirty_expire_centisecs): what a power cut keeps may differ from run to run");
  if (memory_is_short())
    settings_.say(
        "write-back: so much written data waits in this machine's memory that it writes by itself "
        "(vm.dirty_background_ratio): what a power cut keeps may differ from run to run");
}

}  // namespace sim::guest
