// A training program as a model: what spottrain's loop does to clock, volume and log, with the same
// policies.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "orchestrator/seams/machine.h"
#include "policies/checkpoint/policy.h"
#include "sim/guest/fiber/modelled_saver.h"
#include "sim/guest/fiber/spot_watch.h"
#include "sim/guest/fiber/volume_models.h"
#include "sim/kernel/event_log.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

class ModelledTrainer {
 public:
  struct Place {
    Simulation& simulation;
    EventLog& log;
    std::string machine;           // as the log names it
    Time launched;                 // when the machine was
    VolumeModel& volume;           // with the data
    CheckpointPlace& checkpoints;  // the volume, or elsewhere; both outlive the trainer
    SpotWatch spot;
  };
  // Starts. `exited` is called at its end. `model.policy` has been checked.
  ModelledTrainer(Place place, const TrainerModel& model, Duration step_time,
                  std::function<void()> exited);

  // As the program takes them: the first SIGTERM stops it after the step at hand, a second one a
  // second later and SIGKILL end it at once.
  void signal(int signal);
  // How it ended; empty while it runs.
  const std::optional<spotrun::ExitStatus>& status() const { return status_; }

 private:
  // A checkpoint that was asked for: its step, and when training went on.
  struct Save {
    std::int64_t step = 0;
    Time at{};
  };
  // What the last durable checkpoint took.
  struct Measured {
    Duration stall{}, persist{};
  };
  void run();
  int train();
  int stop();
  int finish();
  void restore();
  void step();
  std::optional<std::string> wanted_checkpoint(bool stop);
  void checkpoint(const std::string& reason);
  void await_saves();
  void tell_saves();
  void say(std::string_view kind, Json fields);
  void end(spotrun::ExitStatus status);

  Place place_;
  const TrainerModel& model_;
  policies::CheckpointPolicies policies_;
  Duration step_time_;
  std::function<void()> exited_;
  std::optional<ModelledSaver> saver_;
  std::int64_t step_ = 0;
  Save asked_for_, durable_;  // the last ones; they differ while one is being written
  Time began_{};              // its first step
  Duration stall_{};          // of the last save
  std::optional<Measured> measured_;
  std::optional<Time> told_to_stop_at_;
  std::optional<spotrun::ExitStatus> status_;
  std::optional<Fiber> fiber_;
};

}  // namespace sim::guest
