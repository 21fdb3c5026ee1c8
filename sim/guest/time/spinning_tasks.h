// Tasks that use a CPU and do not rest. They compute, or they poll without end and make no call
// that is trapped (`while [ ! -e file ]; do :; done`, threads that wait on an atomic).
//
// In lockstep no other task could run beside such a task, and no virtual time would pass. So after
// some seconds of its CPU time it leaves the queue of the lockstep, for the ordinary class, and
// counts as asleep: first all others have their turn. Then virtual time passes, at a speed that
// depends on what the task does:
//  - A task that polls lets time pass ever faster. It sees each event when it happens, so a loop
//    that only waits ends at the same virtual time in each run.
//  - A task that computes lets time pass as fast as it uses the CPU, after
//    SupervisorOptions::free_computing.
// When the task rests, it returns to the queue.
//
// Tasks that hand data to each other without end (`yes | cat`) rest one at a time and never all
// together. They stay in the queue. After the same CPU time, calls of other tasks are
// served although these tasks can run, and virtual time passes as fast as they use the CPU.
//
// The decisions depend on this machine's speed, so the supervisor reports each to
// SupervisorHooks::spun().
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/guest/time/trapped_call.h"

namespace sim::guest {

// What a task has done since its start.
struct TaskUsage {
  std::chrono::nanoseconds cpu{};
  std::uint64_t rests = 0;  // how often it gave a CPU away by itself
  std::uint64_t user_ticks = 0, kernel_ticks = 0;
  std::uint64_t faults = 0;  // of its memory
  std::uint64_t bytes = 0;   // read and written
};
// Empty when the task is gone.
std::optional<TaskUsage> usage_of(pid_t tid);

// Whether a task that did this much spends its time in calls that move no data: it asks for
// something again and again.
bool looks_like_polling(const TaskUsage& before, const TaskUsage& after);

class SpinningTasks {
 public:
  explicit SpinningTasks(SupervisorState& world) : world_(world) {}

  // All tasks rest.
  void all_rest();
  // All tasks rest, except spinning ones.
  void others_rest() { work_.reset(); }
  // A task of some guest can run, and so the world waits. Declares tasks spinning that have made it
  // wait for too long.
  void watch();
  bool any() const { return !spinning_.empty(); }
  // Makes tasks that have rested normal tasks again. True if there were any.
  bool rested();
  // Other tasks have had their turn, or time passes, although these tasks have not rested.
  void tell();
  // Time passes up to `next`, although these tasks have not rested.
  void pass(Time next);
  // Nothing but spinning tasks can run: whether time may pass up to `next`.
  bool let_pass(Time next);
  // Tasks that are not spinning have kept the world waiting for all of the CPU time that is free.
  bool works_on() const;
  // The same, and whether time may pass up to `next` because they used so much more of the CPU.
  bool let_pass_at_work(Time next) const;
  // Time passes up to `next` for that reason.
  void pass_at_work(Time next);

 private:
  // What all tasks of the guests that can run have done since they last rested together.
  struct Work {
    struct Part {
      int guest = 0;
      std::uint64_t before = 0, now = 0;  // CPU time in ns
    };
    Time began;  // virtual
    std::chrono::microseconds real_began{};
    std::map<pid_t, Part> parts;

    Duration cpu() const;
    // The task that used the CPU most, with its part.
    std::pair<const pid_t, Part> most() const;
  };
  struct Watched {
    TaskUsage since;
    std::chrono::microseconds began;  // real time
  };
  struct Spinning {
    int guest = 0;
    TaskUsage since;
    std::chrono::nanoseconds patience;  // CPU time that it had before it was declared spinning
    Time began;
    std::chrono::nanoseconds cpu_at_event{};
    bool was_queued = false;  // in the lockstep
    bool polls = false;
    bool told = false;
  };
  // The history of a process with tasks that have been spinning.
  struct History {
    int times = 0;
    bool polls = false;
  };

  void watch(Guest& guest, pid_t tid);
  void watch_work();
  void others_ran();
  void declare(Guest& guest, pid_t tid, const TaskUsage& since, const TaskUsage& now);
  void forget(pid_t tid, const Spinning& task);
  BusyTask describe(int guest, pid_t tid, bool polls) const;
  bool often(pid_t tid) const;

  SupervisorState& world_;
  std::optional<std::chrono::microseconds> next_watch_;  // real time
  std::optional<Work> work_;
  std::map<pid_t, Watched> watched_;
  std::set<pid_t> reported_;
  std::map<pid_t, Spinning> spinning_;
  std::map<pid_t, History> processes_;
};

}  // namespace sim::guest
