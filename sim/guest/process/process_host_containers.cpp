// Containers that a service runs on instances of its own: a machine without a boot, whose first
// program is the container's.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/system_call.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

namespace fs = std::filesystem;

namespace {

// As Docker starts an image: its ENV below the variables that the service sets, its WORKDIR, which
// is made where there is none, and its ENTRYPOINT.
void start_as_image_says(const ContainerSettings& image, const cloud::Container& container,
                         SandboxSpec& spec) {
  for (const auto& [variable, value] : image.environment) {
    std::string& set = spec.environment[variable];
    set = variable == "PATH" ? value + ":" + set : value;
  }
  for (const auto& [variable, value] : container.environment) spec.environment[variable] = value;
  spec.command = {"/bin/sh", "-c", "[ -d \"$0\" ] || mkdir -p \"$0\"; cd \"$0\" && exec \"$@\"",
                  image.working_folder};
  const auto& first = container.entrypoint.empty() ? image.entrypoint : container.entrypoint;
  spec.command.insert(spec.command.end(), first.begin(), first.end());
  spec.command.insert(spec.command.end(), container.arguments.begin(), container.arguments.end());
}

}  // namespace

cloud::ContainerFolder ProcessHost::container_folder(const cloud::InstanceId& id) {
  if (!has_namespaces(state_->config.level)) return {};
  const fs::path folder = state_->folder.path() / "containers" / id.value;
  fs::create_directories(folder);
  return {.path = folder};
}

bool ProcessHost::run_container(const cloud::Instance& instance, const cloud::Container& container,
                                cloud::ContainerHooks hooks) {
  State& s = *state_;
  const auto image = s.config.images.find(instance.spec.image_id);
  if (image == s.config.images.end()) return false;
  const std::string& name = instance.id.value;
  SandboxSpec spec = s.spec_for(name, container.hostname);
  spec.root.image = s.image_of(instance);
  for (const std::string& mount : container.mounts)
    spec.root.shared[container.mounted_at + "/" + mount] = container.folder.path / mount;
  spec.writes = s.watches_writes || s.cuts.contains(instance.id);
  s.show_private_address(spec, instance);
  for (const auto& [host, address] : container.hosts)
    if (host != container.hostname) spec.root.files["/etc/hosts"] += address + " " + host + "\n";
  s.trust_with(image->second, spec);
  show_credentials(spec, s.config.region);
  spec.environment["HOSTNAME"] = container.hostname;  // as docker does
  start_as_image_says(image->second.container, container, spec);
  int ends[2];
  base::checked(pipe2(ends, O_NONBLOCK | O_CLOEXEC), "making a container's output");
  ContainerOutput output{base::FileDescriptor(ends[0]), s.console_of(name).path(),
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
  const auto at = s.machines.find(id.value);
  if (at == s.machines.end()) return;
  Machine& machine = *at->second;
  s.supervisor.wake(machine.guest);
  // The eldest of its init's children; the init itself is not among them.
  if (const auto processes = machine.sandbox.processes(); !processes.empty())
    kill(processes.front(), SIGTERM);
  machine.deadline = s.simulation.after(grace, [&s, name = id.value] {
    const auto still = s.machines.find(name);
    if (still == s.machines.end()) return;
    s.supervisor.wake(still->second->guest);
    for (const pid_t pid : still->second->sandbox.processes()) kill(pid, SIGKILL);
  });
}

}  // namespace sim::guest
