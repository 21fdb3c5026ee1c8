// The containers of training jobs, as the cloud's Host has them, on fibers. The hosts of a job
// train one model, as spottrain does with a rank on each: the first host's container has the
// modelled trainer, and writes the checkpoints and the model. The other containers end when it
// does.
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
    Duration os_grace{};  // SIGTERM → the end at most, where an instance is shut down
    // The models cannot do what was asked: ends the run, or throws.
    std::function<void(const std::string& what)> give_up;
  };
  // What they need outlives them.
  FiberContainers(ModelledContainer::Surroundings world, Options options)
      : world_(world), options_(std::move(options)) {}

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
    std::string leader = {};                            // private address of the job's first host
    bool follows = false;                               // another host, whose program runs
    std::unique_ptr<ModelledContainer> container = {};  // of the first host
    std::function<void()> gone = {};                    // set while it shuts down
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
