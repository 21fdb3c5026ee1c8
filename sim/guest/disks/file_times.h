// The times of files that guests change: each was changed at its guest's virtual time, where the
// kernel writes the machine's own.
#pragma once

#include "sim/kernel/time.h"

namespace sim::guest {

class FileTimes {
 public:
  FileTimes();
  // What set() is called for from here on was changed at `now`.
  void changed_by(Time now);
  // Of a file or folder that was changed, or may have been (a descriptor, of O_PATH, too): where
  // the kernel has set the time of its last modification it becomes the virtual one; one that a
  // program has set itself (utimensat(2)) stays. The times of its birth, its last access and the
  // last change of its attributes cannot be set, and stay real.
  void set(int file) const;

 private:
  // Real time: when what was changed before `now_` had been heard, and when set() was last called
  // for.
  std::chrono::nanoseconds since_, heard_;
  Time now_{};
};

}  // namespace sim::guest
