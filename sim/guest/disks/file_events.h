// Events of the files of a file system, by fanotify(7): of any process, and without an open file or
// folder, so that the guest can unmount.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <functional>
#include <string>

#include "base/file_descriptor.h"

namespace sim::guest {

// A file handle, with the inode's number first: the same file for as long as it exists.
using FileId = std::string;
FileId file_id(int descriptor);  // empty: its file system has none
// Empty when the file is gone, or is no regular one: to open a FIFO is to take part in it. `root`:
// a folder of its file system; `how`: of open(2)'s flags; with O_PATH it may be any.
base::FileDescriptor open_file(int root, FileId file, int how = O_RDONLY | O_NONBLOCK);

struct FileEvent {
  std::uint64_t what = 0;        // of FAN_OPEN, FAN_MODIFY …
  FileId file;                   // empty where it is gone
  std::uint64_t filesystem = 0;  // its id, as filesystem_id() has it
};
std::uint64_t filesystem_id(int descriptor);  // of the file system that a file is on

class FileEvents {
 public:
  FileEvents() = default;  // hears nothing
  // `names`: also events FAN_CREATE, FAN_DELETE and FAN_MOVED_….
  explicit FileEvents(bool names);
  // `mask`: of FAN_OPEN, FAN_MODIFY … `root`: a folder of the file system. False if the kernel does
  // not report events.
  bool watch(int root, std::uint64_t mask) const;

  // Readable when there are events; -1 if the kernel reports none (without the rights of its
  // superuser, or beyond fs.fanotify.max_user_groups).
  int descriptor() const { return events_.get(); }
  // Passes on all events since the last call, except this process's own. A created, removed or
  // renamed file is an event of the file and one of its folder. False when there was no event.
  bool take(const std::function<void(const FileEvent&)>& visit) const;

 private:
  base::FileDescriptor events_;
};

}  // namespace sim::guest
