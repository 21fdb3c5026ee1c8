// The pseudoterminals of a guest in lockstep. A kernel thread carries written data to the reader,
// at an unpredictable time. Polling the reader's end waits for that thread (n_tty_poll() in Linux's
// drivers/tty/n_tty.c).
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::guest {

class Terminals {
 public:
  // A process has unlocked a pseudoterminal, of which this descriptor is the master.
  void unlocked(pid_t process, int master);
  // Returns when each task that waits for output to these terminals has been woken. This covers
  // output that is read from the master by the process that unlocked the terminal, or by a process
  // with the same descriptor. Data in the other direction is not covered.
  void hand_on();

 private:
  struct Master {
    base::FileDescriptor process;  // a pidfd
    int descriptor;
  };
  std::vector<Master> masters_;
};

}  // namespace sim::guest
