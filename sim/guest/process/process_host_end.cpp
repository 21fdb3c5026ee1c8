// How machines end, and how their operating systems start again: all programs end, what lies on
// disks stays, the boot runs again.
#include <signal.h>
#include <sys/epoll.h>

#include <filesystem>

#include "sim/events/event.h"
#include "sim/guest/process/kept_files.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

// As systemd does it: SIGTERM to all, and what is left after the grace is for `overdue`. Where
// nothing runs any more, `ended` follows at once.
void ProcessHost::State::terminate_all(Machine& machine, Step ended, Step overdue) {
  const std::string name = machine.name;
  if (machine.empty) {
    simulation.after({}, [this, name, ended] { (this->*ended)(name); });
    return;
  }
  supervisor.wake(machine.guest);
  for (const pid_t process : machine.sandbox.to_terminate()) ::kill(process, SIGTERM);
  machine.deadline = simulation.after(config.durations.os_grace,
                                      [this, name, overdue] { (this->*overdue)(name); });
}

void ProcessHost::State::stop_gracefully(Machine& machine) {
  terminate_all(machine, &State::finish, &State::finish);
}

void ProcessHost::State::finish(const std::string& name) {
  const auto at = machines.find(name);
  if (at == machines.end()) return;
  end_progress(*at->second);
  if (has_namespaces(config.level) && !at->second->instance.empty())
    keep_files(at->second->sandbox.root(), config.keep,
               std::filesystem::absolute(config.output) / "files" / name);
  const std::unique_ptr<Machine> machine = std::move(at->second);
  machines.erase(at);
  machine_of_guest.erase(machine->guest);
  for (const int from : machine->heard_from()) epoll_ctl(news.get(), EPOLL_CTL_DEL, from, nullptr);
  settings.drain(simulation.now(), log);
  settings.forget(name);
  disk_times.forget(machine->sandbox.inside());
  for (const auto& [volume, plug] : machine->plugs)
    if (disks.paused(volume)) disks.cut_off(volume, machine->sandbox.inside());
  machine->sandbox.kill();
  network.leave(name);
  supervisor.release(machine->guest);
  machine->events.drain(simulation.now(), log);
  machine->console.drain();
  if (machine->output) machine->output->end();
  copy_console(*machine);
  consoles.erase(name);
  for (const int listener : machine->listeners) server.close(listener);
  name_server.close(machine->names);
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
  machine.exited = {};
  if (how == cloud::Shutdown::kGraceful) return s.stop_gracefully(machine);
  s.network.cut(machine.name);
  for (const auto& [volume, plug] : machine.plugs)
    s.disks.cut_off(volume, machine.sandbox.inside());
  s.finish(machine.name);
}

// ---- reboots

void ProcessHost::reboot(const cloud::Instance& instance, Duration takes) {
  const auto at = state_->machines.find(instance.id.value);
  if (at == state_->machines.end()) return;
  Machine& machine = *at->second;
  if (!machine.gone && !machine.reboot_takes) state_->begin_reboot(machine, takes);
}

void ProcessHost::State::begin_reboot(Machine& machine, Duration takes) {
  log.append(events::GuestReboot{.time = simulation.now(), .machine = machine.name});
  machine.reboot_takes = takes;
  terminate_all(machine, &State::start_again, &State::kill_all);
}

void ProcessHost::State::kill_all(const std::string& name) {
  const auto at = machines.find(name);
  if (at == machines.end() || !at->second->reboot_takes || at->second->gone) return;
  Machine& machine = *at->second;
  supervisor.wake(machine.guest);
  for (const pid_t process : machine.sandbox.processes()) ::kill(process, SIGKILL);
  // What was forked meanwhile.
  machine.deadline = simulation.after(1s, [this, name] { kill_all(name); });
}

void ProcessHost::State::start_again(const std::string& name) {
  const auto at = machines.find(name);
  if (at == machines.end() || !at->second->reboot_takes || at->second->gone) return;
  Machine& machine = *at->second;
  if (machine.deadline) simulation.cancel(*machine.deadline);
  machine.deadline.reset();
  for (const auto& [volume, plug] : machine.plugs)
    disks.unmount_all(volume, machine.sandbox.inside());
  restore_settings(machine);
  const Reboot reboot{.now = simulation.now(), .takes = *machine.reboot_takes};
  machine.reboot_takes.reset();
  machine.empty = false;
  if (!machine.sandbox.start_again(reboot)) return;  // the next message says that it is gone
  supervisor.adopt_again(machine.guest, machine.sandbox.take_notifications().release(),
                         descendants_of(machine.sandbox.init()),
                         name + "/" + std::to_string(++machine.reboots), reboot.takes);
}

}  // namespace sim::guest
