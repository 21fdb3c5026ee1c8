// The file that all programs of a machine write its console to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <limits>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// A guest may write without end, and the run's output keeps the first kMostKept bytes. So the file
// lies on a small tmpfs of its own, where the kernel bounds it, and is copied to the output as it
// grows. Beyond kMostKept the tmpfs gives back what everybody has read, and programs go on writing.
// At kPlain, without a mount, the file is the output's own and has no bound.
class ConsoleFile {
 public:
  static constexpr off_t kMostKept = off_t{64} << 20;

  // Creates both again. `folder` is a mount point if `bounded`. Throws std::system_error.
  ConsoleFile(std::filesystem::path folder, const std::filesystem::path& kept, bool bounded);
  ~ConsoleFile();  // unmounts
  ConsoleFile(const ConsoleFile&) = delete;
  ConsoleFile& operator=(const ConsoleFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return file_.get(); }  // to append to

  // Copies what has come since. Other readers have read what is before `read`. True when the file
  // has just become longer than what is kept.
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
