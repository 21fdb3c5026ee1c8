// Decides how a run ended, from its events: the outcome, the cause of a failure, and the evidence
// that the trained state exists. A run asks it at the end and writes the answers to run.end.
// Invariants do not read it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/events/event_log.h"
#include "sim/result/cause.h"
#include "sim/result/history.h"

namespace sim::result {

class Outcome {
 public:
  // The history must be up to date with an event before the outcome gets the event.
  explicit Outcome(const History& history) : history_(history) {}
  // The outcome must outlive the log's listeners.
  void listen(events::Listeners& log);

  enum class End { kAllDown, kLimit, kNothingCanHappen };
  // The outcome.
  //
  //   completed  nothing runs, the trainer finished and its state is kept; or a training job
  //              completed; or every script succeeded and the scenario states that scripts suffice
  //   unproven   every script succeeded, but nothing proves that the job trained
  //   failed     a script, the trainer or the orchestrator failed, or the trained state may be lost
  //   deadline, stuck   otherwise
  std::string verdict(End end) const;
  // The cause if the outcome is "failed", else empty. It is the first of these that applies:
  // - the operator's script
  // - SageMaker's training job
  // - the orchestrator's last phase
  // - the first script that failed, if no trainer reported
  // - an instance that gave up without a trainer
  // - training that ended unfinished or without a kept state
  std::optional<Cause> cause(End end) const;
  Evidence evidence() const { return history_.checkpoints.found(); }

 private:
  struct Machine {
    std::optional<int> status;  // of its script; empty: it is running
    Time at{};                  // when the script ended, else its last known time
    std::string ending;         // what ended the machine before the script; or empty
    std::string deed;           // how it cancelled its replacement; or empty
    bool trained = false;       // a trainer started there
    bool down = false;          // it is shutting down or terminated
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
  std::string first_bad_exit() const;  // first user data that failed; or empty
  Cause unfinished_training() const;
  Cause nothing_kept() const;
  Cause never_started() const;
  std::string last_launched() const;  // last instance launched to train; or empty
  bool kept() const { return !history_.header.needs_evidence() || evidence().kept.value_or(false); }

  const History& history_;
  std::optional<Time> finished_;  // last report that training finished
  std::string finished_on_;       // the instance that reported it
  bool shown_ = false;            // a trainer reported a step, or a training job completed
  std::string last_;              // the instance that went down last
  std::string gave_up_;           // last instance that cancelled its replacement
  std::map<std::string, std::string> deeds_;  // how instances cancelled theirs, by instance
  std::string trained_;                       // instance on which training last began; or empty
  std::map<std::string, Time> training_;      // last start of training, by instance
  std::optional<Cause> orchestrator_failed_;
  std::optional<Cause> training_job_failed_;  // the first of them
};

}  // namespace sim::result
