#include "sim/guest/time/supervisor.h"

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/guest/time/trapped_call.h"

namespace sim::guest {
namespace {

using Microseconds = std::chrono::microseconds;

// In lockstep, real time that a call waits for tasks in disk wait. Longer waits than this are for
// us: a vfork() parent whose child makes a trapped call, or a task that spins until another one is
// answered.
constexpr Microseconds kLongestDiskWait = std::chrono::seconds{1};
// The same for sources: what guests wrote meanwhile would be taken at an earlier virtual time than
// in a run where the disk is quick. Nearly nothing but a task that spins until a socket is read
// from.
constexpr Microseconds kLongestWaitOfSources = std::chrono::seconds{10};
// Real time that the world may be quiet with no event pending before nothing can ever happen again.
constexpr Microseconds kGiveUp = std::chrono::milliseconds{200};
constexpr Microseconds kFirstPause{20}, kLongestPause{1000};

// Pins the calling thread to the CPU it runs on for as long as this lives.
class Pin {
 public:
  Pin() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_getaffinity(0, sizeof before_, &before_) != 0 ||
        sched_setaffinity(0, sizeof one, &one) != 0)
      throw std::system_error(errno, std::generic_category(), "pinning the supervisor to a CPU");
  }
  ~Pin() { sched_setaffinity(0, sizeof before_, &before_); }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace

struct Supervisor::State {
  State(Simulation& simulation, const Streams& random, SupervisorOptions options)
      : world{simulation, options, {}, {}, {}, {}, {}, {}}, streams(random) {
    if (options.lockstep) pin.emplace();
    prctl(PR_SET_TIMERSLACK, 1000);  // ns: real pauses here are of that order, not of 50 µs
  }

  std::optional<Notification> receive(Guest& guest);
  std::optional<Notification> next_call(Guest& guest);
  bool serve_one(Guest& guest);
  bool serve_one();
  bool work();
  bool settle();
  bool settle_quiet();
  bool poll_sources();
  bool look();
  void pause(Microseconds longest);
  void advance();
  std::vector<std::shared_ptr<Guest>> guests() const;

  World world;
  const Streams streams;
  std::optional<Pin> pin;
  std::vector<std::function<bool()>> sources;
  int next_token = 1;
  std::vector<TaskState> tasks;  // of the last look
};

// A copy, because an event or a source may adopt and release guests.
std::vector<std::shared_ptr<Guest>> Supervisor::State::guests() const {
  std::vector<std::shared_ptr<Guest>> all;
  all.reserve(world.guests.size());
  for (const auto& [token, guest] : world.guests) all.push_back(guest);
  return all;
}

std::optional<Notification> Supervisor::State::receive(Guest& guest) {
  pollfd p{guest.listener.descriptor(), POLLIN, 0};
  if (guest.hung_up || ::poll(&p, 1, 0) <= 0) return {};
  guest.hung_up = (p.revents & POLLIN) == 0;
  if (guest.hung_up) return {};
  ++world.statistics.notifications;
  return guest.listener.receive();
}

// In lockstep, the call of the task that comes first in the tree of processes, and not the one that
// came first: which task waited for a disk on its way to its call must not show.
std::optional<Notification> Supervisor::State::next_call(Guest& guest) {
  if (!world.options.lockstep) return receive(guest);
  while (auto call = receive(guest)) guest.received.push_back(*call);
  for (const TaskState& task : tasks)
    for (auto at = guest.received.begin(); at != guest.received.end(); ++at)
      if (static_cast<pid_t>(at->pid) == task.tid) {
        const Notification call = *at;
        guest.received.erase(at);
        return call;
      }
  // Tasks that have ended, or that could not be looked at: in the order they came.
  if (guest.received.empty()) return {};
  const Notification call = guest.received.front();
  guest.received.erase(guest.received.begin());
  return call;
}

bool Supervisor::State::serve_one(Guest& guest) {
  if (!guest.paid.empty()) {
    const Notification call = guest.paid.front();
    guest.paid.pop_front();
    serve_paid(world, guest, call);
    return true;
  }
  const auto call = next_call(guest);
  if (call) serve(world, guest, *call);
  return call.has_value();
}

// The next call of the first guest that has one.
bool Supervisor::State::serve_one() {
  for (const auto& [token, guest] : world.guests) {
    const std::shared_ptr<Guest> kept = guest;  // an event may release it meanwhile
    if (serve_one(*kept)) return true;
  }
  return false;
}

// One thing at a time, so that in lockstep everything that follows from it has happened before the
// next. Calls come last: a guest that spins on the clock always has one, and what others wrote
// before it must not be taken after it.
bool Supervisor::State::work() { return settle() || poll_sources() || serve_one(); }

bool Supervisor::State::settle() {
  for (const auto& guest : guests())
    if (guest->held.settle() || guest->timers.drop_dead()) return true;
  return false;
}

bool Supervisor::State::settle_quiet() {
  for (const auto& guest : guests())
    if (guest->held.settle_quiet()) return true;
  return false;
}

bool Supervisor::State::poll_sources() {
  bool any = false;
  for (std::size_t i = 0; i < sources.size(); ++i) any = sources[i]() || any;
  return any;
}

// One look at all tasks of all guests; false when any can run.
bool Supervisor::State::look() {
  ++world.statistics.looks;
  tasks.clear();
  for (const auto& [token, guest] : world.guests)
    if (!guest->tasks->look(tasks)) return false;
  return true;
}

// Waits in real time; free-running guests end it by a call.
void Supervisor::State::pause(Microseconds longest) {
  std::vector<pollfd> listeners;
  if (!world.options.lockstep)
    for (const auto& [token, guest] : world.guests)
      if (!guest->hung_up) listeners.push_back({guest->listener.descriptor(), POLLIN, 0});
  const timespec timeout = to_timespec(longest);
  ppoll(listeners.data(), listeners.size(), &timeout, nullptr);
}

// Takes the next event; everything is quiet.
void Supervisor::State::advance() {
  const Time next = *world.simulation.next();
  if (next > world.simulation.now())
    for (const auto& [token, guest] : world.guests) guest->held.before_time_moves(next);
  ++world.statistics.events;
  world.simulation.step();
}

Supervisor::Supervisor(Simulation& simulation, const Streams& streams, SupervisorOptions options)
    : state_(std::make_unique<State>(simulation, streams, options)) {}

Supervisor::~Supervisor() = default;

int Supervisor::adopt(int notification_descriptor, std::unique_ptr<TaskList> tasks,
                      const std::string& name) {
  const int token = state_->next_token++;
  state_->world.guests.emplace(
      token,
      std::make_shared<Guest>(token, FileDescriptor(notification_descriptor), std::move(tasks),
                              state_->streams.stream("getrandom", name), state_->world.simulation));
  return token;
}

void Supervisor::release(int guest) {
  const auto at = state_->world.guests.find(guest);
  if (at == state_->world.guests.end()) return;
  at->second->held.close();
  at->second->timers.clear();
  at->second->paid.clear();
  at->second->received.clear();
  state_->world.guests.erase(at);
}

void Supervisor::add_source(std::function<bool()> poll) {
  state_->sources.push_back(std::move(poll));
}
void Supervisor::set_charge(Charge charge) { state_->world.charge = std::move(charge); }
void Supervisor::set_sync(Sync sync) { state_->world.sync = std::move(sync); }
void Supervisor::set_mount(Mount mount, Unmount unmount) {
  state_->world.mount = std::move(mount);
  state_->world.unmount = std::move(unmount);
}
Supervisor::Statistics Supervisor::statistics() const { return state_->world.statistics; }

bool Supervisor::run(const std::function<bool()>& done) {
  State& state = *state_;
  const bool lockstep = state.world.options.lockstep;
  std::optional<std::vector<TaskState>> looked;  // the look before, when nothing happened since
  Microseconds pause = kFirstPause, busy{0}, idle{0};
  while (!done()) {
    // In lockstep nothing is answered while a task can run or waits for a disk: the order would
    // depend on it.
    const bool quiet_before = lockstep && state.look();
    const bool all = !lockstep || quiet_before || busy >= kLongestWaitOfSources;
    if (all ? state.work() : busy >= kLongestDiskWait && state.serve_one()) {
      looked.reset();
      pause = kFirstPause;
      busy = idle = Microseconds{0};
      continue;
    }
    if (!quiet_before && (lockstep || !state.look())) {  // a guest computes, or waits for a disk
      looked.reset();
      idle = Microseconds{0};
      state.pause(pause);
      busy += pause;
      pause = std::min(2 * pause, kLongestPause);
      continue;
    }
    pause = kFirstPause;
    busy = Microseconds{0};
    if (!looked || *looked != state.tasks) {
      looked = state.tasks;
      state.pause(state.world.options.settle);
      continue;
    }
    looked.reset();
    // Two equal looks with nothing between: no guest can run before something happens.
    if (state.settle_quiet()) continue;
    if (state.world.simulation.next()) {
      state.advance();
      idle = Microseconds{0};
      continue;
    }
    if (idle >= kGiveUp) return false;
    state.pause(kLongestPause);
    idle += kLongestPause;
  }
  return true;
}

}  // namespace sim::guest
