#include "sim/guest/time/supervisor_loop.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

#include "base/process/system_call.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

// In lockstep, the real time that a call waits for tasks in disk wait. Only our answer can end a
// longer wait: a vfork() parent whose child makes a trapped call, or a task that spins until
// another task is answered.
constexpr std::chrono::microseconds kLongestDiskWait = std::chrono::seconds{1};
// The same for sources. With a shorter wait, guests' data would be read at an earlier virtual time
// than in a run with a quick disk. Longer waits are rare: a task that spins until a socket is read.
constexpr std::chrono::microseconds kLongestWaitOfSources = std::chrono::seconds{10};
// Real time that the world may be quiet with no event pending before nothing can ever happen again.
constexpr std::chrono::microseconds kGiveUp = std::chrono::milliseconds{200};
constexpr std::chrono::microseconds kFirstPause{20}, kLongestPause{1000};

}  // namespace

SupervisorLoop::SupervisorLoop(Simulation& simulation, SupervisorOptions options)
    : world{.simulation = simulation, .options = options},
      listeners(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching the guests' calls")) {
  if (options.lockstep) cpu_.emplace(&records);
  prctl(PR_SET_TIMERSLACK, 1000);  // ns: real pauses here are of that order, not of 50 µs
}

// Receives the waiting calls of guests: in lockstep all of them, because the order of the calls
// decides which task runs next. `at_most_one`: only one task can have called. True if a guest ran
// although the supervisor had woken none.
bool SupervisorLoop::hear_calls(bool at_most_one) {
  std::array<epoll_event, 64> ready;
  const int n = epoll_wait(listeners.get(), ready.data(), ready.size(), 0);
  bool surprise = false;
  for (int i = 0; i < n; ++i) {
    const auto guest = world.find(ready[i].data.fd);
    if (!guest) continue;
    pollfd p{guest->listener.descriptor(), POLLIN, static_cast<short>(ready[i].events)};
    if ((p.revents & POLLIN) == 0) {  // no task uses the filter any more
      epoll_ctl(listeners.get(), EPOLL_CTL_DEL, p.fd, nullptr);
      continue;
    }
    do {
      ++world.statistics.notifications;
      if (const auto call = guest->listener.receive()) guest->received.push_back(*call);
    } while (world.options.lockstep && !at_most_one && ::poll(&p, 1, 0) > 0 &&
             (p.revents & POLLIN) != 0);
    world.calling.insert(guest->token);
    if (world.unsettled.contains(guest->token)) continue;
    world.wake(*guest);
    surprise = true;
  }
  return surprise;
}

// In lockstep, the call of the task that is first in the tree of processes, not the call that came
// first. So the time that a task waited for this machine's disk has no influence.
Notification SupervisorLoop::next_call(Guest& guest) const {
  auto chosen = guest.received.begin();  // if all tasks have ended
  if (world.options.lockstep && guest.received.size() > 1)
    for (const TaskState& task : guest.seen) {
      const auto of_task =
          std::ranges::find(guest.received, task.tid,
                            [](const Notification& call) { return static_cast<pid_t>(call.pid); });
      if (of_task == guest.received.end()) continue;
      chosen = of_task;
      break;
    }
  const Notification call = *chosen;
  guest.received.erase(chosen);
  return call;
}

// In lockstep, questions that cost nothing are answered before everything else, and a lent clock
// stays lent. So a question has no side effect on the guest.
bool SupervisorLoop::serve_question() {
  if (!heard_ && hear_calls()) return true;  // to be looked at first
  heard_ = true;
  for (const int token : world.calling) {
    const auto guest = world.find(token);
    if (!guest || !guest->toll.is_free(CallWeight::kQuestion)) continue;
    const auto question = std::ranges::find_if(guest->received, is_question);
    if (question == guest->received.end()) continue;
    const Notification call = *question;
    guest->received.erase(question);
    serve(world, *guest, call);
    return true;
  }
  return false;
}

// Serves the next call of the first guest that has one.
bool SupervisorLoop::serve_one() {
  if (!heard_ && hear_calls()) return true;  // to be looked at first
  while (!world.calling.empty()) {
    const int token = *world.calling.begin();
    const auto guest = world.find(token);  // kept, because an event may release the guest
    if (!guest || (guest->paid.empty() && guest->received.empty())) {
      world.calling.erase(token);
      continue;
    }
    const bool paid = !guest->paid.empty();
    const Notification call = paid ? guest->paid.front() : next_call(*guest);
    if (paid) guest->paid.pop_front();
    paid ? serve_paid(world, *guest, call) : serve(world, *guest, call);
    return true;
  }
  return false;
}

// Does one thing at a time, so that in lockstep all its consequences happen before the next thing.
// Calls come last: a guest that spins on the clock always has a call, and earlier output of others
// must be read before it.
bool SupervisorLoop::work() { return settle() || poll_sources() || serve_one(); }

// Without lockstep, any held call may be over at any time. That costs a call of the kernel for
// each, so it is checked in steps in which no task got an answer: there is always one before time
// passes. Until then ready() of a call must not act for a call that is over.
bool SupervisorLoop::settle() {
  const std::set<int> unsettled = world.unsettled;  // a copy: what settles wakes its guest
  for (const int token : unsettled)
    if (const auto guest = world.find(token)) {
      if ((!cpu_ && !worked_) || guest->escapes_one_look()) guest->held.any_ran();
      if (guest->held.settle() || guest->timers.drop_dead()) return true;
    }
  return false;
}

// Called only when no task of any guest can run. A result stays valid until its guest is woken.
bool SupervisorLoop::settle_quiet() {
  for (auto at = world.unsettled.begin(); at != world.unsettled.end();) {
    const auto guest = world.find(*at);
    if (guest && guest->held.settle_quiet()) return true;
    at = guest && guest->escapes_one_look() ? std::next(at) : world.unsettled.erase(at);
  }
  return false;
}

bool SupervisorLoop::poll_sources() {
  bool any = false;
  for (std::size_t i = 0; i < sources.size(); ++i) any = sources[i]() || any;
  return any;
}

// Since the last look one task has run. True if it is the only task whose call was answered, and it
// makes another call: then all are asleep again. This saves the look at most clock reads and
// sleeps.
bool SupervisorLoop::calls_again() {
  if (world.restless.size() != 1) return false;
  const auto guest = world.find(*world.restless.begin());
  if (!guest || guest->escapes_one_look() || guest->answers != 1 || !guest->received.empty() ||
      hear_calls(true))
    return false;
  heard_ = guest->received.size() == 1 &&
           static_cast<pid_t>(guest->received.front().pid) == guest->answered;
  return heard_;
}

// Not while a task waits for this machine's disk, which must not show: it reads on when it is done.
void SupervisorLoop::take_clock_back() {
  ClockLease* const lent = world.lent.exchange(nullptr);
  if (!lent) return;
  const Time before = world.simulation.now(), now = lent->take_back();
  world.statistics.clock_reads +=
      static_cast<std::uint64_t>((now - before) / world.options.clock_read_cost);
  world.simulation.run_until(now);  // nothing is due before
  if (const auto guest = world.find(world.lent_to)) guest->toll.clock_is_back(now);
}

// One look at the tasks of all guests that may have run; false when any can run. In lockstep the
// tasks rest, except a task in disk wait or one that left the lockstep. A disk may end a wait in
// the middle of a look, and the task may then wake a task that was already seen asleep. Such a look
// counts only if the next one finds the same.
bool SupervisorLoop::look() {
  heard_ = false;
  if (spinning_.any()) spinning_.rested();
  if (cpu_) {
    const LockstepCpu::Rest rest = cpu_->rest(kLongestPause);
    if (rest == LockstepCpu::Rest::kNone) return false;
    if (rest == LockstepCpu::Rest::kOneTaskRan && calls_again()) {
      world.find(*world.restless.begin())->answers = 0;
      world.restless.clear();
      return true;
    }
  }
  std::optional<std::vector<TaskState>> before;
  for (;;) {
    const std::uint64_t switches = cpu_ ? cpu_->times_left() : 0;
    if (!all_asleep()) return false;
    if (!cpu_ || cpu_->times_left() == switches) break;
    std::vector<TaskState> seen = seen_of_restless();
    if (before == seen) break;
    before = std::move(seen);
  }
  std::erase_if(world.restless, [this](int token) {
    const auto guest = world.find(token);
    return !guest || (cpu_ && !guest->escapes_one_look());
  });
  return true;
}

// Whether the tasks of all restless guests are asleep. The guest that was awake in the last look
// comes first, because it probably still is.
bool SupervisorLoop::all_asleep() {
  records.take();
  const auto awake = world.find(world.restless.contains(awake_) ? awake_ : 0);
  if (!cpu_ && awake && !look_at(*awake)) return false;
  for (const int token : world.restless) {
    const auto guest = world.find(token);
    if (!guest || (!cpu_ && guest == awake) || look_at(*guest)) continue;
    awake_ = token;
    return false;
  }
  return true;
}

// One look at a guest: whether all its tasks are asleep.
bool SupervisorLoop::look_at(Guest& guest) {
  ++world.statistics.looks;
  guest.answers = 0;
  guest.seen.clear();
  const bool every = !cpu_ || guest.escapes_one_look();
  // A task that this wakes runs at once, and the look is void: the supervisor has left its CPU.
  if (cpu_) guest.terminals.hand_on();
  const bool still = guest.tasks->look(every ? Look::kEveryTask : Look::kTasksThatRan, guest.seen);
  const TaskList::Findings found = guest.tasks->take_findings();
  world.statistics.reads_of_tasks += found.reads;
  for (const pid_t tid : found.ran) guest.held.ran(tid);
  return still;
}

std::vector<TaskState> SupervisorLoop::seen_of_restless() const {
  std::vector<TaskState> tasks;
  for (const int token : world.restless)
    if (const auto guest = world.find(token))
      tasks.insert(tasks.end(), guest->seen.begin(), guest->seen.end());
  return tasks;
}

// After a look that found all tasks asleep: whether none can run before the next event. In lockstep
// one look is enough. Otherwise, and for guests that left lockstep, it takes two equal looks with
// only a pause between them.
bool SupervisorLoop::certain() {
  std::vector<TaskState> tasks = seen_of_restless();
  if (!world.restless.empty() && looked_ != tasks) {
    looked_ = std::move(tasks);
    pause(world.options.settle);
    return false;
  }
  looked_.reset();
  std::erase_if(world.restless,
                [this](int token) { return !world.find(token)->escapes_one_look(); });
  return true;
}

// Waits in real time; free-running guests end it by a call.
void SupervisorLoop::pause(Microseconds longest) {
  pollfd calls{listeners.get(), POLLIN, 0};
  const timespec timeout = to_timespec(longest);
  ppoll(&calls, world.options.lockstep ? 0 : 1, &timeout, nullptr);
}

bool SupervisorLoop::run(const std::function<bool()>& done) {
  const bool lockstep = world.options.lockstep;
  Microseconds wait = kFirstPause, busy{0}, idle{0};
  while (!done()) {
    // In lockstep nothing is answered while a task can run or waits for a disk: the order would
    // depend on it.
    const bool quiet_before = lockstep && look();
    if (quiet_before) spinning_.others_rest();
    if (spinning_.works_on()) busy = kLongestWaitOfSources;
    const bool all = !lockstep || quiet_before || busy >= kLongestWaitOfSources;
    const bool asked = quiet_before && serve_question();
    if (!asked && (quiet_before || busy >= kLongestDiskWait)) take_clock_back();
    if (quiet_before && !spinning_.any()) spinning_.all_rest();
    worked_ = asked || (all ? work() : busy >= kLongestDiskWait && serve_one());
    if (worked_) {
      if (quiet_before) spinning_.tell();
      if (!lockstep) pause(kFirstPause);  // for the next call of a task that got an answer
      looked_.reset();
      wait = kFirstPause;
      busy = idle = Microseconds{0};
      continue;
    }
    if (!quiet_before && (lockstep || !look())) {  // a guest computes, or waits for a disk
      looked_.reset();
      idle = Microseconds{0};
      spinning_.watch();
      if (const auto next = world.simulation.next(); next && spinning_.let_pass_at_work(*next)) {
        spinning_.pass_at_work(*next);
        ++world.statistics.events;
        world.simulation.step();
        continue;
      }
      pause(wait);
      busy += wait;
      wait = std::min(2 * wait, kLongestPause);
      continue;
    }
    wait = kFirstPause;
    busy = Microseconds{0};
    if (!lockstep) spinning_.others_rest();
    if (!certain() || settle_quiet()) continue;
    const auto next = world.simulation.next();
    if (spinning_.any() && (!next || !spinning_.let_pass(*next))) {
      pause(kLongestPause);
      continue;
    }
    if (next) {
      spinning_.pass(*next);
      ++world.statistics.events;
      world.simulation.step();
      idle = Microseconds{0};
      continue;
    }
    if (idle >= kGiveUp) return false;
    for (const auto& [token, guest] : world.guests) world.restless.insert(token);
    pause(kLongestPause);
    idle += kLongestPause;
  }
  return true;
}

}  // namespace sim::guest
