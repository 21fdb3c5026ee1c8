#include "sim/guest/time/supervisor.h"

#include <sys/epoll.h>

#include <utility>

#include "base/process/system_call.h"
#include "sim/guest/time/supervisor_loop.h"

namespace sim::guest {

struct Supervisor::State {
  State(Simulation& simulation, const Streams& random, SupervisorOptions options)
      : loop(simulation, options), streams(random) {}

  SupervisorLoop loop;
  SupervisorState& world = loop.world;
  const Streams streams;
  int next_token = 1;
};

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
  base::checked(epoll_ctl(state.loop.listeners.get(), EPOLL_CTL_ADD, notifications.get(), &heard),
                "watching a guest's calls");
  tasks->follow(state.loop.records);
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
  epoll_ctl(state_->loop.listeners.get(), EPOLL_CTL_DEL, guest->listener.descriptor(), nullptr);
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
  state_->loop.sources.push_back(std::move(poll));
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

bool Supervisor::run(const std::function<bool()>& done) { return state_->loop.run(done); }

}  // namespace sim::guest
