// Which files of a mounted file system hold data that is not on its disk yet, and since when.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>

#include "sim/guest/disks/file_events.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// Follows all writes by calls, of any program. Writes through a shared mapping are not seen.
class DirtyFiles {
 public:
  // `root`: a folder of the file system.
  explicit DirtyFiles(int root);

  // Readable when something has changed; -1 as FileEvents's.
  int descriptor() const { return changes_.descriptor(); }
  using Visit = std::function<void(int file)>;
  // Takes what has changed; what was clean before is dirty since `now`. True when there was
  // anything.
  bool hear(Time now);
  bool empty() const { return files_.empty(); }

  // The descriptor's file was synced, or all were.
  void cleaned(int descriptor);
  void cleaned() { files_.clear(); }

  // Calls `visit` with each that is dirty.
  void each(int root, const Visit& visit) const;
  // Calls `visit` with those that are dirty since `until` or longer, writes their data and waits
  // for it; their names and sizes are left to the file system's log. Empties itself without a
  // `root`: what was unmounted is written.
  void write_back(int root, Time until, const Visit& visit);
  bool has_any(const std::set<FileId>& files) const;
  // The same, for the dirty ones among these files.
  void write_back(int root, const std::set<FileId>& files, const Visit& visit);
  // Begins to write the data of each that is dirty, on the caller's CPU. A sync that follows would
  // use a thread of the kernel, and ext4 chooses blocks by the CPU that writes.
  void start_writes(int root) const;
  // Waits for data that is being written, and writes none.
  void finish_writes(int root) const;
  // How long a file has been dirty in real time, the longest; zero when none is.
  std::chrono::microseconds real_age() const;

 private:
  struct Since {
    Time virtual_time;
    std::chrono::microseconds real;
  };

  FileEvents changes_;
  std::map<FileId, Since> files_;
};

}  // namespace sim::guest
