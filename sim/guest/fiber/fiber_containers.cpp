#include "sim/guest/fiber/fiber_containers.h"

#include <csignal>
#include <exception>
#include <utility>
#include <vector>

#include "sim/events/event.h"

namespace sim::guest {

cloud::ContainerFolder FiberContainers::folder(const cloud::InstanceId& instance) {
  return {.path = {}, .model = machines_[instance].folder};
}

bool FiberContainers::run(const cloud::Instance& instance, const cloud::Container& container,
                          cloud::ContainerHooks hooks) {
  if (!options_.has_image(instance.spec.image_id)) return false;
  Machine& machine = machines_[instance.id];
  machine.hooks = std::move(hooks);
  machine.leader = container.hosts.empty() ? instance.private_ip : container.hosts.begin()->second;
  machine.follows = machine.leader != instance.private_ip;
  if (machine.follows) return true;
  try {
    machine.container = std::make_unique<ModelledContainer>(
        world_, instance, container,
        [this, id = instance.id](int status) { trainer_exited(id, status); });
  } catch (const std::exception& cannot) {
    options_.give_up(cannot.what());
  }
  return true;
}

void FiberContainers::stop(const cloud::InstanceId& instance, Duration grace) {
  const auto at = machines_.find(instance);
  if (at == machines_.end() || !at->second.container) return;
  Machine& machine = at->second;
  machine.container->signal(SIGTERM);
  machine.deadline = world_.simulation.after(grace, [&machine] {
    machine.deadline.reset();
    machine.container->signal(SIGKILL);
  });
}

bool FiberContainers::shut_down(const cloud::InstanceId& instance, cloud::Shutdown how,
                                std::function<void()>& gone) {
  const auto at = machines_.find(instance);
  if (at == machines_.end()) return false;
  Machine& machine = at->second;
  machine.gone = std::move(gone);
  if (machine.deadline) world_.simulation.cancel(*std::exchange(machine.deadline, {}));
  if (how == cloud::Shutdown::kHard) machine.container.reset();
  if (std::exchange(machine.follows, false) && how != cloud::Shutdown::kHard) {
    exited(instance, 128 + SIGTERM);
    return true;
  }
  if (!machine.container || !machine.container->runs()) {
    world_.simulation.after({}, [this, instance] { finish(instance); });
    return true;
  }
  machine.container->signal(SIGTERM);
  machine.deadline =
      world_.simulation.after(options_.os_grace, [this, instance] { finish(instance); });
  return true;
}

// Like spottrain on Open MPI: the other hosts' programs end first, with the same status.
void FiberContainers::trainer_exited(const cloud::InstanceId& instance, int status) {
  std::vector<cloud::InstanceId> followers;
  for (const auto& [id, machine] : machines_)
    if (machine.follows && machine.leader == machines_.at(instance).leader) followers.push_back(id);
  for (const cloud::InstanceId& follower : followers) {
    machines_.at(follower).follows = false;
    exited(follower, status);
  }
  exited(instance, status);
}

void FiberContainers::exited(const cloud::InstanceId& instance, int status) {
  world_.log.append(events::GuestExit{
      .time = world_.simulation.now(), .machine = instance.value, .status = status});
  Machine& machine = machines_.at(instance);
  if (machine.gone) {
    world_.simulation.after({}, [this, instance] { finish(instance); });
  } else {
    machine.hooks.exited(status);
  }
}

void FiberContainers::finish(const cloud::InstanceId& instance) {
  const auto machine = machines_.extract(instance);
  if (machine.empty()) return;
  if (machine.mapped().deadline) world_.simulation.cancel(*machine.mapped().deadline);
  world_.simulation.after({}, std::move(machine.mapped().gone));
}

// The ranks wait for each other in every step, so a fault of one rank stops all.
void FiberContainers::inflict(const cloud::InstanceId& instance, const GuestFault& fault) {
  const auto struck = machines_.find(instance);
  if (struck == machines_.end()) return;
  for (auto& [id, machine] : machines_)
    if (machine.container && machine.leader == struck->second.leader)
      return machine.container->inflict(fault);
}

}  // namespace sim::guest
