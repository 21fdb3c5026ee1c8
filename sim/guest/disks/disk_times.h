// The times of files on the guests' disks (file_times.h): volumes, and of root disks what is in
// memory, as overlays' upper layers are, and what is written through an overlay.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <thread>

#include "base/file_descriptor.h"
#include "sim/guest/disks/file_events.h"
#include "sim/guest/disks/file_times.h"
#include "sim/guest/disks/mounts.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// Whether the file's file system is one.
bool is_overlay(int file);

// A thread of its own sets them, at once: in lockstep it comes before all guests, so that the
// program that has changed a file goes on when the file has its time. Elsewhere a program may see
// the machine's own time for a moment.
class DiskTimes {
 public:
  DiskTimes(const Simulation& simulation, bool lockstep);
  ~DiskTimes();
  DiskTimes(const DiskTimes&) = delete;
  DiskTimes& operator=(const DiskTimes&) = delete;

  // From here on, for the guest with this init: its root disk's file systems, none of the host's.
  // The thread begins with the first, on the caller's CPUs.
  void watch(pid_t init);
  // A volume's, that has just been mounted.
  void watch(const MountedFileSystem& volume);
  void forget(pid_t init);
  // Before the guest with this init makes a FIFO on an overlay. Changes on overlays are followed
  // through an open file, and to open a FIFO is to take part in it. So file times on its root disk
  // are real from here on.
  void leave_overlays(pid_t init);

  // Before virtual time goes on: waits until what was changed has its time. True when it set any.
  bool settle();

 private:
  void begin();
  void work();
  bool hear();
  bool hear_written();
  bool hear_changed();

  const Simulation& simulation_;
  const bool lockstep_;
  std::mutex mutex_;  // of what follows
  FileEvents changed_;
  base::FileDescriptor written_;  // fanotify, of overlays: their files cannot be found by an id
  base::FileDescriptor end_;      // eventfd
  base::FileDescriptor any_;      // epoll, of the three
  // By the file system's id, which volumes of one snapshot have in common.
  std::multimap<std::uint64_t, MountedFileSystem> mounted_;
  FileTimes times_;
  std::thread thread_;
};

}  // namespace sim::guest
