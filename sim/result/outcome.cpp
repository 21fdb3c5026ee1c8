#include "sim/result/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/events/listeners.h"
#include "sim/result/story.h"

namespace sim::run {
namespace {

const std::string kOperator = "operator";
constexpr int kBySignal = 128;  // a shell's status of a program that a signal ended: 128 + signal

std::string how_it_ended(int status) {
  const char* const signal = status > kBySignal ? sigabbrev_np(status - kBySignal) : nullptr;
  return signal ? fmt::format("ended with status {} (SIG{})", status, signal)
                : fmt::format("ended with status {}", status);
}

// A reason of EC2's for shutting an instance down, as people say it.
std::string as_said(std::string_view reason) {
  if (reason.starts_with("Server.")) return "EC2 interrupted the instance";
  if (reason == "Client.InstanceInitiatedShutdown") return "the instance shut itself down";
  return "the instance was terminated by an API call";
}

}  // namespace

void Outcome::listen(events::Listeners& log) {
  evidence_.listen(log);
  log.on<events::TrainerStep>([this](const events::TrainerStep&) { shown_ = true; });
  log.on(*this, &Outcome::run_start);
  log.on(*this, &Outcome::trainer_starts);
  log.on(*this, &Outcome::trainer_finished);
  log.on(*this, &Outcome::exit);
  log.on(*this, &Outcome::phase);
  log.on(*this, &Outcome::instance_state);
  log.on(*this, &Outcome::call);
  log.on(*this, &Outcome::training_job);
}

void Outcome::run_start(const events::RunStart& event) {
  expects_trainer_ = !event.progress.empty();
  scripts_suffice_ = event.evidence == "scripts";
}

void Outcome::trainer_starts(const events::TrainerStart& event) {
  trained_ = event.instance_id;
  machines_[trained_].at = event.time;
  machines_[trained_].trained = true;
}

void Outcome::trainer_finished(const events::TrainerFinished& event) {
  finished_ = event.time;
  finished_on_ = event.instance_id;
}

void Outcome::exit(const events::GuestExit& event) {
  Machine& machine = machines_[std::string(event.machine)];
  machine.status = static_cast<int>(event.status);
  machine.at = event.time;
}

void Outcome::phase(const events::OrchestratorPhase& event) {
  orchestrator_failed_.reset();
  if (event.name != "failed") return;
  orchestrator_failed_ = {.machine = std::string(event.instance_id),
                          .status = {},
                          .at = event.time,
                          .why = "spotrun gave up: the last phase it reported is \"failed\""};
}

void Outcome::instance_state(const events::InstanceState& event) {
  if (!event.managed_by.empty()) managed_.emplace(event.instance_id);
  if (launched_to_train(event)) launched_ = event.instance_id;
  if (event.to != "shutting-down") return;
  last_ = event.instance_id;
  Machine& machine = machines_[last_];
  machine.down = true;
  if (machine.status) return;
  machine.ending = as_said(event.reason);
  machine.at = event.time;
}

void Outcome::training_job(const events::SagemakerEnd& event) {
  const bool completed = event.status == "Completed";
  if (completed) shown_ = true;
  // Who makes another one then has tried again.
  if (const auto created = parse_time(event.created);
      completed && training_job_failed_ && created && *created >= training_job_failed_->at)
    training_job_failed_.reset();
  // Who stops one wants it so.
  if (completed || event.secondary_status == "Stopped" || training_job_failed_) return;
  std::string why =
      fmt::format("the training job {} ended as {}", event.job, event.secondary_status);
  if (!event.failure_reason.empty()) why += fmt::format(": {}", event.failure_reason);
  training_job_failed_ = {.machine = trained_.empty() ? kOperator : trained_,
                          .status = {},
                          .at = event.time,
                          .why = why};
}

// A call by which an instance gives up: nothing replaces the instance afterwards. Only scenarios
// that expect a trainer ask for this.
void Outcome::call(const events::ApiCall& event) {
  if (!expects_trainer_) return;
  const bool fleet = event.action == "CancelSpotFleetRequests";
  if (!fleet && event.action != "CancelSpotInstanceRequests") return;
  if (event.result != "ok" || event.caller == kOperator) return;
  gave_up_ = event.caller;
  machines_[gave_up_].deed =
      fmt::format("it cancelled {} at {}", fleet ? "the fleet" : "its request",
                  iso_seconds(event.time).substr(11, 8));
}

const Outcome::Machine& Outcome::machine(const std::string& name) const {
  static const Machine kUnknown;
  const auto found = machines_.find(name);
  return found == machines_.end() ? kUnknown : found->second;
}

bool Outcome::failed() const {
  if (ended_badly(machine(kOperator)) || orchestrator_failed_ || training_job_failed_) return true;
  return trainer_died() || (trained_.empty() && !first_bad_exit().empty());
}

// Its instance still runs: nothing comes in its place.
bool Outcome::trainer_died() const {
  if (trained_.empty() || finished_ || managed_.contains(trained_)) return false;
  return ended_badly(machine(trained_)) && !machine(trained_).down;
}

std::string Outcome::first_bad_exit() const {
  std::string first;
  for (const auto& [name, machine] : machines_) {
    // What a service makes of its containers' ends, it says.
    if (!ended_badly(machine) || managed_.contains(name)) continue;
    if (first.empty() || machine.at < machines_.at(first).at) first = name;
  }
  return first;
}

std::string Outcome::verdict(End end) const {
  const bool all_down = end == End::kAllDown;
  if (all_down && finished_ && !ended_badly(machine(kOperator)) && !training_job_failed_)
    return kept() ? "completed" : "failed";
  if (failed()) return "failed";
  if (end == End::kLimit) return "deadline";
  if (end == End::kNothingCanHappen) return "stuck";
  if (!trained_.empty() || expects_trainer_) return "failed";
  return shown_ || scripts_suffice_ ? "completed" : "unproven";
}

Cause Outcome::bad_exit(const std::string& name) const {
  const Machine& m = machine(name);
  std::string why = (name == kOperator ? "the operator's script " : "its user data ") +
                    how_it_ended(m.status.value_or(0));
  if (!m.ending.empty()) why += ", when " + m.ending + "; no trainer had reported \"finished\"";
  return {.machine = name, .status = m.status, .at = m.at, .why = why};
}

Cause Outcome::unfinished_training() const {
  const Machine& m = machine(trained_);
  std::string why = m.deed.empty() ? "" : m.deed + "; ";
  why += "training ended before the trainer reported \"finished\"";
  if (m.status) why += ": its user data " + how_it_ended(*m.status);
  if (!m.ending.empty()) why += ", when " + m.ending;
  return {.machine = trained_, .status = m.status, .at = m.at, .why = why};
}

Cause Outcome::nothing_kept() const {
  const Evidence evidence = evidence_.found();
  const char* const what =
      evidence.kept ? "its state is gone" : "nothing shows that its state is kept";
  return {.machine = finished_on_,
          .status = machine(finished_on_).status,
          .at = *finished_,
          .why = fmt::format("training finished, but {}: {}", what, evidence.why)};
}

// Of the instance by whose doing no other one tried, else of the first whose user data failed, else
// of the last one.
Cause Outcome::never_started() const {
  if (gave_up_.empty() && !first_bad_exit().empty()) return bad_exit(first_bad_exit());
  const std::string& last = last_.empty() ? launched_ : last_;
  const std::string& name = !gave_up_.empty() ? gave_up_ : last.empty() ? kOperator : last;
  const Machine& m = machine(name);
  std::string why = m.deed.empty() ? "" : m.deed + "; ";
  why += last.empty() ? "no instance was launched to train" : "its trainer never started";
  if (m.status && !last.empty()) why += fmt::format(", its user data {}", how_it_ended(*m.status));
  if (!m.ending.empty()) why += ", when " + m.ending;
  return {.machine = name, .status = m.status, .at = m.at, .why = why};
}

std::optional<Cause> Outcome::cause(End end) const {
  if (verdict(end) != "failed") return std::nullopt;
  if (ended_badly(machine(kOperator))) return bad_exit(kOperator);
  if (training_job_failed_) return training_job_failed_;
  if (end == End::kAllDown && finished_) return nothing_kept();
  if (orchestrator_failed_) {
    Cause cause = *orchestrator_failed_;
    cause.status = machine(cause.machine).status;
    return cause;
  }
  const bool gave_up_untrained = !gave_up_.empty() && !machine(gave_up_).trained;
  if (!trained_.empty() && !gave_up_untrained) return unfinished_training();
  return expects_trainer_ ? never_started() : bad_exit(first_bad_exit());
}

}  // namespace sim::run
