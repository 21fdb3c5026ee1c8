// A training job's container as a model: its program is the scenario's trainer, which reads the
// job's hyperparameters and checkpoints below /opt/ml as `spottrain train --sagemaker` does, and
// leaves its checkpoints and its model there.
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
  // All outlive it.
  struct Surroundings {
    Simulation& simulation;
    EventLog& log;
    const Streams& streams;
    const TrainerModel& trainer;
    JobPlaces& places;
  };
  // Starts; `exited` gets the status as a shell has it, as an event, unless this is gone before.
  // Throws std::runtime_error where the job or the trainer has what cannot be modelled.
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
  std::optional<EventId> told_;  // when it is told that the program has ended
  std::optional<ModelledTrainer> trainer_;
};

}  // namespace sim::guest
