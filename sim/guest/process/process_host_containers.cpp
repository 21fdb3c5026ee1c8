// Containers that a service runs on its own instances: machines without a boot, with the
// container's program as the first program.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/process/system_call.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

namespace fs = std::filesystem;

cloud::ContainerFolder ProcessHost::container_folder(const cloud::InstanceId& id) {
  if (!state_->context.isolated()) return {};
  const fs::path folder = state_->context.folder.path() / "containers" / id.value;
  fs::create_directories(folder);
  return {.path = folder};
}

bool ProcessHost::run_container(const cloud::Instance& instance, const cloud::Container& container,
                                cloud::ContainerHooks hooks) {
  State& s = *state_;
  if (!s.specs.has_image(instance)) return false;
  const std::string& name = instance.id.value;
  SandboxSpec spec = s.specs.of_container(instance, container);
  spec.writes = s.watches_writes || s.faults.will_cut(instance.id);
  int ends[2];
  base::checked(pipe2(ends, O_NONBLOCK | O_CLOEXEC), "making a container's output");
  ContainerOutput output{base::FileDescriptor(ends[0]), s.consoles.of(name).path(),
                         std::move(hooks.said)};
  const base::FileDescriptor writer(ends[1]);
  base::checked(fcntl(writer.get(), F_SETFL, 0), "making a container's output wait");
  spec.console = writer.get();
  s.start(name, instance.id, std::move(spec), std::move(output)).exited = std::move(hooks.exited);
  return true;
}

// As `docker stop` does it: SIGTERM to the first program only.
void ProcessHost::stop_container(const cloud::InstanceId& id, Duration grace) {
  State& s = *state_;
  Machine* const found = s.machines.find(id.value);
  if (!found) return;
  Machine& machine = *found;
  s.supervisor.wake(machine.guest);
  // The eldest of its init's children; the init itself is not among them.
  if (const auto processes = machine.sandbox.processes(); !processes.empty())
    kill(processes.front(), SIGTERM);
  machine.deadline = s.context.simulation.after(grace, [&s, name = id.value] {
    const Machine* const still = s.machines.find(name);
    if (!still) return;
    s.supervisor.wake(still->guest);
    for (const pid_t pid : still->sandbox.processes()) kill(pid, SIGKILL);
  });
}

}  // namespace sim::guest
