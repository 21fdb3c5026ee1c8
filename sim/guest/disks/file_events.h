// Events of the files of a file system, by fanotify(7). It reports changes by any process and needs
// no open file or folder, so the guest can unmount.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <functional>
#include <string>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// A file handle, which begins with the inode's number. It identifies a file for as long as the file
// exists.
using FileId = std::string;
FileId file_id(int descriptor);  // empty: its file system has none
// Opens a file by its handle. Empty if the file does not exist any more, or if it is not a regular
// file (opening a FIFO takes part in it). `root` is a folder of its file system. `how` are flags of
// open(2); with O_PATH any kind of file can be opened.
base::FileDescriptor open_file(int root, FileId file, int how = O_RDONLY | O_NONBLOCK);

struct FileEvent {
  std::uint64_t what = 0;        // of FAN_OPEN, FAN_MODIFY …
  FileId file;                   // empty if it does not exist any more
  std::uint64_t filesystem = 0;  // as from filesystem_id()
};
std::uint64_t filesystem_id(int descriptor);  // of the file system that a file is on

class FileEvents {
 public:
  FileEvents() = default;  // watches nothing
  // `names`: also events FAN_CREATE, FAN_DELETE and FAN_MOVED_….
  explicit FileEvents(bool names);
  // Watches a file system. `mask`: of FAN_OPEN, FAN_MODIFY …; `root`: a folder of it. False if the
  // kernel does not report events.
  bool watch(int root, std::uint64_t mask) const;

  // Readable when there are events. -1 if the kernel reports none: without superuser's rights, or
  // beyond fs.fanotify.max_user_groups.
  int descriptor() const { return events_.get(); }
  // Passes on all events since the last call, except this process's own. A created, removed or
  // renamed file is an event of the file and one of its folder. False when there was no event.
  bool take(const std::function<void(const FileEvent&)>& visit) const;

 private:
  base::FileDescriptor events_;
};

}  // namespace sim::guest
