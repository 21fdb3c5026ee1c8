#include "sim/result/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/kernel/event.h"
#include "sim/result/event_fields.h"

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

void Outcome::hear(const Event& event) {
  evidence_.hear(event);
  if (event.kind == "run.start") {
    expects_trainer_ = !text(event, "progress").empty();
    scripts_suffice_ = text(event, "evidence") == "scripts";
  }
  hear_any(event);
}

void Outcome::hear(const PlainEvent& event) {
  if (event.kind == "trainer.step") {  // most lines of a log
    shown_ = true;
    return;
  }
  evidence_.hear(event);
  hear_any(event);
}

template <class E>
void Outcome::hear_any(const E& event) {
  const std::string_view kind = event.kind;
  if (kind == "trainer.step") shown_ = true;
  if (kind == "trainer.start") {
    trained_ = text(event, "instance_id");
    machines_[trained_].at = event.time;
    machines_[trained_].trained = true;
  }
  if (kind == "trainer.finished") {
    finished_ = event.time;
    finished_on_ = text(event, "instance_id");
  }
  if (kind == "guest.exit") hear_exit(event);
  if (kind == "sagemaker.end") hear_training_job(event);
  if (kind == "orchestrator.phase") hear_phase(event);
  if (kind == "instance.state") hear_state(event);
  if (kind == "api.call" && expects_trainer_) hear_call(event);
}

template <class E>
void Outcome::hear_exit(const E& event) {
  Machine& machine = machines_[std::string(text(event, "machine"))];
  machine.status = static_cast<int>(whole(event, "status"));
  machine.at = event.time;
}

template <class E>
void Outcome::hear_phase(const E& event) {
  orchestrator_failed_.reset();
  if (text(event, "name") != "failed") return;
  orchestrator_failed_ = {.machine = std::string(text(event, "instance_id")),
                          .status = {},
                          .at = event.time,
                          .why = "spotrun gave up: the last phase it reported is \"failed\""};
}

template <class E>
void Outcome::hear_state(const E& event) {
  if (!text(event, "managed_by").empty()) managed_.emplace(text(event, "instance_id"));
  if (text(event, "from").empty() &&
      (text(event, "lifecycle") == "spot" || !text(event, "fleet_id").empty()))
    launched_ = text(event, "instance_id");
  if (text(event, "to") != "shutting-down") return;
  last_ = text(event, "instance_id");
  Machine& machine = machines_[last_];
  machine.down = true;
  if (machine.status) return;
  machine.ending = as_said(text(event, "reason"));
  machine.at = event.time;
}

template <class E>
void Outcome::hear_training_job(const E& event) {
  if (text(event, "status") == "Completed") shown_ = true;
  // Who makes another one then has tried again.
  if (const auto created = parse_time(text(event, "created"));
      text(event, "status") == "Completed" && training_job_failed_ && created &&
      *created >= training_job_failed_->at)
    training_job_failed_.reset();
  // Who stops one wants it so.
  if (text(event, "status") == "Completed" || text(event, "secondary_status") == "Stopped") return;
  const std::string job(text(event, "job"));
  std::string why =
      fmt::format("the training job {} ended as {}", job, text(event, "secondary_status"));
  if (!text(event, "failure_reason").empty())
    why += fmt::format(": {}", text(event, "failure_reason"));
  if (training_job_failed_) return;
  training_job_failed_ = {.machine = trained_.empty() ? kOperator : trained_,
                          .status = {},
                          .at = event.time,
                          .why = why};
}

// After such a call nothing comes in the instance's place.
template <class E>
void Outcome::hear_call(const E& event) {
  const std::string_view action = text(event, "action");
  const bool fleet = action == "CancelSpotFleetRequests";
  const std::string caller(text(event, "caller"));
  if (!fleet && action != "CancelSpotInstanceRequests") return;
  if (text(event, "result") != "ok" || caller == kOperator) return;
  gave_up_ = caller;
  machines_[caller].deed = fmt::format("it cancelled {} at {}", fleet ? "the fleet" : "its request",
                                       iso_seconds(event.time).substr(11, 8));
}

bool Outcome::wants(std::string_view kind) const {
  if (kind == "api.call") return expects_trainer_;
  static constexpr std::array<std::string_view, 7> kWanted{
      "trainer.start", "trainer.step",   "trainer.finished", "orchestrator.phase",
      "guest.exit",    "instance.state", "sagemaker.end"};
  return std::ranges::find(kWanted, kind) != kWanted.end() || EvidenceFinder::wants(kind);
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
