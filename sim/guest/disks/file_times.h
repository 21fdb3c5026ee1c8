// Gives files that guests change the guest's virtual time, because the kernel writes the machine's
// real time.
#pragma once

#include "sim/kernel/time.h"

namespace sim::guest {

class FileTimes {
 public:
  FileTimes();
  // Later calls of set() are about changes at `now`.
  void changed_by(Time now);
  // Corrects the time of a file or folder that was changed or may have been (also through a
  // descriptor with O_PATH). If the kernel has set its modification time, the time becomes virtual.
  // A time that a program set itself (utimensat(2)) remains. The times of birth, last access and
  // last attribute change cannot be set, and stay real.
  void set(int file) const;

 private:
  // In real time: when all changes before `now_` had been read, and the last call of set().
  std::chrono::nanoseconds since_, heard_;
  Time now_{};
};

}  // namespace sim::guest
