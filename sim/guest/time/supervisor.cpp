#include "sim/guest/time/supervisor.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

#include "base/process/system_call.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/ran_tasks.h"
#include "sim/guest/time/real_clock.h"
#include "sim/guest/time/spinning_tasks.h"
#include "sim/guest/time/trapped_call.h"

namespace sim::guest {
namespace {

using Microseconds = std::chrono::microseconds;

// In lockstep, the real time that a call waits for tasks in disk wait. Only our answer can end a
// longer wait: a vfork() parent whose child makes a trapped call, or a task that spins until
// another task is answered.
constexpr Microseconds kLongestDiskWait = std::chrono::seconds{1};
// The same for sources. With a shorter wait, guests' data would be read at an earlier virtual time
// than in a run with a quick disk. Longer waits are rare: a task that spins until a socket is read.
constexpr Microseconds kLongestWaitOfSources = std::chrono::seconds{10};
// Real time that the world may be quiet with no event pending before nothing can ever happen again.
constexpr Microseconds kGiveUp = std::chrono::milliseconds{200};
constexpr Microseconds kFirstPause{20}, kLongestPause{1000};

}  // namespace

struct Supervisor::State {
  State(Simulation& simulation, const Streams& random, SupervisorOptions options)
      : world{.simulation = simulation, .options = options},
        streams(random),
        listeners(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching the guests' calls")) {
    if (options.lockstep) cpu.emplace(&records);
    prctl(PR_SET_TIMERSLACK, 1000);  // ns: real pauses here are of that order, not of 50 µs
  }

  bool hear_calls(bool at_most_one = false);
  Notification next_call(Guest& guest) const;
  bool serve_question();
  bool serve_one();
  bool work();
  bool settle();
  bool settle_quiet();
  bool poll_sources();
  bool calls_again();
  void take_clock_back();
  bool look();
  bool all_asleep();
  std::vector<TaskState> seen_of_restless() const;
  bool certain();
  void pause(Microseconds longest);

  RanTasks records;  // lockstep
  SupervisorState world;
  const Streams streams;
  const base::FileDescriptor listeners;  // epoll, of the guests that have not hung up
  std::optional<LockstepCpu> cpu;
  std::vector<std::function<bool()>> sources;
  SpinningTasks spinning{world};
  int next_token = 1;
  bool heard = false;  // by a look with nothing after it: no call can have come in since
  std::optional<std::vector<TaskState>> looked;  // certain()'s previous look
};

// Receives the waiting calls of guests: in lockstep all of them, because the order of the calls
// decides which task runs next. `at_most_one`: only one task can have called. True if a guest ran
// although the supervisor had woken none.
bool Supervisor::State::hear_calls(bool at_most_one) {
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
Notification Supervisor::State::next_call(Guest& guest) const {
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
bool Supervisor::State::serve_question() {
  if (!heard && hear_calls()) return true;  // to be looked at first
  heard = true;
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
bool Supervisor::State::serve_one() {
  if (!heard && hear_calls()) return true;  // to be looked at first
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
bool Supervisor::State::work() { return settle() || poll_sources() || serve_one(); }

bool Supervisor::State::settle() {
  const std::set<int> unsettled = world.unsettled;  // a copy: what settles wakes its guest
  for (const int token : unsettled)
    if (const auto guest = world.find(token)) {
      if (!cpu || guest->escapes_one_look()) guest->held.any_ran();
      if (guest->held.settle() || guest->timers.drop_dead()) return true;
    }
  return false;
}

// Called only when no task of any guest can run. A result stays valid until its guest is woken.
bool Supervisor::State::settle_quiet() {
  for (auto at = world.unsettled.begin(); at != world.unsettled.end();) {
    const auto guest = world.find(*at);
    if (guest && guest->held.settle_quiet()) return true;
    at = guest && guest->escapes_one_look() ? std::next(at) : world.unsettled.erase(at);
  }
  return false;
}

bool Supervisor::State::poll_sources() {
  bool any = false;
  for (std::size_t i = 0; i < sources.size(); ++i) any = sources[i]() || any;
  return any;
}

// Since the last look one task has run. True if it is the only task whose call was answered, and it
// makes another call: then all are asleep again. This saves the look at most clock reads and
// sleeps.
bool Supervisor::State::calls_again() {
  if (world.restless.size() != 1) return false;
  const auto guest = world.find(*world.restless.begin());
  if (!guest || guest->escapes_one_look() || guest->answers != 1 || !guest->received.empty() ||
      hear_calls(true))
    return false;
  heard = guest->received.size() == 1 &&
          static_cast<pid_t>(guest->received.front().pid) == guest->answered;
  return heard;
}

// Not while a task waits for this machine's disk, which must not show: it reads on when it is done.
void Supervisor::State::take_clock_back() {
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
bool Supervisor::State::look() {
  heard = false;
  if (spinning.any()) spinning.rested();
  if (cpu) {
    const LockstepCpu::Rest rest = cpu->rest(kLongestPause);
    if (rest == LockstepCpu::Rest::kNone) return false;
    if (rest == LockstepCpu::Rest::kOneTaskRan && calls_again()) {
      world.find(*world.restless.begin())->answers = 0;
      world.restless.clear();
      return true;
    }
  }
  std::optional<std::vector<TaskState>> before;
  for (;;) {
    const std::uint64_t switches = cpu ? cpu->times_left() : 0;
    if (!all_asleep()) return false;
    if (!cpu || cpu->times_left() == switches) break;
    std::vector<TaskState> seen = seen_of_restless();
    if (before == seen) break;
    before = std::move(seen);
  }
  std::erase_if(world.restless, [this](int token) {
    const auto guest = world.find(token);
    return !guest || (cpu && !guest->escapes_one_look());
  });
  return true;
}

bool Supervisor::State::all_asleep() {
  records.take();
  for (const int token : world.restless) {
    const auto guest = world.find(token);
    if (!guest) continue;
    ++world.statistics.looks;
    guest->answers = 0;
    guest->seen.clear();
    const bool every = !cpu || guest->escapes_one_look();
    // A task that this wakes runs at once, and the look is void: the supervisor has left its CPU.
    if (cpu) guest->terminals.hand_on();
    const bool still =
        guest->tasks->look(every ? Look::kEveryTask : Look::kTasksThatRan, guest->seen);
    const TaskList::Findings found = guest->tasks->take_findings();
    world.statistics.reads_of_tasks += found.reads;
    for (const pid_t tid : found.ran) guest->held.ran(tid);
    if (!still) return false;
  }
  return true;
}

std::vector<TaskState> Supervisor::State::seen_of_restless() const {
  std::vector<TaskState> tasks;
  for (const int token : world.restless)
    if (const auto guest = world.find(token))
      tasks.insert(tasks.end(), guest->seen.begin(), guest->seen.end());
  return tasks;
}

// After a look that found all tasks asleep: whether none can run before the next event. In lockstep
// one look is enough. Otherwise, and for guests that left lockstep, it takes two equal looks with
// only a pause between them.
bool Supervisor::State::certain() {
  std::vector<TaskState> tasks = seen_of_restless();
  if (!world.restless.empty() && looked != tasks) {
    looked = std::move(tasks);
    pause(world.options.settle);
    return false;
  }
  looked.reset();
  std::erase_if(world.restless,
                [this](int token) { return !world.find(token)->escapes_one_look(); });
  return true;
}

// Waits in real time; free-running guests end it by a call.
void Supervisor::State::pause(Microseconds longest) {
  pollfd calls{listeners.get(), POLLIN, 0};
  const timespec timeout = to_timespec(longest);
  ppoll(&calls, world.options.lockstep ? 0 : 1, &timeout, nullptr);
}

Supervisor::Supervisor(Simulation& simulation, const Streams& streams, SupervisorOptions options)
    : state_(std::make_unique<State>(simulation, streams, options)) {}

Supervisor::~Supervisor() = default;

int Supervisor::adopt(int notification_descriptor, std::unique_ptr<TaskList> tasks,
                      const std::string& name) {
  const int token = state_->next_token++;
  take_over(token, notification_descriptor, std::move(tasks), name, state_->world.simulation.now());
  return token;
}

void Supervisor::adopt_again(int token, int notification_descriptor,
                             std::unique_ptr<TaskList> tasks, const std::string& name,
                             Duration boot) {
  std::unique_ptr<UptimeFiles> uptime;
  if (const auto guest = state_->world.find(token)) uptime = std::move(guest->uptime);
  release(token);
  take_over(token, notification_descriptor, std::move(tasks), name,
            state_->world.simulation.now() + boot);
  if (uptime) show_uptime(token, std::move(uptime));
}

void Supervisor::show_uptime(int token, std::unique_ptr<UptimeFiles> files) {
  const auto guest = state_->world.find(token);
  if (!guest) return;
  guest->uptime = std::move(files);
  state_->world.tell_uptime(*guest);
}

void Supervisor::take_over(int token, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                           const std::string& name, Time booted) {
  State& state = *state_;
  epoll_event heard{.events = EPOLLIN, .data = {.fd = token}};
  base::FileDescriptor notifications(notification_descriptor);
  base::checked(epoll_ctl(state.listeners.get(), EPOLL_CTL_ADD, notifications.get(), &heard),
                "watching a guest's calls");
  tasks->follow(state.records);
  const GuestStreams streams{.bytes = state.streams.stream("getrandom", name),
                             .images = state.streams.stream("program images", name),
                             .ports = state.streams.stream("ports", name)};
  const auto guest =
      std::make_shared<Guest>(token, std::move(notifications), std::move(tasks), streams,
                              state.world.simulation, booted, [this, token] { wake(token); });
  state.world.guests.emplace(token, guest);
  state.world.wake(*guest);
}

void Supervisor::release(int token) {
  const auto guest = state_->world.find(token);
  if (!guest) return;
  epoll_ctl(state_->listeners.get(), EPOLL_CTL_DEL, guest->listener.descriptor(), nullptr);
  guest->held.close();
  guest->timers.clear();
  guest->paid.clear();
  guest->received.clear();
  if (guest->lease && state_->world.lent == guest->lease.get()) state_->world.lent = nullptr;
  state_->world.guests.erase(token);
  state_->world.restless.erase(token);
}

void Supervisor::wake(int token) {
  if (const auto guest = state_->world.find(token)) state_->world.wake(*guest);
}

void Supervisor::fall_asleep(int token) {
  const auto guest = state_->world.find(token);
  if (!guest) return;
  guest->clock.fall_asleep(state_->world.simulation.now());
  guest->held.fall_asleep();
  guest->timers.fall_asleep();
}

void Supervisor::wake_up(int token) {
  const auto guest = state_->world.find(token);
  if (!guest) return;
  const Duration slept = guest->clock.wake_up(state_->world.simulation.now());
  guest->held.wake_up(slept);
  guest->timers.wake_up(slept);
}

void Supervisor::set_clock_skew(int token, Duration skew) {
  if (const auto guest = state_->world.find(token)) guest->clock.set_skew(skew);
}

void Supervisor::add_source(std::function<bool()> poll) {
  state_->sources.push_back(std::move(poll));
}
void Supervisor::set_hooks(SupervisorHooks& hooks) { state_->world.hooks = &hooks; }
void Supervisor::end_lease() {
  if (ClockLease* const lent = state_->world.lent) lent->end();
}
Supervisor::Statistics Supervisor::statistics() const {
  Statistics all = state_->world.statistics;
  for (const auto& [token, guest] : state_->world.guests)
    all.looks_at_held_calls += guest->held.looked_at();
  return all;
}

bool Supervisor::run(const std::function<bool()>& done) {
  State& state = *state_;
  const bool lockstep = state.world.options.lockstep;
  Microseconds pause = kFirstPause, busy{0}, idle{0};
  while (!done()) {
    // In lockstep nothing is answered while a task can run or waits for a disk: the order would
    // depend on it.
    const bool quiet_before = lockstep && state.look();
    if (quiet_before) state.spinning.others_rest();
    if (state.spinning.works_on()) busy = kLongestWaitOfSources;
    const bool all = !lockstep || quiet_before || busy >= kLongestWaitOfSources;
    const bool asked = quiet_before && state.serve_question();
    if (!asked && (quiet_before || busy >= kLongestDiskWait)) state.take_clock_back();
    if (quiet_before && !state.spinning.any()) state.spinning.all_rest();
    if (asked || (all ? state.work() : busy >= kLongestDiskWait && state.serve_one())) {
      if (quiet_before) state.spinning.tell();
      state.looked.reset();
      pause = kFirstPause;
      busy = idle = Microseconds{0};
      continue;
    }
    if (!quiet_before && (lockstep || !state.look())) {  // a guest computes, or waits for a disk
      state.looked.reset();
      idle = Microseconds{0};
      state.spinning.watch();
      if (const auto next = state.world.simulation.next();
          next && state.spinning.let_pass_at_work(*next)) {
        state.spinning.tell_work();
        ++state.world.statistics.events;
        state.world.simulation.step();
        continue;
      }
      state.pause(pause);
      busy += pause;
      pause = std::min(2 * pause, kLongestPause);
      continue;
    }
    pause = kFirstPause;
    busy = Microseconds{0};
    if (!lockstep) state.spinning.others_rest();
    if (!state.certain() || state.settle_quiet()) continue;
    const auto next = state.world.simulation.next();
    if (state.spinning.any() && (!next || !state.spinning.let_pass(*next))) {
      state.pause(kLongestPause);
      continue;
    }
    if (next) {
      state.spinning.tell();
      ++state.world.statistics.events;
      state.world.simulation.step();
      idle = Microseconds{0};
      continue;
    }
    if (idle >= kGiveUp) return false;
    for (const auto& [token, guest] : state.world.guests) state.world.restless.insert(token);
    state.pause(kLongestPause);
    idle += kLongestPause;
  }
  return true;
}

}  // namespace sim::guest
