// Lockstep makes a run repeatable: at most one guest task runs at a time, and the order is always
// the same. All guests are in one FIFO queue (SCHED_FIFO) on one CPU. The supervisor runs on the
// same CPU in the ordinary class. So each answer to a call lets one task run until it blocks again.
//
// The supervisor cannot know by itself that no guest can run. If real-time tasks would take all of
// a second, the kernel gives 5 % of it to the ordinary class (RT throttling, or the fair server of
// newer kernels). That share may begin between a task's waking and its running. Therefore a thread
// waits at the end of the queue and reports when no guest can run. The supervisor itself cannot be
// at the end of the queue, because a spinning guest could then not be killed.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Why this process may not use lockstep (SCHED_FIFO), and what would permit it; found by trying,
// changes nothing. Empty if it may. Throws std::system_error if the kernel does not restore the
// scheduling policy.
std::string lockstep_obstacle();
inline bool lockstep_permitted() { return lockstep_obstacle().empty(); }

// A process's right to SCHED_FIFO (sched(7)).
enum class Capability {
  kNone,
  kOfUserNamespace,  // does not suffice
  kHeld,
};
// The text of lockstep_obstacle() for a kernel that refused SCHED_FIFO with `error`.
std::string lockstep_obstacle(int error, Capability capability);

// In the child, before exec and before it enters a user namespace: SCHED_FIFO on the supervisor's
// CPU, which a child inherits, and no randomized addresses. False with errno when the kernel
// refuses. Async-signal-safe.
bool join_lockstep();

// Gives the calling task priority over all other tasks of the lockstep. It is for a guest's init,
// whose death must end the guest even while the guest computes without end. (After a kill -9 of the
// supervisor, clock reads fail and programs spin.) -1 with errno if the kernel refuses.
int precede_lockstep();
// Moves a task from the queue to the ordinary class, and back. The first function does nothing and
// returns false for a task that is not in the queue.
bool leave_lockstep(pid_t tid);
void return_to_lockstep(pid_t tid);
// Puts one of our threads before all guests and their inits: the thread answers an event before the
// guest that caused it continues. Throws std::system_error.
void precede_lockstep(std::thread& thread);

class RanTasks;

// The CPU of a supervisor. The calling thread is pinned to it during this object's life. The
// constructor claims a CPU that no other run has. If every CPU is taken, runs share the thread's
// own.
class LockstepCpu {
 public:
  // `records`: records the tasks of this CPU from now on, and lives longer than this object. Throws
  // std::system_error.
  explicit LockstepCpu(RanTasks* records = nullptr);
  ~LockstepCpu();
  LockstepCpu(const LockstepCpu&) = delete;
  LockstepCpu& operator=(const LockstepCpu&) = delete;

  enum class Rest {
    kNone,        // a guest can still run
    kOneTaskRan,  // since the last rest this CPU has switched only to one task and back
    kReached,
  };
  // Waits until no guest on this CPU, of this run or of others, can run, or for `longest` (real
  // time). The guests rest from then on until something wakes one. kOneTaskRan only with records
  // that the kernel writes. Only the supervisor's thread may call this.
  Rest rest(std::chrono::microseconds longest);

  // If two calls return the same number, nothing else has run on the CPU between them.
  std::uint64_t times_left() const;

 private:
  class Last;

  // What the calling thread has had of its CPU lately.
  class Share {
   public:
    // Whether the share is so large that the kernel owes the ordinary class nothing. A task of that
    // class then runs only because no guest can.
    bool is_large();

   private:
    struct Reading {
      std::chrono::microseconds real{}, own{};
    };
    Reading since_, next_;               // looked back to; taken after half of that time
    std::chrono::microseconds until_{};  // of real time, it stays so large
  };

  std::optional<std::uint64_t> recorded() const;

  cpu_set_t before_;
  base::FileDescriptor claim_;             // shows other runs that this CPU is taken
  const RanTasks* const records_;          // null: none
  std::optional<std::uint64_t> recorded_;  // length of the records at the last rest
  Share share_;
  std::unique_ptr<Last> last_;
};

}  // namespace sim::guest
