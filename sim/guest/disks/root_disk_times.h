// The times of files on the guests' root disks (file_times.h): of what is in memory, as overlays'
// upper layers are, and of what is written through an overlay.
#pragma once

#include <sys/types.h>

#include <map>

#include "base/file_descriptor.h"
#include "sim/guest/disks/file_events.h"
#include "sim/guest/disks/file_times.h"
#include "sim/guest/disks/mounts.h"

namespace sim::guest {

// Whether the file's file system is one.
bool is_overlay(int file);

class RootDiskTimes {
 public:
  RootDiskTimes();
  // From here on, for the guest with this init: its file systems, none of the host's.
  void watch(pid_t init);
  void forget(pid_t init);
  // Before the guest with this init makes a FIFO at an overlay's place: what is written there is
  // heard with an open file, and to open a FIFO is to take part in it. So the times of what is
  // written on its root disk are real from here on.
  void leave_overlays(pid_t init);

  // Readable when files have changed; then hear() is to be called. True when it took anything.
  int descriptor() const { return either_.get(); }
  bool hear(Time now);

 private:
  bool hear_written();
  bool hear_changed();

  FileEvents changed_;            // in memory
  base::FileDescriptor written_;  // fanotify, of overlays: their files cannot be found by an id
  base::FileDescriptor either_;   // epoll
  std::map<std::uint64_t, MountedFileSystem> in_memory_;
  FileTimes times_;
};

}  // namespace sim::guest
