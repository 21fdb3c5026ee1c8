// What happens to the files of a file system, by fanotify(7): whoever does it, and without a file
// or folder held open, so that the guest can unmount.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/file_descriptor.h"

namespace sim::guest {

// A file handle, with the inode's number first: the same file for as long as it exists.
using FileId = std::string;
FileId file_id(int descriptor);  // empty: its file system has none
// Empty when the file is gone. `root`: a folder of its file system.
base::FileDescriptor open_file(int root, FileId file);

class FileEvents {
 public:
  // `mask`: of FAN_OPEN, FAN_MODIFY … `root`: a folder of the file system.
  FileEvents(int root, std::uint64_t mask);

  // Readable when something has happened; -1 where the kernel does not tell (not its superuser,
  // more than fs.fanotify.max_user_groups at a time).
  int descriptor() const { return events_.get(); }
  // Takes what has happened, but for what this process did: calls `visit` with what it was and the
  // file, empty where that is gone. False when there was nothing.
  bool take(const std::function<void(std::uint64_t mask, const FileId& file)>& visit) const;

 private:
  base::FileDescriptor events_;
};

}  // namespace sim::guest
