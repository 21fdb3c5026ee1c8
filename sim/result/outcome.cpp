#include "sim/result/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ranges>

#include "sim/events/listeners.h"

namespace sim::result {
namespace {

const std::string kOperator = "operator";
constexpr int kBySignal = 128;  // a shell's status of a program that a signal ended: 128 + signal

std::string how_it_ended(int status) {
  const char* const signal = status > kBySignal ? sigabbrev_np(status - kBySignal) : nullptr;
  return signal ? fmt::format("ended with status {} (SIG{})", status, signal)
                : fmt::format("ended with status {}", status);
}

// EC2's reason for a shutdown as a readable sentence. `done` is "interrupted" or "stopped",
// `by_call` is "terminated" or "stopped".
std::string as_said(std::string_view reason, std::string_view done, std::string_view by_call) {
  if (reason.starts_with("Server.")) return fmt::format("EC2 {} the instance", done);
  if (reason == "Client.InstanceInitiatedShutdown") return "the instance shut itself down";
  return fmt::format("the instance was {} by an API call", by_call);
}

}  // namespace

void Outcome::listen(events::Listeners& log) {
  log.on<events::TrainerStep>([this](const events::TrainerStep&) { shown_ = true; });
  log.on<events::InstanceState>([this](const events::InstanceState& event) {
    if (event.to == "shutting-down") last_ = event.instance_id;
  });
  log.on(*this, &Outcome::trainer_starts);
  log.on(*this, &Outcome::trainer_finished);
  log.on(*this, &Outcome::phase);
  log.on(*this, &Outcome::call);
  log.on(*this, &Outcome::training_job);
}

void Outcome::trainer_starts(const events::TrainerStart& event) {
  trained_ = event.instance_id;
  training_[trained_] = event.time;
}

void Outcome::trainer_finished(const events::TrainerFinished& event) {
  finished_ = event.time;
  finished_on_ = event.instance_id;
}

void Outcome::phase(const events::OrchestratorPhase& event) {
  orchestrator_failed_.reset();
  if (event.name != "failed") return;
  orchestrator_failed_ = {.machine = std::string(event.instance_id),
                          .status = {},
                          .at = event.time,
                          .why = "spotrun gave up: the last phase it reported is \"failed\""};
}

void Outcome::training_job(const events::SagemakerEnd& event) {
  const bool completed = event.status == "Completed";
  if (completed) shown_ = true;
  // A later training job is another attempt.
  if (const auto created = parse_time(event.created);
      completed && training_job_failed_ && created && *created >= training_job_failed_->at)
    training_job_failed_.reset();
  // A customer who stops a job does not count it as failed.
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
  if (!expects_trainer()) return;
  const bool fleet = event.action == "CancelSpotFleetRequests";
  if (!fleet && event.action != "CancelSpotInstanceRequests") return;
  if (event.result != "ok" || !event.caller.starts_with("i-")) return;
  gave_up_ = event.caller;
  deeds_[gave_up_] = fmt::format("it cancelled {} at {}", fleet ? "the fleet" : "its request",
                                 iso_seconds(event.time).substr(11, 8));
}

Outcome::Machine Outcome::machine(const std::string& name) const {
  Machine m;
  if (const auto began = training_.find(name); began != training_.end())
    m.at = began->second, m.trained = true;
  if (const auto deed = deeds_.find(name); deed != deeds_.end()) m.deed = deed->second;
  const History::Instance* const instance = history_.instance(name);
  const auto exit = history_.exits.find(name);
  // If a trainer has started after a restart, the user data runs again.
  const bool runs_again = instance && instance->restarts() > 0 && m.trained &&
                          exit != history_.exits.end() && m.at > exit->second.at;
  if (exit != history_.exits.end() && !runs_again) {
    m.status = static_cast<int>(exit->second.status);
    m.at = std::max(m.at, exit->second.at);
  }
  if (!instance) return m;
  const auto down_at = instance->shutting_down_at;
  const bool stopped = instance->is_stopped() && instance->billed_until();
  m.down = stopped || down_at;
  if (!m.down || !instance->cut_short) return m;
  const History::Pause* const pause = stopped && !down_at ? &instance->pauses.back() : nullptr;
  m.ending = pause ? as_said(pause->reason, "stopped", "stopped")
                   : as_said(instance->end_reason, "interrupted", "terminated");
  m.at = std::max(m.at, pause ? pause->begins_at : *down_at);
  return m;
}

std::string Outcome::last_launched() const {
  for (const History::Instance& instance : std::views::reverse(history_.instances))
    if (instance.launched_to_train()) return instance.id;
  return "";
}

bool Outcome::failed() const {
  if (ended_badly(machine(kOperator)) || orchestrator_failed_ || training_job_failed_) return true;
  return trainer_died() || (trained_.empty() && !first_bad_exit().empty());
}

// The trainer died but its instance still runs, so no replacement comes.
bool Outcome::trainer_died() const {
  if (trained_.empty() || finished_ || history_.is_managed(trained_)) return false;
  return ended_badly(machine(trained_)) && !machine(trained_).down;
}

std::string Outcome::first_bad_exit() const {
  std::string first;
  for (const auto& [name, exit] : history_.exits) {
    // A service itself reports how its containers ended.
    if (exit.status == 0 || history_.is_managed(name)) continue;
    if (first.empty() || machine(name).at < machine(first).at) first = name;
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
  if (!trained_.empty() || expects_trainer()) return "failed";
  return shown_ || history_.header.scripts_suffice() ? "completed" : "unproven";
}

Cause Outcome::bad_exit(const std::string& name) const {
  const Machine m = machine(name);
  std::string why = (name == kOperator ? "the operator's script " : "its user data ") +
                    how_it_ended(m.status.value_or(0));
  if (!m.ending.empty()) why += ", when " + m.ending + "; no trainer had reported \"finished\"";
  return {.machine = name, .status = m.status, .at = m.at, .why = why};
}

Cause Outcome::unfinished_training() const {
  const Machine m = machine(trained_);
  std::string why = m.deed.empty() ? "" : m.deed + "; ";
  why += "training ended before the trainer reported \"finished\"";
  if (m.status) why += ": its user data " + how_it_ended(*m.status);
  if (!m.ending.empty()) why += ", when " + m.ending;
  return {.machine = trained_, .status = m.status, .at = m.at, .why = why};
}

Cause Outcome::nothing_kept() const {
  const Evidence found = evidence();
  const char* const what =
      found.kept ? "its state is gone" : "nothing shows that its state is kept";
  return {.machine = finished_on_,
          .status = machine(finished_on_).status,
          .at = *finished_,
          .why = fmt::format("training finished, but {}: {}", what, found.why)};
}

// The instance that cancelled its replacement, else the first one whose user data failed, else the
// last one.
Cause Outcome::never_started() const {
  if (gave_up_.empty() && !first_bad_exit().empty()) return bad_exit(first_bad_exit());
  const std::string last = last_.empty() ? last_launched() : last_;
  const std::string& name = !gave_up_.empty() ? gave_up_ : last.empty() ? kOperator : last;
  const Machine m = machine(name);
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
  return expects_trainer() ? never_started() : bad_exit(first_bad_exit());
}

}  // namespace sim::result
