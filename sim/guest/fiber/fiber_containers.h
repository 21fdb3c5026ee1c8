// Implements the container functions of the cloud's Host with fibers. The hosts of a job train one
// model, like spottrain with a rank on each. Only the first host's container has a modelled
// trainer; it writes the checkpoints and the model. The other containers end when it ends.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sim/cloud/host.h"
#include "sim/guest/fiber/modelled_container.h"

namespace sim::guest {

class FiberContainers {
 public:
  struct Options {
    std::function<bool(const std::string& image)> has_image;
    Duration os_grace{};  // longest time from SIGTERM to the end when an instance shuts down
    // Called if the models cannot do what the job needs. It ends the run or throws.
    std::function<void(const std::string& what)> give_up;
  };
  // All references must outlive this object.
  FiberContainers(ModelledContainer::Surroundings world, Options options)
      : world_(world), options_(std::move(options)) {}

  // The functions of Host.
  cloud::ContainerFolder folder(const cloud::InstanceId& instance);
  bool run(const cloud::Instance& instance, const cloud::Container& container,
           cloud::ContainerHooks hooks);
  void stop(const cloud::InstanceId& instance, Duration grace);
  // False if no container runs on this instance; `gone` is unchanged then.
  bool shut_down(const cloud::InstanceId& instance, cloud::Shutdown how,
                 std::function<void()>& gone);
  // Has no effect if the instance has no container.
  void inflict(const cloud::InstanceId& instance, const GuestFault& fault);

 private:
  struct Machine {
    std::shared_ptr<cloud::ModelledFolder> folder = std::make_shared<cloud::ModelledFolder>();
    cloud::ContainerHooks hooks = {};
    std::string leader = {};                            // private address of the job's first host
    bool follows = false;                               // a further host whose program runs
    std::unique_ptr<ModelledContainer> container = {};  // of the first host
    std::function<void()> gone = {};                    // set during a shutdown
    std::optional<EventId> deadline = {};
  };
  void trainer_exited(const cloud::InstanceId& instance, int status);
  void exited(const cloud::InstanceId& instance, int status);
  void finish(const cloud::InstanceId& instance);

  const ModelledContainer::Surroundings world_;
  const Options options_;
  std::map<cloud::InstanceId, Machine> machines_;
};

}  // namespace sim::guest
