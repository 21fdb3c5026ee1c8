// Models a training program: the effects of spottrain's loop on clock, volume and log, with the
// same checkpoint policies.
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
    std::string machine;                        // name in the log
    Time launched;                              // launch of the machine
    VolumeModel* volume;                        // with the data; null: the data need no volume
    std::string folder;                         // for checkpoints
    std::vector<CheckpointPlace*> checkpoints;  // the model's tiers; all must outlive the trainer
    std::optional<SpotWatch> spot;              // empty: it gets no news about its instance
    std::optional<Duration> crashes_after;      // it crashes after running this long
  };
  struct Hooks {
    std::function<void()> exited;  // called at its end
    std::function<void()> saved;   // called when it learns that a checkpoint is safe
  };
  // Starts the trainer. The model's policies must have been checked.
  ModelledTrainer(Setup setup, const TrainerModel& model, Duration step_time, Hooks hooks);
  ~ModelledTrainer();

  // Signals as the program handles them: the first SIGTERM stops it after the current step. A
  // SIGTERM at least a second later, or SIGKILL, ends it at once.
  void signal(int signal);
  // Stops the trainer as SIGSTOP does: an unfinished write never ends, and only SIGKILL ends the
  // trainer.
  void hang();
  // The loss of its next step will not be a number.
  void lose_numbers() { numbers_lost_ = true; }
  // Its exit status; empty while it runs.
  const std::optional<spotrun::ExitStatus>& status() const { return status_; }

 private:
  // A requested checkpoint: its step, and when training continued.
  struct Save {
    std::int64_t step = 0;
    Time at{};
  };
  // The cost of the last safe full checkpoint.
  struct Measured {
    Duration stall{}, persist{};
  };
  // One place of checkpoints, and the state of its policy's saves.
  struct Tier {
    const CheckpointTier& model;
    CheckpointPlace& place;
    policies::CheckpointPolicies policies;
    Save asked_for{}, safe{};  // the last ones; they differ while a save is in progress
    Time begun{};              // start of the last save
    Duration stall{};
    std::optional<Measured> measured = {};
    Time quiet_until{};  // its policies want nothing before, without news
  };
  // The save that one tier requests.
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
  // Skips damaged checkpoints and reports them.
  void reject_damaged(Tier& tier);
  void step();
  // True if the loop only has to make the next step.
  bool quiet() const;
  // True if a value that policies may use has changed.
  bool has_news() const;
  // The next time at which a policy may request a save, without news. It is now while a save is in
  // progress.
  Time next_wish() const;
  std::vector<Wish> wanted(bool stop);
  std::optional<Wish> wish_of(Tier& tier, bool stop);
  // True while a save to the place is in progress or not safe yet.
  bool persisting(const Tier& tier) const;
  policies::CheckpointState state_of(const Tier& tier, bool stop) const;
  // The expected time until a full save that begins now is durable.
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
  Time began_{};                    // start of its first step
  Time quiet_until_ = Time::min();  // next_wish() after the last step that was not quiet
  std::optional<Time> told_to_stop_at_;
  std::optional<spotrun::ExitStatus> status_;
  std::optional<Fiber> fiber_;
};

}  // namespace sim::guest
