// Lockstep: the guests in one FIFO queue on one CPU, the supervisor on the same CPU in the ordinary
// class. It then runs only while every guest task is blocked, and each answer lets one task run
// until it blocks again. The kernel still gives the ordinary class 5 % of a second when guests
// compute for longer than 0.95 s in one go (RT throttling, or the fair server of newer kernels);
// the supervisor sees a runnable task then, and waits.
#pragma once

#include <sched.h>

#include <cstdint>
#include <optional>

#include "base/file_descriptor.h"

namespace sim::guest {

// Whether this process may use lockstep (SCHED_FIFO); found by trying, changes nothing.
bool lockstep_permitted();

// In the child, before exec and before it enters a user namespace: SCHED_FIFO on the supervisor's
// CPU, which a child inherits, and no randomized addresses. False with errno when the kernel
// refuses. Async-signal-safe.
bool join_lockstep();

// Puts the calling task before all others of the lockstep, for a guest's init: its death is that of
// the whole guest, and must reach it while a guest computes without end (after a kill -9 of the
// supervisor a clock read fails, and programs spin). -1 with errno when the kernel refuses.
int precede_lockstep();

// The CPU of a supervisor: the calling thread is pinned to the one it runs on while this lives.
class LockstepCpu {
 public:
  LockstepCpu();  // throws std::system_error
  ~LockstepCpu();
  LockstepCpu(const LockstepCpu&) = delete;
  LockstepCpu& operator=(const LockstepCpu&) = delete;

  // How often this CPU has gone from one task to another; empty where the kernel does not tell us
  // (perf_event_open(2) needs CAP_PERFMON).
  std::optional<std::uint64_t> switches() const;

 private:
  cpu_set_t before_;
  base::FileDescriptor switches_;
};

}  // namespace sim::guest
