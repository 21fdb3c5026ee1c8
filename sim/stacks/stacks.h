// CloudFormation's stacks. The engine creates, updates and removes resources in the order of their
// dependencies, on the virtual clock.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"
#include "sim/stacks/pseudo_parameters.h"
#include "sim/stacks/stack.h"

namespace sim::stacks {

struct Account {
  std::string id, region;
};

// The time that CloudFormation itself takes, in addition to the time of a resource type
// (Traits::least). AWS does not publish these times, so all of them are assumptions
// (docs/cloudformation.md).
struct Timing {
  Duration between_phases = std::chrono::seconds{1};  // from a phase's last step to the next status
  Duration call = std::chrono::seconds{1};            // from IN_PROGRESS to the call of the service
  Duration computing = std::chrono::seconds{3};       // from CreateChangeSet to its final status
  // If positive, a step ends as soon as its resource is ready, and Traits::least is ignored. If the
  // resource is not ready, the step polls `eager_looks` times at once, and then every few seconds.
  int eager_looks = 0;
};
inline constexpr Timing kInstant{{}, {}, {}, 100};

// A request to CreateStack, UpdateStack or CreateChangeSet.
struct StackRequest {
  std::string name;                          // or the ID of an existing stack
  std::optional<std::string> template_text;  // empty: keep the stack's present template
  std::map<std::string, GivenParameter> parameters;
  std::vector<std::string> capabilities, notification_arns;
  std::optional<Tags> tags;  // empty: keep the stack's present tags
  std::string role_arn;      // empty: keep the stack's present role
  std::string token;
  std::optional<iam::Caller> caller = {};  // as in Actor
  OnFailure on_failure = OnFailure::kRollback;
  std::optional<int> timeout_minutes;
  bool termination_protection = false;
};

// A request to DeleteStack.
struct DeletionRequest {
  std::string name;
  std::vector<std::string> retain = {};  // logical IDs
  std::string role_arn = {};             // empty: keep the stack's present role
  std::string token = {};
  std::optional<iam::Caller> caller = {};  // as in Actor
};

// A request to ExecuteChangeSet.
struct ExecutionRequest {
  std::string stack, set;
  bool disable_rollback = false;
  std::string token = {};
  std::optional<iam::Caller> caller = {};  // as in Actor
};

struct ChangeSetRequest {
  std::string name, description, kind;  // kind: CREATE or UPDATE
};

// An exported output, with the stack that exports it.
struct Export {
  std::string name, value, stack_id;
};

// All stacks of one region, including deleted ones. fakes/cloudformation parses requests and calls
// this class; the class calls the services through ResourceTypes. A function that changes a stack
// returns at once, and timers on the virtual clock continue the operation. Functions throw ApiError
// with CloudFormation's codes and messages.
class Stacks {
 public:
  // All references must outlive the engine.
  Stacks(Simulation&, EventLog&, const Streams&, ResourceTypes&, Account, Timing = {});
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  // ---- operations. Each call starts an operation, which continues on the virtual clock
  const Stack& create(const StackRequest& request);
  const Stack& update(const StackRequest& request);
  // Deletes a stack. Succeeds if the stack does not exist. `retain` are logical IDs of resources to
  // keep and is allowed only for a stack in DELETE_FAILED.
  void remove(const DeletionRequest& request);
  void cancel_update(const std::string& name, const std::string& token);
  void signal(const std::string& name, const std::string& logical_id, Signal signal);
  const Stack& protect(const std::string& name, bool protection);

  // ---- change sets
  const ChangeSet& create_change_set(const StackRequest& request, const ChangeSetRequest& set);
  void execute_change_set(const ExecutionRequest& request);
  void delete_change_set(const std::string& stack, const std::string& set);
  struct FoundChangeSet {
    const Stack& stack;
    const ChangeSet& set;
  };
  FoundChangeSet change_set(const std::string& stack, const std::string& set) const;

  // ---- reads
  // Finds a stack by ID, or by name if it is not deleted.
  const Stack& stack(const std::string& name) const;
  const std::deque<std::unique_ptr<Stack>>& all() const { return stacks_; }  // oldest first
  // A resource's metadata as instances read it, with evaluated functions. Null if it has no
  // metadata.
  Json metadata(const Stack& stack, const std::string& logical_id) const;
  std::vector<Export> exports() const;                                       // sorted by name
  std::vector<std::string> importers(const std::string& export_name) const;  // names of stacks
  bool any_in_progress() const;
  // Performs the checks of ValidateTemplate.
  Template validated(std::string text) const;
  // The capabilities that a template needs, and the reason ("" if it needs none).
  std::vector<std::string> needed_capabilities(const Template& of) const;

 private:
  class Operation;
  friend class Operation;

  Stack* find(const std::string& name) const;
  Stack& get(const std::string& name) const;
  Stack& add(const std::string& name);
  ChangeSet& get_change_set(const std::string& stack, const std::string& set) const;
  Description describe(const StackRequest& request, const Stack* previous) const;
  void check_types(const Template& of) const;
  void check_capabilities(const Template& of, const std::vector<std::string>& given) const;
  void add_resources(Description& made) const;
  std::vector<Change> changes(const Stack& stack, const Description& next) const;
  bool is_changed(const Stack& stack, const Description& next) const;
  void check_updatable(const Stack& stack) const;
  void fill(ChangeSet& set, const Stack& stack) const;
  Operation& operation(Stack& stack);
  PseudoParameters pseudo(const Stack& stack) const;
  std::string exported(const std::string& name) const;
  std::string uuid();
  std::string arn(std::string_view kind, const std::string& name);

  Simulation& simulation_;
  EventLog& log_;
  ResourceTypes& types_;
  Account account_;
  Timing timing_;
  Stream ids_;
  std::deque<std::unique_ptr<Stack>> stacks_;
  std::map<std::string, std::unique_ptr<Operation>> operations_;  // by stack ID
};

}  // namespace sim::stacks
