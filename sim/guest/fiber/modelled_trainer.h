// A training program as a model: what spottrain's loop does to clock, volume and log, with the same
// policies.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "orchestrator/seams/machine.h"
#include "policies/checkpoint/policy.h"
#include "sim/guest/fiber/volume_models.h"
#include "sim/kernel/event_log.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

class ModelledTrainer {
 public:
  struct Place {
    Simulation& simulation;
    EventLog& log;
    std::string machine;  // as the log names it
    Time launched;        // when the machine was
    VolumeModel& volume;  // with data and checkpoints; outlives the trainer
  };
  // Starts. `exited` is called at its end. `model.policy` has been checked (supplied_inputs()).
  ModelledTrainer(Place place, const TrainerModel& model, Duration step_time,
                  std::function<void()> exited);

  // As the program takes them: the first SIGTERM stops it after the step at hand, a second one and
  // SIGKILL end it at once.
  void signal(int signal);
  // How it ended; empty while it runs.
  const std::optional<spotrun::ExitStatus>& status() const { return status_; }

 private:
  void run();
  int train();
  void read_volume();
  void step();
  std::optional<std::string> wanted_checkpoint(bool stop);
  void checkpoint(const std::string& reason);
  void say(std::string_view kind, Json fields);
  void end(spotrun::ExitStatus status);

  Place place_;
  const TrainerModel& model_;
  policies::CheckpointPolicies policies_;
  Duration step_time_;
  std::function<void()> exited_;
  std::int64_t step_ = 0, saved_step_ = 0;
  Time saved_at_{};
  Time began_{};                             // its first step
  std::optional<Duration> checkpoint_time_;  // of the last one
  bool told_to_stop_ = false;
  std::optional<spotrun::ExitStatus> status_;
  std::optional<Fiber> fiber_;
};

// What the model tells its policies beyond step, epoch and time.
std::span<const policies::Input> supplied_inputs();

}  // namespace sim::guest
