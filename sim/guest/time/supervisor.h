// The time supervisor runs real programs under virtual time. It owns the guests' notification
// descriptors and their held calls. ProcessHost gives it the guests; the run's loop calls run().
//
// A seccomp filter in each guest stops the calls that wait with a timeout or read a clock. The
// supervisor answers clock reads and holds waits until their deadline, which is an event of the
// simulation. run() repeats three steps:
//
//  1. It answers calls that have come in or become ready, and polls the sources (sockets of the
//     fakes, ends of children), until there is no more work.
//  2. It looks at the tasks of all restless guests. A guest rests when two looks, `settle` apart,
//     find every task asleep, with the same number of runs and the same CPU time, and no call came
//     in between. In lockstep one look is enough, because no guest can run during the look.
//  3. When all guests rest, the next event of the simulation happens, and time moves.
//
// These rules must stay true:
//  - A guest can be woken only by an answer, by a signal of a virtual timer, or by the host. So the
//    host calls wake() before everything that a guest's task may notice. Guests cannot wake each
//    other, because the simulator carries the data between them.
//  - A task in disk wait, and a task on its way to sleep, count as running.
//  - In lockstep each call is served alone, and all its consequences happen before the next call.
//    Without this rule two runs would differ.
//
// docs/virtual-time.md describes what is trapped and what stays real.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sim/guest/time/supervisor_hooks.h"
#include "sim/guest/time/tasks.h"
#include "sim/guest/time/uptime_files.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

struct SupervisorOptions {
  bool lockstep = false;                                    // lockstep.h; needs CAP_SYS_NICE
  Duration clock_read_cost = std::chrono::microseconds{1};  // virtual; ends spinning on the clock
  std::chrono::microseconds settle{200};                    // real time between two looks
  std::chrono::seconds busy_after{10};  // real time without a rest, before SupervisorHooks::busy()
  Duration free_computing = std::chrono::seconds{30};  // CPU time without a rest that costs no time
};

class Supervisor {
 public:
  // With lockstep, pins the calling thread to the CPU it runs on, until destruction.
  Supervisor(Simulation& simulation, const Streams& streams, SupervisorOptions options);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Takes over a guest: its notification descriptor (owned from here on) and its tasks. `name`
  // seeds the guest's getrandom stream; its monotonic clock starts now. Returns a token. May be
  // called from an event or a source.
  int adopt(int notification_descriptor, std::unique_ptr<TaskList> tasks, const std::string& name);
  // A rebooted guest: its tasks have ended, and others run in their place. The token stays. The
  // getrandom stream, seeded by `name`, begins again, and the monotonic clock begins when the
  // machine is up, after `boot`.
  void adopt_again(int guest, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                   const std::string& name, Duration boot);
  // The files show the guest's uptime from now on, also after adopt_again().
  void show_uptime(int guest, std::unique_ptr<UptimeFiles> files);
  // The guest is dead or about to be killed: drops its held calls and timers. Tasks that live on
  // fail their trapped calls with ENOSYS. May be called from an event or a source.
  void release(int guest);
  // Marks the guest's tasks as possibly running. Call it before each action of the host that the
  // tasks may notice. Such actions are a signal, a write to a socket that they read, a read from a
  // full socket, and a new device.
  void wake(int guest);

  // The guest's tasks were stopped because its machine hibernates, and continue when it resumes.
  // Its monotonic clocks stand still in between, and its waits and timers on them.
  void fall_asleep(int guest);
  void wake_up(int guest);

  // From now on, the guest's real-time clocks are ahead by this; negative: behind.
  void set_clock_skew(int guest, Duration skew);

  // Work that is done between the guests' steps without waiting: the fakes' sockets, event pipes,
  // child exits. True when there was any. Sources are polled in the order they were added.
  void add_source(std::function<bool()> poll);

  // The machine that takes part in the guests' calls. It must outlive the supervisor's guests.
  void set_hooks(SupervisorHooks& hooks);

  // Ends the lease of the clock (clock_lease.h): the task's next read is a call. May be called from
  // any thread that precedes all guests in lockstep.
  void end_lease();

  // Runs the world until `done` is true (checked after every event and source). Returns false if
  // nothing can happen any more: no event is pending and all guests have been quiescent for 200 ms
  // of real time.
  bool run(const std::function<bool()>& done);

  struct Statistics {
    std::uint64_t notifications = 0, clock_reads = 0, events = 0;
    std::uint64_t looks = 0;                // at the tasks of a guest
    std::uint64_t reads_of_tasks = 0;       // number of files in /proc that these looks have read
    std::uint64_t looks_at_held_calls = 0;  // of the present guests
  };
  Statistics statistics() const;

 private:
  void take_over(int token, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                 const std::string& name, Time booted);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::guest
