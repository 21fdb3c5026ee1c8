// News of machines for the host: messages of their inits, events of jobs, console output.
#include <signal.h>
#include <sys/epoll.h>

#include <array>
#include <set>

#include "base/process/system_call.h"
#include "sim/events/event.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {
namespace {
using Kind = SandboxMessage::Kind;
}  // namespace

void ProcessHost::State::watch(int descriptor, int token, const std::string& doing) {
  epoll_event heard{.events = EPOLLIN, .data = {.fd = token}};
  base::checked(epoll_ctl(news.get(), EPOLL_CTL_ADD, descriptor, &heard), doing);
}

bool ProcessHost::State::poll() {
  std::array<epoll_event, 64> ready;
  const int n = epoll_wait(news.get(), ready.data(), ready.size(), 0);
  std::set<std::string> names;  // in their order; while they are polled, machines come and go
  bool any = disk_times.settle();
  any = random.settle() || any;
  for (const auto& [name, machine] : machines.all()) {
    any = progress.read(*machine) || any;
    consoles.copy(*machine);
  }
  for (int i = 0; i < n; ++i) {
    if (ready[i].data.fd == kVolumes)
      any = disks.hear() || any;
    else if (ready[i].data.fd == kSettingsNews)
      any = kernel.log_settings() || any;
    else if (ready[i].data.fd == kQuestions)
      any = internet.answer_questions() || any;
    else
      names.insert(machines.of(ready[i].data.fd)->name);
  }
  for (const auto& name : names) any = poll(name) || any;
  return any;
}

bool ProcessHost::State::poll(const std::string& name) {
  Machine* const found = machines.find(name);
  if (!found) return false;
  Machine& machine = *found;
  supervisor.wake(machine.guest);  // it may wait for a full pipe
  bool any = machine.events.drain(context.simulation.now(), context.log);
  any = machine.console.drain() || any;
  if (machine.output) any = machine.output->drain() || any;
  if (const auto message = machine.sandbox.receive()) {
    // What was written before the message was sent.
    machine.events.drain(context.simulation.now(), context.log);
    if (machine.output) machine.output->drain();
    consoles.copy(machine);
    handle(machine, *message);
    any = true;
  }
  return any;
}

void ProcessHost::State::handle(Machine& machine, const SandboxMessage& message) {
  const std::string name = machine.name;
  const cloud::InstanceId instance = machine.instance;
  switch (message.kind) {
    case Kind::kFirstExited:
      context.log.append(events::GuestExit{
          .time = context.simulation.now(), .machine = name, .status = message.status});
      if (machine.exited) {
        const auto exited = std::move(machine.exited);
        finish(name);
        exited(message.status);
      }
      return;
    case Kind::kEmpty:
      machine.empty = true;
      if (machine.gone)
        finish(name);
      else if (machine.halting)
        halted(name);
      return;
    case Kind::kReboot:
      if (!instance.empty() && !machine.gone && !machine.output)
        context.cloud_of(instance).reboot_instances({instance});
      return;
    case Kind::kPowerOff:
      if (!instance.empty() && !machine.gone && !machine.output)
        context.cloud_of(instance).guest_powered_off(instance);
      return;
    case Kind::kGone: {
      // reboot(2) in a PID namespace ends its init.
      const bool expected = static_cast<bool>(machine.gone);
      const auto exited = std::move(machine.exited);
      finish(name);
      if (exited) exited(128 + SIGKILL);
      if (!instance.empty() && !expected)
        context.cloud_of(instance).guest_powered_off(instance, true);
      return;
    }
  }
}

}  // namespace sim::guest
