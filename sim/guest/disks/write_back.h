// Write-back: when data that a guest wrote, and did not sync, is on its volume. Linux decides this
// by real time, so a power cut would leave other files on a busy machine than on an idle one. Here
// virtual time decides. Disks makes a WriteBack for each file system that a guest mounts, passes on
// the guest's syncs, and calls cut() at a power cut and before_snapshot() at a snapshot.
//
// Three things must stay true:
//  - What a sync, O_SYNC or umount promised is on the disk at once.
//  - Nothing else is on the disk before its virtual time. Therefore ext4's own timer is disabled at
//    each mount. The host's flusher cannot be disabled: if it comes first, `say` reports it.
//  - The order of files and of events does not depend on the host.
//
// Sources: Linux, Documentation/admin-guide/sysctl/vm.rst (dirty_expire_centisecs,
// dirty_writeback_centisecs); ext4(5), "commit".
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "sim/guest/disks/dirty_files.h"
#include "sim/guest/disks/mounts.h"
#include "sim/guest/time/supervisor.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// Defaults are Linux's.
struct WriteBackKnobs {
  Duration age = std::chrono::seconds{30};  // a file is written when it has been dirty this long
  Duration look = std::chrono::seconds{5};  // the time between two looks for such files
  // Real time after which the host writes by itself; empty: the kernel's setting.
  std::optional<std::chrono::microseconds> host_age;
};

struct WriteBackSettings {
  Simulation& simulation;
  WriteBackKnobs knobs;
  // Called when the host wrote data earlier than the simulator, so that runs may differ.
  std::function<void(const std::string&)> say;
};

// How the simulator makes a guest's mount(2): ext4's own timer, which uses real time, is set so far
// that it never expires. `commit`: the guest's own value, or ext4's 5 s; empty if the file system
// has no such timer.
struct TimelessMount {
  MountCall call;
  std::optional<Duration> commit;
};
TimelessMount without_timer(const MountCall& call);
// The same for a remount of ext2 to ext4; `commit` is empty if the guest asks for no value.
TimelessMount remount_without_timer(const MountCall& call);

// The write-back of one mounted file system, from its mount on. A file's data is written at the
// first look at which the file has been dirty for the age; looks begin when the first file becomes
// dirty. Names and sizes on ext4 are written `commit` after a change. Names on XFS count as written
// just before a power cut or a snapshot, because XFS's own timer cannot be stopped. If the kernel
// does not report which files are written, all files are written once in the age.
class WriteBack {
 public:
  // The time that writing a file's data takes, by the parts of it that are written already.
  using TimeOf = std::function<Duration(int file)>;
  // `commit` as in TimelessMount. The settings must outlive it.
  WriteBack(const WriteBackSettings& settings, MountedFileSystem mount,
            std::optional<Duration> commit, TimeOf time_of);
  ~WriteBack();
  WriteBack(const WriteBack&) = delete;
  WriteBack& operator=(const WriteBack&) = delete;

  int descriptor() const { return files_.descriptor(); }  // as DirtyFiles's
  // Reads which files have changed. True if any has.
  bool hear();
  // A remount asked for another period of ext's log.
  void commit_every(Duration period) { commit_every_ = period; }
  bool commits() const { return commit_every_.has_value(); }
  // One of its files was synced.
  void synced(int descriptor);
  // The writes to these files bypassed memory (O_SYNC, O_DIRECT). Returns the disk's time for them.
  Duration written_through(const std::set<FileId>& files);
  // sync(2): writes everything now. Returns how long that takes.
  Duration sync_all();
  // Stops write-back until then. Syncs still write, because their callers wait for an answer.
  void pause(Time until) { paused_until_ = std::max(paused_until_, until); }
  // How long it takes to write all dirty data. Begins to write it: the unmount does the rest.
  Duration before_unmount();
  // Finishes writes in progress and writes the names as described above.
  void before_snapshot();
  // Cuts the power: the file system ends, and data that is not on the disk is lost.
  void cut();

 private:
  void look();
  void commit();
  void names_changed();
  void look_later(Duration wait);
  bool deaf() const { return files_.descriptor() < 0; }
  bool paused() const { return settings_.simulation.now() < paused_until_; }
  void tell_if_host_was_first();

  const WriteBackSettings& settings_;
  MountedFileSystem mount_;
  std::optional<Duration> commit_every_;
  const TimeOf time_of_;
  DirtyFiles files_;
  std::optional<EventId> look_, commit_;
  Time paused_until_{};
};

}  // namespace sim::guest
