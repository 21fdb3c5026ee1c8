// Write-back of a volume's mounted file system by virtual time, so that what a power cut keeps does
// not depend on when the host writes. Sources: Linux, Documentation/admin-guide/sysctl/vm.rst
// (dirty_expire_centisecs, dirty_writeback_centisecs); ext4(5), "commit".
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
  Duration look = std::chrono::seconds{5};  // how often it is looked for such files
  // After so much real time the host writes by itself; empty: what the kernel says.
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
// The same of a remount of ext2 to ext4; `commit` is empty where it asks for none.
TimelessMount remount_without_timer(const MountCall& call);

// Of one mounted file system, from its mount on. Data: as Linux's flusher writes it, at the first
// look at which its file has been dirty for the age; looks begin when the first file becomes dirty.
// Names and sizes: ext4's log is written `commit` after a change; XFS's log is taken as written
// just before a power cut or a snapshot, because its own timer cannot be stopped. Where the kernel
// does not tell which files are written, all are, once in the age.
class WriteBack {
 public:
  // How long from now on until a file's data is written, by what was written of it before.
  using TimeOf = std::function<Duration(int file)>;
  // `commit` as in TimelessMount. The settings must outlive it.
  WriteBack(const WriteBackSettings& settings, MountedFileSystem mount,
            std::optional<Duration> commit, TimeOf time_of);
  ~WriteBack();
  WriteBack(const WriteBack&) = delete;
  WriteBack& operator=(const WriteBack&) = delete;

  int descriptor() const { return files_.descriptor(); }  // as DirtyFiles's
  // Takes what has changed. True when there was anything.
  bool hear();
  // A remount asked for another period of ext's log.
  void commit_every(Duration period) { commit_every_ = period; }
  bool commits() const { return commit_every_.has_value(); }
  // One of its files was synced.
  void synced(int descriptor);
  // What was written to these files did not wait in memory. Returns how long the disk takes for it.
  Duration written_through(const std::set<FileId>& files);
  // sync(2): everything of it now. Returns how long that takes.
  Duration sync_all();
  // Nothing is written back before then. What is synced is: nobody was told whether it reached the
  // disk.
  void pause(Time until) { paused_until_ = std::max(paused_until_, until); }
  // How long it takes to write all that is dirty, which the caller has written.
  Duration time_of_dirty();
  // What is under way gets finished, and the log is as described above.
  void before_snapshot();
  // The power is cut: the file system ends without what is not on its disk.
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
