// An operation on one stack: its phases, and in each phase steps that wait for one another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/stacks/evaluation.h"
#include "sim/stacks/stacks.h"

namespace sim::stacks {

class Stacks::Operation {
 public:
  Operation(Stacks& stacks, Stack& stack) : stacks_(stacks), stack_(stack) {}

  void create();
  // The stack exists for a change set that would create it.
  void review();
  void update(Description next);
  void remove(const std::vector<std::string>& retain);
  void cancel_update();
  // A signal came for a resource.
  void signalled(const std::string& logical_id, const Signal& signal);

 private:
  enum class Action { kCreate, kUpdate, kDelete };
  enum class State { kWaiting, kRunning, kDone, kFailed, kCancelled };
  struct Step {
    Action action;
    std::string id;                       // logical
    std::vector<std::size_t> after = {};  // steps that end before
    Resource old = {};  // kDelete: the resource, which need not be the stack's present one
    Disposal disposal = Disposal::kDelete;
    State state = State::kWaiting;
    Time since{};
    Json properties = {};  // kUpdate: the new ones
    bool makes = false;    // kUpdate: by a new resource
    bool called = false;   // the service took the call
    int looks = 0;         // how often the step waited for the service or the resource
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

  // ---- what each phase has to do (steps.cpp)
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
  void compute_outputs();
  bool skipped(const Resource& resource) const;

  Stacks& stacks_;
  Stack& stack_;
  Phase phase_ = Phase::kNone;
  std::uint64_t turn_ = 0;  // callbacks of an earlier turn do nothing
  std::vector<Step> steps_;
  Description before_;                // an update's rollback returns to it
  std::vector<Discarded> discarded_;  // for the cleanup
  std::vector<std::string> touched_;  // resources that this update changed in place
  std::vector<std::string> made_;     // that it made
  std::optional<EventId> timeout_;
};

}  // namespace sim::stacks
