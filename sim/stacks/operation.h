// An operation on one stack, such as an update. It has phases (phases.h), and each phase has steps
// that wait for one another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/stacks/evaluation.h"
#include "sim/stacks/stacks.h"

namespace sim::stacks {

// Runs the operations of one stack on the virtual clock. The public functions start an operation.
// Timers then call its steps: each step calls the resource's service, and polls until the resource
// is ready. A failure ends the phase and can start a rollback. Stacks owns one Operation for each
// stack; a new phase raises `turn_`, so that timers of the former phase have no effect.
class Stacks::Operation {
 public:
  Operation(Stacks& stacks, Stack& stack) : stacks_(stacks), stack_(stack) {}

  void create();
  // Puts the stack into review: it exists only for a change set that would create its resources.
  void review();
  void update(Description next);
  void remove(const std::vector<std::string>& retain);
  void cancel_update();
  // Handles a signal for a resource (SignalResource).
  void signalled(const std::string& logical_id, const Signal& signal);

 private:
  enum class Action { kCreate, kUpdate, kDelete };
  enum class State { kWaiting, kRunning, kDone, kFailed, kCancelled };
  struct Step {
    Action action;
    std::string id;                       // logical
    std::vector<std::size_t> after = {};  // steps that must end first
    Resource old = {};  // kDelete: the removed resource, maybe not the stack's present one
    Disposal disposal = Disposal::kDelete;
    State state = State::kWaiting;
    Time since{};
    Json properties = {};  // kUpdate: the new properties
    bool makes = false;    // kUpdate: creates a new physical resource
    bool called = false;   // the service accepted the call
    int looks = 0;         // number of polls so far
  };

  // ---- phases (operation.cpp)
  void begin(Phase phase, const std::string& reason);
  void advance();
  void end_phase(const std::string& failure);
  void succeeded();
  void failed(const std::string& failure);
  void finish(std::string_view status, const std::string& reason);
  void fail_all(const std::string& reason);
  std::string failed_steps() const;
  void later(Duration d, std::function<void()> fn);

  // ---- the steps of each phase (steps.cpp)
  struct Discarded {
    Resource resource;
    Disposal disposal;
  };
  std::vector<Step> in_order_of_needs(Action action, const std::vector<std::string>& ids) const;
  static std::vector<Step> removals(std::vector<Discarded> resources);
  std::vector<Step> creations() const;
  std::vector<Step> updates();
  std::vector<Step> restorations();
  std::vector<Step> cleanups();
  std::vector<Step> deletions(bool on_create);

  // ---- one step (run_step.cpp)
  void start(std::size_t at);
  void start_update(Step& step);
  void call(std::size_t at);
  void act(Step& step);
  void poll(std::size_t at);
  Duration pause(Step& step);
  bool is_over(Step& step);
  void done(Step& step);
  void fail(Step& step, const std::string& reason);
  bool has_signals(Step& step);
  void set_status(Step& step, std::string_view outcome, const std::string& reason = {});
  Resource& resource_of(Step& step);
  Handle handle(Step& step);

  // ---- events
  void set_stack_status(std::string_view status, const std::string& reason);
  void add_event(StackEvent event);

  PseudoParameters pseudo() const;
  Import import();
  Evaluation evaluation();
  void compute_outputs();
  bool skipped(const Resource& resource) const;

  Stacks& stacks_;
  Stack& stack_;
  Phase phase_ = Phase::kNone;
  std::uint64_t turn_ = 0;  // callbacks of an earlier turn do nothing
  std::vector<Step> steps_;
  Description before_;                // the description that a rollback of an update restores
  std::vector<Discarded> discarded_;  // resources that the cleanup removes
  std::vector<std::string> touched_;  // resources that this update changed in place
  std::vector<std::string> made_;     // resources that this update created
  std::optional<EventId> timeout_;
};

}  // namespace sim::stacks
