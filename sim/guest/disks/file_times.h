// Gives files that guests change the guest's virtual time, because the kernel writes the machine's
// real time.
#pragma once

#include <chrono>
#include <filesystem>

#include "sim/kernel/time.h"

namespace sim::guest {

class FileTimes {
 public:
  FileTimes();
  // For files that were changed at `now`, after coarse_real_date() was `since`.
  FileTimes(std::chrono::nanoseconds since, Time now);
  // Later calls of set() are about changes at `now`.
  void changed_by(Time now);
  // Corrects the time of a file or folder that was changed or may have been (also through a
  // descriptor with O_PATH). If the kernel has set its modification time, the time becomes virtual.
  // A time that a program set itself (utimensat(2)) remains. The times of birth, last access and
  // last attribute change cannot be set, and stay real.
  void set(int file) const;
  void set(const std::filesystem::path& file) const;  // no effect if it does not exist
  // Does so for a folder, and for everything below it on the same file system. Mount points are not
  // touched: a call on /dev/random would wait for this process, which serves that file.
  void set_all(int folder) const;
  void set_all(const std::filesystem::path& folder) const;

 private:
  // In real time: when all changes before `now_` had been read, and the last call of set().
  std::chrono::nanoseconds since_, heard_;
  Time now_{};
};

}  // namespace sim::guest
