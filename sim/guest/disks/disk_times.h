// Sets virtual times on files of guests' disks (file_times.h): on volumes, and on the root disk's
// file systems in memory or behind an overlay.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <thread>

#include "base/files/file_descriptor.h"
#include "sim/guest/disks/file_events.h"
#include "sim/guest/disks/file_times.h"
#include "sim/guest/disks/mounts.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// True if the file's file system is an overlay.
bool is_overlay(int file);

// A separate thread sets the times at once. In lockstep it precedes all guests, so a program that
// changed a file continues when the file has its time. Without lockstep a program may see the
// machine's time for a moment.
class DiskTimes {
 public:
  DiskTimes(const Simulation& simulation, bool lockstep);
  ~DiskTimes();
  DiskTimes(const DiskTimes&) = delete;
  DiskTimes& operator=(const DiskTimes&) = delete;

  // Watches the root disk's file systems of the guest with this init, without the host's. The
  // thread starts with the first one, on the caller's CPUs.
  void watch(pid_t init);
  // Watches a volume that has just been mounted.
  void watch(const MountedFileSystem& volume);
  void forget(pid_t init);
  // Stops watching overlays of the guest with this init. Called before it makes a FIFO there:
  // changes on overlays are followed through an open file, and opening a FIFO takes part in it.
  // File times on its root disk are real from then on.
  void leave_overlays(pid_t init);

  // Waits until every changed file has its time. Called before virtual time moves. Returns true if
  // it set any.
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
  base::FileDescriptor written_;  // fanotify for overlays, whose files cannot be found by an ID
  base::FileDescriptor end_;      // eventfd
  base::FileDescriptor any_;      // epoll of the three
  // By the file system's ID, which volumes of one snapshot share.
  std::multimap<std::uint64_t, MountedFileSystem> mounted_;
  FileTimes times_;
  std::thread thread_;
};

}  // namespace sim::guest
