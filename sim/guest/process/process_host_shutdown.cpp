// How machines end.
#include <signal.h>
#include <sys/epoll.h>

#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

// As systemd does it: SIGTERM to all, SIGKILL to what is left after the grace.
void ProcessHost::State::stop_gracefully(Machine& machine) {
  const std::string name = machine.name;
  if (machine.empty) {
    simulation.after({}, [this, name] { finish(name); });
    return;
  }
  supervisor.wake(machine.guest);
  for (const pid_t process : machine.sandbox.processes()) ::kill(process, SIGTERM);
  machine.deadline = simulation.after(config.durations.os_grace, [this, name] { finish(name); });
}

void ProcessHost::State::finish(const std::string& name) {
  const auto at = machines.find(name);
  if (at == machines.end()) return;
  const std::unique_ptr<Machine> machine = std::move(at->second);
  machines.erase(at);
  machine_of_guest.erase(machine->guest);
  for (const int from : {machine->events.descriptor(), machine->sandbox.messages()})
    epoll_ctl(news.get(), EPOLL_CTL_DEL, from, nullptr);
  machine->sandbox.kill();
  supervisor.release(machine->guest);
  machine->events.drain(simulation.now(), log);
  for (const int listener : machine->listeners) server.close(listener);
  if (machine->deadline) simulation.cancel(*machine->deadline);
  let_go(*machine);
  if (!has_namespaces(config.level)) {
    std::error_code ignored;
    std::filesystem::remove_all(folder.path() / "guests" / name, ignored);
  }
  if (machine->gone) simulation.after({}, std::move(machine->gone));
}

// The machine's end has unmounted its volumes.
void ProcessHost::State::let_go(Machine& machine) {
  for (auto& [volume, plug] : machine.plugs) {
    disks.wait_until_free(volume);
    disks.unplug(volume);
    if (plug.released) simulation.after({}, std::move(plug.released));
  }
  machine.plugs.clear();
}

void ProcessHost::shut_down(const cloud::Instance& instance, cloud::Shutdown how,
                            std::function<void()> gone) {
  State& s = *state_;
  const auto at = s.machines.find(instance.id.value);
  if (at == s.machines.end()) {
    s.simulation.after({}, std::move(gone));
    return;
  }
  Machine& machine = *at->second;
  machine.gone = std::move(gone);
  if (how == cloud::Shutdown::kGraceful) return s.stop_gracefully(machine);
  for (const auto& [volume, plug] : machine.plugs) s.disks.cut_off(volume, machine.sandbox.init());
  s.finish(machine.name);
}

}  // namespace sim::guest
