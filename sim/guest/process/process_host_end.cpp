// How machines end, and how their operating systems start again: all programs end, what lies on
// disks stays, the boot runs again.
#include <signal.h>
#include <sys/epoll.h>

#include <filesystem>
#include <utility>

#include "sim/events/event.h"
#include "sim/guest/process/files/kept_files.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

// As systemd does it: SIGTERM to all, and what is left after the grace is for `overdue`. Where
// nothing runs any more, `ended` follows at once.
void ProcessHost::State::terminate_all(Machine& machine, Step ended, Step overdue) {
  const std::string name = machine.name;
  if (machine.empty) {
    context.simulation.after({}, [this, name, ended] { (this->*ended)(name); });
    return;
  }
  supervisor.wake(machine.guest);
  for (const pid_t process : machine.sandbox.to_terminate()) ::kill(process, SIGTERM);
  machine.deadline = context.simulation.after(context.config.durations.os_grace,
                                              [this, name, overdue] { (this->*overdue)(name); });
}

void ProcessHost::State::stop_gracefully(Machine& machine) {
  terminate_all(machine, &State::finish, &State::finish);
}

void ProcessHost::State::finish(const std::string& name) {
  if (!machines.find(name)) return;
  Machine& ending = *machines.find(name);
  progress.end(ending);
  if (context.isolated() && !ending.instance.empty())
    keep_files(ending.sandbox.root(), context.config.keep,
               std::filesystem::absolute(context.config.output) / "files" / name);
  const std::unique_ptr<Machine> machine = machines.take(name);
  for (const int from : machine->heard_from()) epoll_ctl(news.get(), EPOLL_CTL_DEL, from, nullptr);
  kernel.end(name);
  disk_times.forget(machine->sandbox.inside());
  for (const auto& [volume, plug] : machine->plugs)
    if (disks.paused(volume)) disks.cut_off(volume, machine->sandbox.inside());
  machine->sandbox.kill();
  if (machine->keeps_root) roots.keep(*machine);
  network.leave(*machine);
  supervisor.release(machine->guest);
  machine->events.drain(context.simulation.now(), context.log);
  machine->console.drain();
  if (machine->output) machine->output->end();
  consoles.copy(*machine);
  consoles.close(name);
  for (const int listener : machine->listeners) context.server.close(listener);
  internet.disconnect(*machine);
  if (machine->deadline) context.simulation.cancel(*machine->deadline);
  devices.let_go(*machine);
  if (!context.isolated()) {
    std::error_code ignored;
    std::filesystem::remove_all(context.folder.path() / "guests" / name, ignored);
  }
  if (machine->gone) context.simulation.after({}, std::move(machine->gone));
}

void ProcessHost::shut_down(const cloud::Instance& instance, cloud::Shutdown how,
                            std::function<void()> gone) {
  State& s = *state_;
  Machine* const machine = s.machines.find(instance.id.value);
  if (!machine) {
    s.context.simulation.after({}, std::move(gone));
    return;
  }
  machine->gone = std::move(gone);
  machine->exited = {};
  if (const cloud::VolumeId& root = machine->root_volume; !root.empty())
    machine->keeps_root = !s.context.cloud_of(root).volume(root).attachment->delete_on_termination;
  if (how == cloud::Shutdown::kGraceful) return s.stop_gracefully(*machine);
  s.cut_power(*machine);
  s.finish(machine->name);
}

void ProcessHost::State::cut_power(Machine& machine) {
  network.cut(machine);
  for (const auto& [volume, plug] : machine.plugs) disks.cut_off(volume, machine.sandbox.inside());
}

// ---- halts and reboots

void ProcessHost::reboot(const cloud::Instance& instance, Duration takes,
                         std::function<void()> at_rest) {
  Machine* const machine = state_->machines.find(instance.id.value);
  if (!machine || machine->gone) return;
  if (at_rest) machine->at_rest.push_back(std::move(at_rest));
  if (!machine->halting) state_->begin_reboot(*machine, takes);
}

void ProcessHost::State::begin_reboot(Machine& machine, Duration takes) {
  context.log.append(
      events::GuestReboot{.time = context.simulation.now(), .machine = machine.name});
  machine.halting = true;
  machine.reboot_takes = takes;
  terminate_all(machine, &State::halted, &State::kill_all);
}

// A machine that halts for a reboot does not start again.
void ProcessHost::halt(const cloud::Instance& instance, cloud::Shutdown how,
                       std::function<void()> at_rest) {
  Machine* const machine = state_->machines.find(instance.id.value);
  if (!machine) {
    state_->context.simulation.after({}, std::move(at_rest));
    return;
  }
  machine->at_rest.push_back(std::move(at_rest));
  machine->reboot_takes.reset();
  if (how == cloud::Shutdown::kHard) return state_->halt_without_power(*machine);
  if (machine->frozen) state_->thaw(*machine);
  if (std::exchange(machine->halting, true)) return;
  state_->terminate_all(*machine, &State::halted, &State::kill_all);
}

void ProcessHost::State::halt_without_power(Machine& machine) {
  cut_power(machine);
  machine.cut_from_network = machine.halting = true;
  machine.frozen = false;
  machine.stopped_before.clear();
  if (machine.deadline) context.simulation.cancel(*machine.deadline);
  machine.deadline.reset();
  if (machine.empty)
    context.simulation.after({}, [this, name = machine.name] { halted(name); });
  else
    kill_all(machine.name);
}

void ProcessHost::start_again(const cloud::Instance& instance, Duration takes) {
  Machine* const machine = state_->machines.find(instance.id.value);
  if (machine && !machine->gone) state_->start_again(*machine, takes);
}

void ProcessHost::State::kill_all(const std::string& name) {
  Machine* const found = machines.find(name);
  if (!found || !found->halting || found->gone) return;
  Machine& machine = *found;
  supervisor.wake(machine.guest);
  for (const pid_t process : machine.sandbox.processes()) ::kill(process, SIGKILL);
  // Ends processes that were forked meanwhile.
  machine.deadline = context.simulation.after(1s, [this, name] { kill_all(name); });
}

void ProcessHost::State::halted(const std::string& name) {
  Machine* const found = machines.find(name);
  if (!found || !found->halting || found->gone) return;
  Machine& machine = *found;
  if (machine.deadline) context.simulation.cancel(*machine.deadline);
  machine.deadline.reset();
  machine.halting = false;
  for (const auto& [volume, plug] : machine.plugs)
    disks.unmount_all(volume, machine.sandbox.inside());
  for (const auto& now : std::exchange(machine.at_rest, {})) now();
  if (const auto takes = std::exchange(machine.reboot_takes, std::nullopt))
    start_again(machine, *takes);
}

void ProcessHost::State::start_again(Machine& machine, Duration takes) {
  kernel.begin_boot_again(machine);
  machine.empty = false;
  Reboot reboot{.now = context.simulation.now(), .takes = takes};
  if (const cloud::InstanceId& id = machine.instance; !id.empty()) {
    const std::string& user_data = context.cloud_of(id).instance(id).spec.user_data;
    reboot.user_data_size = user_data.copy(reboot.user_data.data(), reboot.user_data.size());
  }
  machine.up_at = reboot.now + takes;
  if (!machine.sandbox.start_again(reboot)) return;  // the next message reports its end
  if (std::exchange(machine.cut_from_network, false)) network.join(machine);
  supervisor.adopt_again(machine.guest, machine.sandbox.take_notifications().release(),
                         descendants_of(machine.sandbox.init()),
                         machine.name + "/" + std::to_string(++machine.reboots), takes);
}

}  // namespace sim::guest
