// A trapped call while it is served, and the state that its handler uses: its guest and all guests.
#pragma once

#include <atomic>
#include <cerrno>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/guest/time/call_toll.h"
#include "sim/guest/time/calls/held_calls.h"
#include "sim/guest/time/clock_lease.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/guest/time/guest_task.h"
#include "sim/guest/time/guest_timers.h"
#include "sim/guest/time/listener.h"
#include "sim/guest/time/supervisor.h"
#include "sim/guest/time/terminals.h"
#include "sim/guest/time/uptime_files.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// The random values that a guest receives, each kind from its own stream.
struct GuestStreams {
  Stream bytes;   // getrandom
  Stream images;  // the kernel's value for each program image (AT_RANDOM)
  Stream ports;
};

// One guest of a supervisor: its tasks, clocks, held calls and timers.
struct Guest {
  Guest(int number, base::FileDescriptor descriptor, std::unique_ptr<TaskList> task_list,
        const GuestStreams& streams, Simulation& simulation, Time booted,
        std::function<void()> before_signals)
      : token(number),
        listener(std::move(descriptor)),
        tasks(std::move(task_list)),
        clock(booted),
        random(streams),
        held(simulation, listener),
        timers(simulation, std::move(before_signals)) {}

  const int token;
  Listener listener;
  const std::unique_ptr<TaskList> tasks;
  GuestClock clock;
  std::unique_ptr<UptimeFiles> uptime;  // null: none
  GuestStreams random;
  HeldCalls held;
  GuestTimers timers;
  CallToll toll;
  std::deque<Notification> paid;       // calls whose charge has passed, to be served now
  std::vector<Notification> received;  // lockstep: calls that have not been served yet
  std::vector<TaskState> seen;         // at the last look, in the order of the process tree
  std::unique_ptr<ClockLease> lease;   // lockstep: exists after a program has requested its page
  pid_t reader = 0;                    // the task that last called, if it read a clock; else 0
  int answers = 0;                     // number of answers since the last look
  pid_t answered = 0;                  // the task with the last answer
  Terminals terminals;                 // lockstep
  // True if a guest can act between two looks, also in lockstep (calls::leave_lockstep).
  bool takes_two_looks = false;
  int spinning = 0;  // number of spinning tasks (spinning_tasks.h)
  // Real time since which its calls cost virtual time (CallToll). Empty: they do not.
  std::optional<std::chrono::microseconds> pays_since;
  std::map<std::uint64_t, std::int64_t> skipping;  // clock reads left to skip, by the call's ID
  bool reported = false;                           // the long payment was reported

  bool escapes_one_look() const { return takes_two_looks || spinning > 0; }
};

// The guests of a supervisor, and the objects that their calls use.
struct SupervisorState {
  Simulation& simulation;
  const SupervisorOptions options;
  SupervisorHooks no_hooks;
  SupervisorHooks* hooks = &no_hooks;
  Supervisor::Statistics statistics;
  // By token, which is the order in which guests are served. The pointers are shared, because an
  // event may release the guest whose call is being served.
  std::map<int, std::shared_ptr<Guest>> guests;

  // Tokens of guests that need attention, so that an event costs nothing for sleeping guests.
  // Tokens of released guests stay in these sets and are skipped.
  std::set<int> restless;   // may have a task that is not asleep
  std::set<int> unsettled;  // have run: held calls may be ready or over
  std::set<int> calling;    // have calls that arrived or were paid

  // The lease by which a task has the clock. Null: the supervisor has the clock.
  std::atomic<ClockLease*> lent = nullptr;
  int lent_to = 0;  // token of the guest with this lease

  // Call it before anything that a task of the guest may notice.
  void wake(Guest& guest) {
    guest.held.tell_time();
    tell_uptime(guest);
    restless.insert(guest.token);
    unsettled.insert(guest.token);
  }
  void tell_uptime(Guest& guest) const {
    const Time now = simulation.now();
    if (guest.uptime) guest.uptime->tell(guest.clock.read(CLOCK_BOOTTIME, now), now);
  }
  std::shared_ptr<Guest> find(int token) const {
    const auto at = guests.find(token);
    return at == guests.end() ? nullptr : at->second;
  }
};

// A handler's view of one trapped call: its arguments, the caller's memory, and the ways to answer.
// Handlers are in sim/guest/time/calls.
class TrappedCall {
 public:
  TrappedCall(SupervisorState& world_of, Guest& guest_of, const Notification& notification)
      : world(world_of), guest(guest_of), notification_(notification) {}

  SupervisorState& world;
  Guest& guest;

  const Notification& notification() const { return notification_; }
  int number() const { return notification_.data.nr; }
  std::uint64_t argument(int i) const { return notification_.data.args[i]; }
  int integer(int i) const { return static_cast<int>(argument(i)); }
  pid_t tid() const { return static_cast<pid_t>(notification_.pid); }
  pid_t process() const { return process_of(tid()); }
  Time now() const { return world.simulation.now(); }

  // Reads a value from the caller's memory. Empty means EFAULT.
  template <typename T>
  std::optional<T> read(std::uint64_t address) const {
    T value;
    if (!read_memory(tid(), address, &value, sizeof value)) return {};
    return value;
  }
  // Also false when the call is over: a signal has ended it, and the program may now use the memory
  // for another purpose. That can still happen between the check and the write, which follow each
  // other directly. The reason for the write is never what ended the call.
  bool write_bytes(std::uint64_t address, const void* from, std::size_t bytes) const {
    return waits() && write_memory(tid(), address, from, bytes);
  }
  template <typename T>
  bool write(std::uint64_t address, const T& value) const {
    return write_bytes(address, &value, sizeof value);
  }
  // Whether the task still waits for our answer.
  bool waits() const { return guest.listener.waits(notification_.id); }

  void answer(std::int64_t value) const {
    wake();
    guest.listener.answer(notification_.id, value);
  }
  void fail(int error) const {
    wake();
    guest.listener.fail(notification_.id, error);
  }
  void go_on() const {
    wake();
    guest.listener.go_on(notification_.id);
  }
  // The answer is a duplicate of our descriptor, close-on-exec.
  void answer_with(int descriptor) const {
    wake();
    if (!guest.listener.answer_with(notification_.id, descriptor))
      guest.listener.fail(notification_.id, EINVAL);
  }
  // Answers with 0, or EFAULT when the result could not be written.
  void answer_written(bool written) const { written ? answer(0) : fail(EFAULT); }

  // Holds the call until the deadline; it then returns 0. The caller may change the result.
  HeldCall wait_until(Time deadline) const {
    HeldCall held;
    held.id = notification_.id;
    held.tid = tid();
    held.call = notification_.data;
    held.deadline = deadline;
    held.expire = [call = *this] { call.answer(0); };
    return held;
  }
  // The end of a wait. Every wait takes some time: a loop around a wait of no time would stop the
  // clock. A wait that hibernation has interrupted takes its rest.
  Time after(Duration wait) const {
    const Time soonest = now() + world.options.clock_read_cost;
    const auto rest = guest.held.interrupted().deadline(tid());
    return std::max(rest.value_or(now() + wait), soonest);
  }
  void hold(HeldCall held) const { guest.held.hold(std::move(held)); }

 private:
  void wake() const {
    world.wake(guest);
    ++guest.answers;
    guest.answered = tid();
  }

  Notification notification_;
};

// Whether a call polls without waiting, so that the kernel answers at once: poll or epoll_wait with
// a timeout of 0, or waitpid for any child with WNOHANG. The supervisor only counts such calls.
bool is_question(const Notification& call);
// Serves a call: looks it up in the table of trapped calls and answers or holds it.
void serve(SupervisorState& world, Guest& guest, const Notification& notification);
// The same for a call whose charge has been paid.
void serve_paid(SupervisorState& world, Guest& guest, const Notification& notification);

}  // namespace sim::guest
