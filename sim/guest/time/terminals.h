// Pseudoterminals of a guest, in lockstep. What is written to one is handed on by a kernel thread,
// at a time of its own; polling the end at which it is read waits for that thread (n_tty_poll() in
// Linux's drivers/tty/n_tty.c).
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/file_descriptor.h"

namespace sim::guest {

class Terminals {
 public:
  // A process has unlocked a pseudoterminal, of which this descriptor is the master.
  void unlocked(pid_t process, int master);
  // Whoever waits for what was written to these terminals has been woken then. Only for what is
  // read from the master, by the process that unlocked it or one that has the descriptor of it:
  // what goes the other way is handed on later, as before.
  void hand_on();

 private:
  struct Master {
    base::FileDescriptor process;  // a pidfd
    int descriptor;
  };
  std::vector<Master> masters_;
};

}  // namespace sim::guest
