// The timers of one guest in virtual time: POSIX timers, ITIMER_REAL and timerfds. No kernel timer
// is ever armed for a guest: timer IDs are our own. An expiry is a signal that the supervisor sends
// (with the siginfo of a timer), or a real timerfd that is made to expire at that instant.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <utility>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// A timer on virtual time: what a POSIX timer, a timerfd and ITIMER_REAL have in common.
class VirtualTimer {
 public:
  struct Setting {
    Duration remaining{0};  // zero: not armed
    Duration interval{0};   // zero: it expires once
  };
  struct Expiry {
    Time first;
    Duration interval{0};
    WhileAsleep while_asleep = WhileAsleep::kStops;  // what its clock does
  };

  explicit VirtualTimer(Simulation& simulation) : simulation_(&simulation) {}
  VirtualTimer(VirtualTimer&& other) = delete;
  ~VirtualTimer() { disarm(); }

  // Calls `expired` at the first expiry (now, if that is past), and then at every interval.
  // `expired` may destroy the timer.
  void arm(const Expiry& expiry, std::function<void()> expired);
  void disarm();
  Setting setting() const;
  // The machine hibernates: a timer on a clock that stops expires later.
  void fall_asleep();
  void wake_up(Duration slept);

 private:
  void schedule(Time at);

  Simulation* simulation_;
  Time due_;
  Duration interval_{0};
  WhileAsleep while_asleep_ = WhileAsleep::kStops;
  bool sleeps_ = false;  // its event waits for wake_up()
  std::function<void()> expired_;
  std::optional<EventId> event_;
};

struct PosixTimer {
  enum class Notify { kNone, kProcess, kTask };
  Notify notify = Notify::kProcess;
  int signal = SIGALRM;
  std::optional<sigval> value;  // empty: its id
  pid_t task = 0;               // of kTask
  clockid_t clock = CLOCK_REALTIME;
};

// The clock a timerfd was made with; empty when the descriptor is none.
std::optional<clockid_t> timerfd_clock(int descriptor);

class GuestTimers {
 public:
  // Ids below this are the kernel's (timers on CPU time).
  static constexpr int kFirstId = 1 << 24;

  // `before_signals` is called before an expiry that a task may notice.
  GuestTimers(Simulation& simulation, std::function<void()> before_signals)
      : simulation_(simulation), before_signals_(std::move(before_signals)) {}
  GuestTimers(const GuestTimers&) = delete;
  GuestTimers& operator=(const GuestTimers&) = delete;

  // Empty when the process is gone.
  std::optional<int> create(pid_t process, const PosixTimer& timer);
  struct Found {
    clockid_t clock;
    VirtualTimer& timer;
  };
  // Empty when the process has no such timer.
  std::optional<Found> find(pid_t process, int id);
  void arm(pid_t process, int id, const VirtualTimer::Expiry& expiry);  // of a timer that exists
  bool remove(pid_t process, int id);
  // exec: POSIX timers end, ITIMER_REAL continues.
  void new_image(pid_t process);

  // Null when the process is gone.
  VirtualTimer* real_timer(pid_t process);
  void arm_real_timer(pid_t process, const VirtualTimer::Expiry& expiry);

  // Timerfds are named by any descriptor of ours that refers to the same open file.
  VirtualTimer::Setting file_setting(int duplicate) const;
  // `process` has the file as `descriptor`: an interval timer ends when it is closed.
  void arm_file(pid_t process, int descriptor, base::FileDescriptor duplicate,
                const VirtualTimer::Expiry& expiry);
  void disarm_file(int duplicate);

  // VirtualTimer's, for all timers.
  void fall_asleep();
  void wake_up(Duration slept);

  // Forgets the timers of processes that have ended; true when there were any.
  bool drop_dead();
  void clear();

 private:
  struct OwnedTimer {
    OwnedTimer(const PosixTimer& k, Simulation& simulation) : kind(k), timer(simulation) {}
    PosixTimer kind;
    VirtualTimer timer;
  };
  struct Process {
    explicit Process(Simulation& simulation) : real(simulation) {}
    base::FileDescriptor pidfd;
    std::map<int, OwnedTimer> posix;
    int next_id = kFirstId;
    VirtualTimer real;
  };
  struct File {  // an armed timerfd
    File(base::FileDescriptor own, pid_t p, int theirs, Simulation& simulation)
        : duplicate(std::move(own)), process(p), descriptor(theirs), timer(simulation) {}
    base::FileDescriptor duplicate;
    pid_t process;
    int descriptor;
    VirtualTimer timer;
  };

  Process* process(pid_t pid);
  template <class Act>
  void each_timer(Act act);
  void expired(pid_t process, int id);
  void file_expired(std::list<File>::iterator file);

  Simulation& simulation_;
  std::function<void()> before_signals_;
  std::map<pid_t, Process> processes_;
  std::list<File> files_;
};

}  // namespace sim::guest
