// Models a training job's container. Its program is the scenario's trainer. It reads the job's
// hyperparameters and checkpoints below /opt/ml, as `spottrain train --sagemaker` does, and leaves
// its checkpoints and its model there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/cloud/container.h"
#include "sim/cloud/resources.h"
#include "sim/guest/fiber/container_checkpoints.h"
#include "sim/guest/fiber/job_places.h"
#include "sim/guest/fiber/modelled_trainer.h"
#include "sim/guest/guest_fault.h"
#include "sim/kernel/random.h"

namespace sim::guest {

class ModelledContainer {
 public:
  // All references must outlive the container.
  struct Surroundings {
    Simulation& simulation;
    EventLog& log;
    const Streams& streams;
    const TrainerModel& trainer;
    JobPlaces& places;
  };
  // Starts the container. `exited` is called as an event with a shell's status, unless this object
  // is destroyed before. Throws std::runtime_error if the job or the trainer cannot be modelled.
  ModelledContainer(Surroundings surroundings, const cloud::Instance& instance,
                    const cloud::Container& container, std::function<void(int status)> exited);
  ~ModelledContainer();

  bool runs() const { return !trainer_->status(); }
  void signal(int signal) { trainer_->signal(signal); }
  // Applies a fault that strikes a trainer; other faults have no effect on a container.
  void inflict(const GuestFault& fault);

 private:
  std::vector<CheckpointPlace*> places(JobPlaces& shared);
  void trainer_ended();

  Simulation& simulation_;
  const std::shared_ptr<cloud::ModelledFolder> folder_;
  const std::function<void(int)> exited_;
  const TrainerModel& model_;
  ContainerCheckpoints checkpoints_;
  MachineMemory memory_;
  std::optional<EventId> told_;  // the event that reports the program's end
  std::optional<ModelledTrainer> trainer_;
};

}  // namespace sim::guest
