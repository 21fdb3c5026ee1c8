// A training program as a model: what spottrain's loop does to clock, volume and log, with the same
// policies.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/seams/machine.h"
#include "policies/checkpoint/policy.h"
#include "sim/events/event_log.h"
#include "sim/guest/fiber/modelled_saver.h"
#include "sim/guest/fiber/spot_watch.h"
#include "sim/guest/fiber/volume_models.h"
#include "sim/kernel/fiber.h"

namespace sim::guest {

class ModelledTrainer {
 public:
  struct Setup {
    Simulation& simulation;
    EventLog& log;
    std::string machine;                        // as the log names it
    Time launched;                              // when the machine was
    VolumeModel* volume;                        // with the data; null: they are there without
    std::string folder;                         // of checkpoints
    std::vector<CheckpointPlace*> checkpoints;  // of the model's tiers; all outlive the trainer
    std::optional<SpotWatch> spot;              // empty: it hears nothing of its instance
    std::optional<Duration> crashes_after;      // it crashes when it has run so long
  };
  struct Hooks {
    std::function<void()> exited;  // called at its end
    std::function<void()> saved;   // called when it has heard that a checkpoint is safe
  };
  // Starts. The model's policies have been checked.
  ModelledTrainer(Setup setup, const TrainerModel& model, Duration step_time, Hooks hooks);
  ~ModelledTrainer();

  // As the program takes them: the first SIGTERM stops it after the step at hand, a second one a
  // second later and SIGKILL end it at once.
  void signal(int signal);
  // Stops the trainer as SIGSTOP does: an unfinished write never ends, and only SIGKILL ends the
  // trainer.
  void hang();
  // Its next step's loss is no number.
  void lose_numbers() { numbers_lost_ = true; }
  // How it ended; empty while it runs.
  const std::optional<spotrun::ExitStatus>& status() const { return status_; }

 private:
  // A checkpoint that was asked for: its step, and when training went on.
  struct Save {
    std::int64_t step = 0;
    Time at{};
  };
  // What the last safe full checkpoint took.
  struct Measured {
    Duration stall{}, persist{};
  };
  // One of the places of checkpoints, and how its policy's saves go.
  struct Tier {
    const CheckpointTier& model;
    CheckpointPlace& place;
    policies::CheckpointPolicies policies;
    Save asked_for{}, safe{};  // the last ones; they differ while one is being written
    Time begun{};              // the last save
    Duration stall{};
    std::optional<Measured> measured = {};
    Time quiet_until{};  // its policies want nothing before, unless there is news
  };
  // What one tier wants.
  struct Wish {
    Tier* tier;
    policies::CheckpointWish save;
  };
  void run();
  int train();
  int stop();
  int finish();
  int diverged();
  void restore();
  // Passes over what does not verify, and says so.
  void reject_damaged(Tier& tier);
  void step();
  // Whether the loop has nothing to do after a step but the next one.
  bool quiet() const;
  // Whether a value that the policies may use has changed.
  bool has_news() const;
  // When a policy may want something, unless there is news; now, while a save is on its way.
  Time next_wish() const;
  std::vector<Wish> wanted(bool stop);
  std::optional<Wish> wish_of(Tier& tier, bool stop);
  // A save is on its way to the place, or there and not safe yet.
  bool persisting(const Tier& tier) const;
  policies::CheckpointState state_of(const Tier& tier, bool stop) const;
  // What a full save that began now would take to be durable.
  Duration forecast(const Tier& tier) const;
  void checkpoint(const std::vector<Wish>& wishes);
  void tell_begin(const std::vector<Wish>& wishes);
  KeptCheckpoint next_checkpoint(const Wish& wish) const;
  void await_saves();
  void tell_saves();
  void tell_safe(const Tier& tier, const KeptCheckpoint& kept);
  // The newest safe step that outlives the instance.
  std::int64_t durable_step() const;
  bool one_tier() const { return tiers_.size() == 1; }
  void crash();
  // Fills in the time and the machine.
  template <class E>
  void write(E event);
  void end(spotrun::ExitStatus status);

  Setup setup_;
  const TrainerModel& model_;
  std::vector<Tier> tiers_;
  Duration step_time_;
  Hooks hooks_;
  bool numbers_lost_ = false;
  std::optional<ModelledSaver> saver_;
  std::optional<EventId> crash_;
  std::int64_t step_ = 0;
  Time began_{};                    // its first step
  Time quiet_until_ = Time::min();  // next_wish(), after the last step that was not quiet
  std::optional<Time> told_to_stop_at_;
  std::optional<spotrun::ExitStatus> status_;
  std::optional<Fiber> fiber_;
};

}  // namespace sim::guest
