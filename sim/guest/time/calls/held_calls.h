// The held calls of one guest: trapped calls that wait for a virtual deadline, or until something
// is ready. The kernel keeps the calling task in the call until the supervisor answers. A call ends
// in one of three ways. Its deadline is an event of the simulation (`expire`). The supervisor finds
// it ready between two steps of the guests (`ready`, `ready_when_quiet`). Or a signal or the task's
// death ends it in the kernel. The supervisor learns of the last way only from the task's runs, so
// ran() must be called for each task that has been on a CPU.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "sim/guest/time/calls/interrupted_waits.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/guest/time/listener.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// A wait on a futex word; of the same address space when the processes are equal.
struct FutexWait {
  pid_t process = 0;
  std::uint64_t address = 0;
  std::uint32_t bits = ~std::uint32_t{0};  // FUTEX_WAIT_BITSET
};

struct HeldCall {
  std::uint64_t id = 0;  // the notification's
  pid_t tid = 0;
  std::optional<seccomp_data> call;  // of a wait; empty while a call is only paid for
  Time deadline;
  WhileAsleep while_asleep = WhileAsleep::kStops;  // what the deadline's clock does
  // Answers at the deadline.
  std::function<void()> expire;
  // Called between the guests' steps. Returns true when it answered, because the call has become
  // ready. Optional.
  std::function<bool()> ready;
  // The same, but called only when no task of any guest can run. Optional.
  std::function<bool()> ready_when_quiet;
  // Called with the clock's time after it has moved, before a task of the guest can run. Optional.
  std::function<void(Time now)> tell_time;
  std::optional<FutexWait> futex;
  std::function<bool()> woken;  // the wake that makes the call `ready`
};

class HeldCalls {
 public:
  HeldCalls(Simulation& simulation, const Listener& listener)
      : simulation_(simulation), listener_(listener) {}
  ~HeldCalls() { close(); }
  HeldCalls(const HeldCalls&) = delete;
  HeldCalls& operator=(const HeldCalls&) = delete;

  void hold(HeldCall call);
  // A task whose call is held has been on a CPU, or has ended: its call may be over. A task cannot
  // leave its call, by a signal or by death, without a run.
  void ran(pid_t tid);
  void any_ran();
  // Drops calls that are over and answers ready ones, in the order in which they were held. True if
  // there were any.
  bool settle();
  bool settle_quiet();
  // How many calls settle() and settle_quiet() have looked at.
  std::uint64_t looked_at() const { return looked_at_; }
  // Before a task of the guest can run.
  void tell_time();
  // The machine hibernates: deadlines on clocks that stop pass later, by the time until wake_up().
  void fall_asleep();
  void wake_up(Duration slept);
  InterruptedWaits& interrupted() { return interrupted_; }
  // Makes at most `most` futex waits ready that match; their number.
  std::uint64_t wake(const FutexWait& wake, std::uint64_t most);
  // Drops all; nothing is held any more, from now on.
  void close();

 private:
  struct Entry {
    HeldCall call;
    std::optional<EventId> event;
    bool doubtful = false;  // the call may be over
    bool sleeps = false;    // its event waits for wake_up()
  };
  using Entries = std::map<std::uint64_t, Entry>;
  Entries::iterator drop(Entries::iterator at);
  void schedule(std::uint64_t key, Entry& entry);
  bool settle_one(std::function<bool()> HeldCall::*ready);

  Simulation& simulation_;
  const Listener& listener_;
  Entries entries_;  // by the order of holding
  std::multimap<pid_t, std::uint64_t> keys_;
  InterruptedWaits interrupted_;
  std::set<std::uint64_t> to_look_at_;  // doubtful calls, and those that can become ready
  std::uint64_t looked_at_ = 0;
  std::uint64_t next_ = 0;
  Time told_;
  bool closed_ = false;
};

}  // namespace sim::guest
