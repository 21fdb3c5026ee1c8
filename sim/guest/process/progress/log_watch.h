// Watches a machine's files from outside: a growing log, and checkpoint files that are replaced.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Reads new text of one log file. Each call opens the file again and closes it, because an open
// file would prevent that the guest unmounts its file system.
class LogTail {
 public:
  // `file` is a path below `root`, the machine's root folder. The file need not exist yet.
  LogTail(std::filesystem::path root, std::filesystem::path file)
      : root_(std::move(root)), file_(std::move(file)) {}

  // Returns the text since the last call, at most about 1 MiB; the next call returns the rest. A
  // log that was replaced or truncated is read from its beginning. A part of a file that was never
  // written reads as zero bytes.
  std::string read();
  off_t seen() const { return seen_; }  // number of bytes read so far
  // Called when a file system was mounted. If the log is on it and was not followed before, its
  // present text is another machine's and is skipped.
  void skip_what_was_mounted();

 private:
  base::FileDescriptor opened(struct stat& as) const;  // empty if it is not a regular file

  std::filesystem::path root_, file_;
  ino_t inode_ = 0;
  off_t seen_ = 0;
};

// Finds changes of the files that match a pattern, by their times and sizes.
class FilesWatch {
 public:
  // The last part of `files` is a pattern of fnmatch(3). If `files` is empty, nothing matches.
  FilesWatch(std::filesystem::path root, std::filesystem::path files)
      : root_(std::move(root)), files_(std::move(files)) {}

  // The newest file that has changed since the last call. Empty if none has.
  std::string newest_change();

 private:
  // Times are the host's. They only identify a file's state, and determine which file is the
  // newest.
  using Seen = std::tuple<std::int64_t, ino_t, off_t>;  // modified, …
  std::filesystem::path root_, files_;
  std::map<std::string, Seen> seen_;  // by name
};

}  // namespace sim::guest
