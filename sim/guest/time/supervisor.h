// The time supervisor: real programs under virtual time. Holds every trapped call until its virtual
// deadline (an event of the simulation), answers clock reads, and lets the next event happen only
// when no guest can run. How it works, what is trapped and what stays real: docs/virtual-time.md.
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
  // The guest's tasks have ended, and others run in their place, after a reboot: the token stays,
  // its getrandom stream, seeded by `name`, begins anew, and its monotonic clock does when the
  // machine is up, after `boot`.
  void adopt_again(int guest, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                   const std::string& name, Duration boot);
  // From here on the files tell the guest's uptime, also after adopt_again().
  void show_uptime(int guest, std::unique_ptr<UptimeFiles> files);
  // The guest is dead or about to be killed: drops its held calls and timers. Tasks that live on
  // fail their trapped calls with ENOSYS. May be called from an event or a source.
  void release(int guest);
  // Before the host does what a guest's tasks may notice: sends a signal, writes to a socket that
  // they read from, reads from one that is full, makes a device. Tells that they may run.
  void wake(int guest);

  // The guest's real-time clocks are so much ahead from now on; negative: behind.
  void set_clock_skew(int guest, Duration skew);

  // Work that is done between the guests' steps without waiting: the fakes' sockets, event pipes,
  // child exits. True when there was any. Sources are polled in the order they were added.
  void add_source(std::function<bool()> poll);

  // The machine that takes part in the guests' calls. It must outlive the supervisor's guests.
  void set_hooks(SupervisorHooks& hooks);

  // The task that reads clocks without a call asks again at its next read. From any thread that
  // comes before all guests.
  void end_lease();

  // Runs the world until `done` holds (looked at after every event and source) or nothing can ever
  // happen again (no event pending and all guests quiescent for 200 ms of real time): false then.
  bool run(const std::function<bool()>& done);

  struct Statistics {
    std::uint64_t notifications = 0, clock_reads = 0, events = 0;
    std::uint64_t looks = 0;                // at the tasks of a guest
    std::uint64_t reads_of_tasks = 0;       // of files in /proc, by these looks
    std::uint64_t looks_at_held_calls = 0;  // of the guests that are there
  };
  Statistics statistics() const;

 private:
  void take_over(int token, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                 const std::string& name, Time booted);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::guest
