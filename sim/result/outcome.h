// How a run ended, according to its events.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/events/event_log.h"
#include "sim/result/cause.h"
#include "sim/result/history.h"

namespace sim::run {

class Outcome {
 public:
  // The history must be up to date with an event before the outcome gets the event.
  explicit Outcome(const History& history) : history_(history) {}
  // The outcome must outlive the log's listeners.
  void listen(events::Listeners& log);

  enum class End { kAllDown, kLimit, kNothingCanHappen };
  // "completed": all is down, the trainer finished and its state is kept, or a training job
  // completed, or, where the scenario says that scripts suffice, every script succeeded.
  // "unproven": every script succeeded, and nothing shows that anything was trained. "failed": a
  // script, the trainer or the orchestrator did, or nothing shows that the trained state is kept.
  // Else "deadline" or "stuck".
  std::string verdict(End end) const;
  // Why it is "failed": the operator's script, else the training job of SageMaker's, else the
  // orchestrator's last phase, else, where no trainer reported, the first script that ended badly,
  // else the instance that gave up without a trainer, else the training that ended unfinished or
  // left nothing. Empty for the other outcomes.
  std::optional<Cause> cause(End end) const;
  Evidence evidence() const { return history_.checkpoints.found(); }

 private:
  struct Machine {
    std::optional<int> status;  // of its script; empty while that runs
    Time at{};                  // when the script ended, else the last thing known of it
    std::string ending;         // what ended the machine before the script; empty: nothing
    std::string deed;           // how it ended what would have replaced it; empty: it did not
    bool trained = false;       // a trainer began there
    bool down = false;          // it shuts down, or has
  };
  static bool ended_badly(const Machine& machine) { return machine.status.value_or(0) != 0; }

  void trainer_starts(const events::TrainerStart& event);
  void trainer_finished(const events::TrainerFinished& event);
  void phase(const events::OrchestratorPhase& event);
  void call(const events::ApiCall& event);
  void training_job(const events::SagemakerEnd& event);
  bool failed() const;
  bool trainer_died() const;
  Machine machine(const std::string& name) const;
  bool expects_trainer() const { return !history_.header.progress.empty(); }
  Cause bad_exit(const std::string& name) const;
  std::string first_bad_exit() const;  // the user data that ended badly first; empty: none
  Cause unfinished_training() const;
  Cause nothing_kept() const;
  Cause never_started() const;
  std::string last_launched() const;  // to train; empty: none
  bool kept() const { return !history_.header.needs_evidence() || evidence().kept.value_or(false); }

  const History& history_;
  std::optional<Time> finished_;  // when a trainer said so last
  std::string finished_on_;       // its instance
  bool shown_ = false;            // a trainer reported a step, or a training job completed
  std::string last_;              // the instance that went down last
  std::string gave_up_;           // the last one that ended what would have replaced it
  std::map<std::string, std::string> deeds_;  // how they did, by instance
  std::string trained_;  // the instance on which training last began; empty: on none
  std::map<std::string, Time> training_;  // when it last began, by instance
  std::optional<Cause> orchestrator_failed_;
  std::optional<Cause> training_job_failed_;  // the first of them
};

}  // namespace sim::run
