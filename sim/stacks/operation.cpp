#include "sim/stacks/operation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/kernel/check.h"

namespace sim::stacks {
namespace {

constexpr std::string_view kStackType = "AWS::CloudFormation::Stack";

}  // namespace

// ---- operations that the API starts

void Stacks::Operation::create() {
  begin(Phase::kCreate, "User Initiated");
  if (stack_.timeout_minutes)
    timeout_ = stacks_.simulation_.after(
        std::chrono::minutes(*stack_.timeout_minutes), [this, turn = turn_] {
          if (turn == turn_ && phase_ == Phase::kCreate)
            fail_all("Stack creation time exceeded the specified timeout");
        });
}

void Stacks::Operation::review() { set_stack_status(kReviewInProgress, "User Initiated"); }

void Stacks::Operation::update(Description next) {
  before_ = std::exchange(stack_.now, std::move(next));
  discarded_.clear();
  touched_.clear();
  made_.clear();
  for (auto& [id, resource] : stack_.now.resources) {
    const auto old = before_.resources.find(id);
    if (old == before_.resources.end()) continue;
    resource.physical_id = old->second.physical_id;
    resource.properties = old->second.properties;
    resource.status = old->second.status;
    resource.changed = old->second.changed;
  }
  stack_.now.outputs = before_.outputs;
  stack_.updated = stacks_.simulation_.now();
  begin(Phase::kUpdate, "User Initiated");
}

void Stacks::Operation::remove(const std::vector<std::string>& retain) {
  for (const std::string& id : retain)
    if (const auto found = stack_.now.resources.find(id); found != stack_.now.resources.end())
      found->second.definition.deletion = Disposal::kRetain;
  begin(Phase::kDelete, "User Initiated");
}

void Stacks::Operation::cancel_update() { fail_all("User Initiated"); }

void Stacks::Operation::signalled(const std::string& logical_id, const Signal& signal) {
  for (Step& step : steps_) {
    if (step.id != logical_id || step.state != State::kRunning || !step.called) continue;
    set_status(step, "IN_PROGRESS",
               fmt::format("Received {} signal with UniqueId {}",
                           signal.success ? "SUCCESS" : "FAILURE", signal.unique_id));
  }
}

// ---- phases

void Stacks::Operation::later(Duration d, std::function<void()> fn) {
  stacks_.simulation_.after(d, [this, turn = turn_, fn = std::move(fn)] {
    if (turn == turn_) fn();
  });
}

void Stacks::Operation::begin(Phase phase, const std::string& reason) {
  ++turn_;
  phase_ = phase;
  if (timeout_ && phase != Phase::kCreate)
    stacks_.simulation_.cancel(*std::exchange(timeout_, std::nullopt));
  set_stack_status(row_of(phase).in_progress, reason);
  switch (phase) {
    case Phase::kCreate:
      steps_ = creations();
      break;
    case Phase::kUpdate:
      steps_ = updates();
      break;
    case Phase::kUpdateRollback:
      steps_ = restorations();
      break;
    case Phase::kCleanup:
    case Phase::kRollbackCleanup:
      steps_ = cleanups();
      break;
    case Phase::kRollback:
    case Phase::kDelete:
      steps_ = deletions(phase == Phase::kRollback);
      break;
    case Phase::kNone:
      SIM_CHECK(false);
  }
  later(stacks_.timing_.between_phases, [this] { advance(); });
}

// Starts every step whose predecessors are done. Ends the phase when nothing runs and nothing can
// start.
void Stacks::Operation::advance() {
  const std::uint64_t turn = turn_;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const bool ready = steps_[i].state == State::kWaiting &&
                         std::ranges::all_of(steps_[i].after, [this](std::size_t before) {
                           return steps_[before].state == State::kDone;
                         });
      if (!ready) continue;
      start(i);
      if (turn != turn_) return;  // the step failed, and another phase follows
      more |= steps_[i].state == State::kDone;
    }
  }
  const bool runs =
      std::ranges::any_of(steps_, [](const Step& step) { return step.state == State::kRunning; });
  if (!runs) end_phase(failed_steps());
}

// The logical IDs of the steps that failed.
std::string Stacks::Operation::failed_steps() const {
  std::vector<std::string> ids;
  for (const Step& step : steps_)
    if (step.state == State::kFailed || step.state == State::kCancelled) ids.push_back(step.id);
  if (ids.empty()) return "";
  const std::string_view verb = phase_ == Phase::kCreate ? "create"
                                : phase_ == Phase::kUpdate || phase_ == Phase::kUpdateRollback
                                    ? "update"
                                    : "delete";
  return fmt::format("The following resource(s) failed to {}: [{}]. ", verb, fmt::join(ids, ", "));
}

// Handles the first failure in a phase that stops at failures: cancels the steps that are running.
void Stacks::Operation::fail_all(const std::string& reason) {
  for (Step& step : steps_) {
    if (step.state != State::kRunning) continue;
    step.state = State::kCancelled;
    set_status(step, "FAILED",
               step.action == Action::kCreate ? "Resource creation cancelled"
                                              : "Resource update cancelled");
  }
  ++turn_;
  const std::string failure = reason.empty() ? failed_steps() : reason + ". ";
  later(stacks_.timing_.between_phases, [this, failure] { failed(failure); });
}

void Stacks::Operation::end_phase(const std::string& failure) {
  ++turn_;
  if (!failure.empty()) return failed(failure);
  try {
    succeeded();
  } catch (const ApiError& error) {  // an output or an export is invalid
    failed(error.what() + std::string(". "));
  }
}

void Stacks::Operation::succeeded() {
  if (phase_ == Phase::kCreate || phase_ == Phase::kUpdate) compute_outputs();
  const PhaseRow& row = row_of(phase_);
  if (row.next != Phase::kNone) return begin(row.next, "");
  finish(row.complete, "");
}

void Stacks::Operation::failed(const std::string& failure) {
  const PhaseRow& row = row_of(phase_);
  const bool rolls_back =
      row.on_failure != Phase::kNone && stack_.on_failure != OnFailure::kDoNothing;
  if (!rolls_back) return finish(row.failed, failure);
  const bool deletes = phase_ == Phase::kCreate && stack_.on_failure == OnFailure::kDelete;
  begin(deletes ? Phase::kDelete : row.on_failure,
        failure + (deletes ? "Delete requested by user." : "Rollback requested by user."));
}

void Stacks::Operation::finish(std::string_view status, const std::string& reason) {
  if (timeout_) stacks_.simulation_.cancel(*std::exchange(timeout_, std::nullopt));
  ++turn_;
  phase_ = Phase::kNone;
  steps_.clear();
  if (status == row_of(Phase::kDelete).complete) {
    stack_.deleted = stacks_.simulation_.now();
    stack_.now.outputs.clear();
    stack_.now.imports.clear();
  }
  set_stack_status(status, reason);
}

void Stacks::Operation::compute_outputs() {
  std::vector<Output> outputs = evaluation().outputs();
  for (const Output& output : outputs) {
    if (output.export_name.empty()) continue;
    for (const Export& other : stacks_.exports())
      if (other.name == output.export_name && other.stack_id != stack_.id)
        throw invalid(fmt::format("Export with name {} is already exported by stack {}", other.name,
                                  stacks_.stack(other.stack_id).name));
  }
  stack_.now.outputs = std::move(outputs);
}

// ---- names and events

PseudoParameters Stacks::Operation::pseudo() const { return stacks_.pseudo(stack_); }

Import Stacks::Operation::import() {
  return [this](const std::string& name) {
    const std::string value = stacks_.exported(name);
    stack_.now.imports.insert(name);
    return value;
  };
}

Evaluation Stacks::Operation::evaluation() {
  return {stacks_.types_, pseudo(), stack_.now, import(), {}, stack_.actor};
}

void Stacks::Operation::set_stack_status(std::string_view status, const std::string& reason) {
  stack_.status = status;
  stack_.reason = reason;
  stacks_.log_.append(events::StackStatus{.time = stacks_.simulation_.now(),
                                          .stack = stack_.name,
                                          .stack_id = stack_.id,
                                          .status = status,
                                          .reason = reason});
  add_event({.logical_id = stack_.name,
             .physical_id = stack_.id,
             .type = std::string(kStackType),
             .status = std::string(status),
             .reason = reason});
}

void Stacks::Operation::add_event(StackEvent event) {
  const Time now = stacks_.simulation_.now();
  event.time = now;
  event.token = stack_.token;
  event.id = event.type == kStackType
                 ? stacks_.uuid()
                 : fmt::format("{}-{}-{}", event.logical_id, event.status, iso_milliseconds(now));
  stack_.events.push_back(std::move(event));
}

}  // namespace sim::stacks
