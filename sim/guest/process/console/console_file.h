// The file to which all programs of a machine write its console.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <limits>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// A guest may write without end, and the run's output keeps the first kMostKept bytes. So the file
// is on a small tmpfs of its own, where the kernel limits its size, and is copied to the output as
// it grows. Beyond kMostKept the tmpfs frees the text that all readers have read, and programs can
// write on. At kPlain, without a mount, the file is the output's own and has no limit.
class ConsoleFile {
 public:
  static constexpr off_t kMostKept = off_t{64} << 20;

  // Creates the file and its copy `kept`. `folder` becomes a mount point if `bounded`. Throws
  // std::system_error.
  ConsoleFile(std::filesystem::path folder, const std::filesystem::path& kept, bool bounded);
  ~ConsoleFile();  // unmounts
  ConsoleFile(const ConsoleFile&) = delete;
  ConsoleFile& operator=(const ConsoleFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return file_.get(); }  // opened for appending

  // Copies the new text. Other readers have read the text before `read`. Returns true when the file
  // becomes longer than the copy that is kept.
  bool copy(off_t read = std::numeric_limits<off_t>::max());

 private:
  void keep(off_t size);
  void give_back(off_t read);

  std::filesystem::path mounted_, path_;
  base::FileDescriptor file_, kept_;
  off_t seen_ = 0, given_back_ = kMostKept;
  bool full_ = false;
};

}  // namespace sim::guest
