// Lockstep: the guests in one FIFO queue on one CPU, the supervisor on the same CPU in the ordinary
// class. It then runs only while every guest task is blocked, and each answer lets one task run
// until it blocks again. The kernel still gives the ordinary class 5 % of a second when guests
// compute for longer than 0.95 s in one go (RT throttling, or the fair server of newer kernels);
// the supervisor sees a runnable task then, and waits.
#include <sched.h>
#include <sys/personality.h>

#include "sim/guest/time/supervisor.h"

namespace sim::guest {

bool lockstep_permitted() {
  const int before = sched_getscheduler(0);
  sched_param parameters{};
  if (before < 0 || sched_getparam(0, &parameters) != 0) return false;
  const sched_param fifo{1};
  if (sched_setscheduler(0, SCHED_FIFO, &fifo) != 0) return false;
  return sched_setscheduler(0, before, &parameters) == 0;
}

bool join_lockstep(const SupervisorOptions& options) {
  if (!options.lockstep) return true;
  // Programs take addresses for randomness: bash seeds $RANDOM with one.
  if (personality(ADDR_NO_RANDOMIZE) < 0) return false;
  const sched_param fifo{1};
  return sched_setscheduler(0, SCHED_FIFO, &fifo) == 0;
}

int precede_lockstep() {
  const sched_param before{2};
  return sched_setscheduler(0, SCHED_FIFO, &before);
}

}  // namespace sim::guest
