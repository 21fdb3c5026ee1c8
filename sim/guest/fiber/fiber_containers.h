// The containers of training jobs, as the cloud's Host has them, on fibers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sim/cloud/host.h"
#include "sim/guest/fiber/modelled_container.h"

namespace sim::guest {

class FiberContainers {
 public:
  // What they need outlives them. `images`: those that there are. SIGTERM → the end takes
  // `os_grace` at most where an instance is shut down. `give_up` ends the run: the models cannot do
  // what was asked.
  FiberContainers(ModelledContainer::Surroundings world, const std::set<std::string>& images,
                  Duration os_grace, std::function<void(const std::string& what)> give_up)
      : world_(world), images_(images), os_grace_(os_grace), give_up_(std::move(give_up)) {}

  // As Host has them.
  cloud::ContainerFolder folder(const cloud::InstanceId& instance);
  bool run(const cloud::Instance& instance, const cloud::Container& container,
           cloud::ContainerHooks hooks);
  void stop(const cloud::InstanceId& instance, Duration grace);
  // False: none runs on this instance, and `gone` is as it was.
  bool shut_down(const cloud::InstanceId& instance, cloud::Shutdown how,
                 std::function<void()>& gone);
  // Nothing where there is none.
  void inflict(const cloud::InstanceId& instance, const GuestFault& fault);

 private:
  struct Machine {
    std::shared_ptr<cloud::ModelledFolder> folder = std::make_shared<cloud::ModelledFolder>();
    cloud::ContainerHooks hooks = {};
    std::unique_ptr<ModelledContainer> container = {};
    std::function<void()> gone = {};  // set while it shuts down
    std::optional<EventId> deadline = {};
  };
  void exited(const cloud::InstanceId& instance, int status);
  void finish(const cloud::InstanceId& instance);

  const ModelledContainer::Surroundings world_;
  const std::set<std::string>& images_;
  const Duration os_grace_;
  const std::function<void(const std::string&)> give_up_;
  std::map<cloud::InstanceId, Machine> machines_;
};

}  // namespace sim::guest
