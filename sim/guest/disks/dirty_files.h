// The files of a mounted file system with data that is not on its disk yet, and the time since
// when. WriteBack decides with it what to write.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>

#include "sim/guest/disks/file_events.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// Notices all writes by system calls, of any program. It does not notice writes through a shared
// mapping.
class DirtyFiles {
 public:
  // `root`: a folder of the file system.
  explicit DirtyFiles(int root);

  // Readable when something has changed; -1 as with FileEvents.
  int descriptor() const { return changes_.descriptor(); }
  using Visit = std::function<void(int file)>;
  // Reads the changes. Files that were clean are dirty since `now`. Returns true if there were any
  // changes.
  bool hear(Time now);
  bool empty() const { return files_.empty(); }

  // Marks the descriptor's file as synced, or all files.
  void cleaned(int descriptor);
  void cleaned() { files_.clear(); }

  // Calls `visit` with each dirty file.
  void each(int root, const Visit& visit) const;
  // Calls `visit` with the files that are dirty since `until` or longer, writes their data and
  // waits for it. Their names and sizes are left to the file system's log. Forgets all files if
  // there is no `root`, because an unmount writes everything.
  void write_back(int root, Time until, const Visit& visit);
  bool has_any(const std::set<FileId>& files) const;
  // The same for the dirty files among these.
  void write_back(int root, const std::set<FileId>& files, const Visit& visit);
  // Begins to write the data of all dirty files, on the caller's CPU. A later sync would use a
  // kernel thread on any CPU, and ext4 chooses blocks by the CPU that writes.
  void start_writes(int root) const;
  // Waits for writes in progress, and starts none.
  void finish_writes(int root) const;
  // The longest real time for which a file has been dirty; zero if none is dirty.
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
