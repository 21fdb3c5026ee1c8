// Lockstep: the guests in one FIFO queue on one CPU, the supervisor on the same CPU in the ordinary
// class, and last in the queue a thread that tells it when no guest can run. So each answer lets
// one task run until it blocks again. The supervisor cannot tell this by itself: the kernel gives
// the ordinary class 5 % of each second in which real-time tasks would take all (RT throttling, or
// the fair server of newer kernels), and it may begin between a task's waking and its running. Nor
// can the supervisor be the last in the queue: where a guest spins it could not even be killed.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

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
// Takes a task out of the queue, to the ordinary class, and back. The first is false, and does
// nothing, for a task that is not in the queue.
bool leave_lockstep(pid_t tid);
void return_to_lockstep(pid_t tid);
// Puts a thread of ours before all guests and their inits: what wakes it, it answers before the
// guest that did so goes on. Throws std::system_error.
void precede_lockstep(std::thread& thread);

// The CPU of a supervisor: the calling thread is pinned to it while this lives. It is one that no
// other run has, while there are such; else the one that the thread runs on, and runs share it.
class LockstepCpu {
 public:
  LockstepCpu();  // throws std::system_error
  ~LockstepCpu();
  LockstepCpu(const LockstepCpu&) = delete;
  LockstepCpu& operator=(const LockstepCpu&) = delete;

  enum class Rest {
    kNone,        // a guest can still run
    kOneTaskRan,  // since the last rest this CPU went to one task and back to us, and to no other
    kReached,
  };
  // Waits until no guest on this CPU, of this run or of others, can run, or for `longest` (real
  // time). They rest from then on until something wakes one. kOneTaskRan where the kernel tells us
  // (perf_event_open(2) needs CAP_PERFMON). To be called by the supervisor's thread.
  Rest rest(std::chrono::microseconds longest);

  int number() const { return number_; }

  // How often the calling thread has left its CPU to another: nothing else has run there between
  // two calls that tell the same.
  static long times_left();

 private:
  class Last;

  // What the calling thread has had of its CPU lately.
  class Share {
   public:
    // So much that the kernel owes the ordinary class nothing: who runs in it does so because no
    // guest can.
    bool is_large();

   private:
    struct Reading {
      std::chrono::microseconds real{}, own{};
    };
    Reading since_, next_;               // looked back to; taken after half of that time
    std::chrono::microseconds until_{};  // of real time, it stays so large
  };

  std::optional<std::uint64_t> switches() const;

  cpu_set_t before_;
  int number_ = 0;
  base::FileDescriptor claim_;             // tells other runs that this CPU is taken
  base::FileDescriptor counter_;           // of this CPU's switches from one task to another
  std::optional<std::uint64_t> switches_;  // at the last rest
  Share share_;
  std::unique_ptr<Last> last_;
};

}  // namespace sim::guest
