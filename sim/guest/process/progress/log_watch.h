// A log of a machine that grows, and files that a program replaces there, seen from outside.
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

class LogTail {
 public:
  // `file` is followed with `root` as the root folder; it need not be there yet.
  LogTail(std::filesystem::path root, std::filesystem::path file)
      : root_(std::move(root)), file_(std::move(file)) {}

  // Reads the text since the last call, at most about 1 MiB: the next call has the rest. A log that
  // was replaced or cut is read again from its beginning. A part of a file that was never written
  // reads as zero bytes.
  std::string read();
  off_t seen() const { return seen_; }  // all before it has been read
  // A file system was mounted: what the log has there, if it was not followed before, is another
  // machine's.
  void skip_what_was_mounted();

 private:
  base::FileDescriptor opened(struct stat& as) const;  // empty where there is no regular file

  std::filesystem::path root_, file_;
  ino_t inode_ = 0;
  off_t seen_ = 0;
};

class FilesWatch {
 public:
  // `files` has a pattern of fnmatch(3) as its last part; empty: there are none.
  FilesWatch(std::filesystem::path root, std::filesystem::path files)
      : root_(std::move(root)), files_(std::move(files)) {}

  // The newest of the files that have changed since the last call; empty if none has.
  std::string newest_change();

 private:
  // Times are the host's: they identify files, and decide which file is the newest.
  using Seen = std::tuple<std::int64_t, ino_t, off_t>;  // modified, …
  std::filesystem::path root_, files_;
  std::map<std::string, Seen> seen_;  // by name
};

}  // namespace sim::guest
