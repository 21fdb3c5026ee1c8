// Reports at once when a program reads a file of a watched file system, or a folder: in lockstep
// before the program continues. The kernel does not report reads through a mapping.
#pragma once

#include <functional>
#include <thread>

#include "base/files/file_descriptor.h"
#include "sim/guest/disks/file_events.h"
#include "sim/guest/disks/mounts.h"

namespace sim::guest {

class ReadAlarm {
 public:
  // A separate thread calls `read`. It precedes all guests on the caller's CPU. Empty: nothing is
  // watched.
  explicit ReadAlarm(std::function<void()> read);
  ~ReadAlarm();
  ReadAlarm(const ReadAlarm&) = delete;
  ReadAlarm& operator=(const ReadAlarm&) = delete;

  // Until the file system is unmounted. False if the kernel does not report reads.
  bool watch(MountedFileSystem mounted);

 private:
  void work();

  const std::function<void()> read_;
  FileEvents events_;
  base::FileDescriptor end_;  // eventfd
  std::thread thread_;        // starts with the first watched file system
};

}  // namespace sim::guest
