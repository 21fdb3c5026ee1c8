// CloudFormation's stacks: an engine that makes, changes and removes resources in the order of
// their dependencies, on the virtual clock.
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

// How long CloudFormation takes, beside what a resource type needs (Traits::least). AWS publishes
// no such times: all are assumptions (docs/cloudformation.md).
struct Timing {
  Duration between_phases = std::chrono::seconds{1};  // a phase's last step → the next status
  Duration call = std::chrono::seconds{1};            // IN_PROGRESS → the service is called
  Duration computing = std::chrono::seconds{3};       // CreateChangeSet → its final status
  // A step ends as soon as its resource is ready, whatever the type needs. A step whose resource is
  // not ready looks again at once, `eager_looks` times, and then every few seconds.
  int eager_looks = 0;
};
inline constexpr Timing kInstant{{}, {}, {}, 100};

// What CreateStack, UpdateStack and CreateChangeSet say.
struct StackRequest {
  std::string name;                          // or an ID, of a stack that exists
  std::optional<std::string> template_text;  // empty: the stack's present one
  std::map<std::string, GivenParameter> parameters;
  std::vector<std::string> capabilities, notification_arns;
  std::optional<Tags> tags;  // empty: the stack's present ones
  std::string role_arn, token;
  OnFailure on_failure = OnFailure::kRollback;
  std::optional<int> timeout_minutes;
  bool termination_protection = false;
};

struct ChangeSetRequest {
  std::string name, description, kind;  // kind: CREATE, UPDATE
};

// An export of an output, and which stack has it.
struct Export {
  std::string name, value, stack_id;
};

// Functions throw ApiError with CloudFormation's codes and words.
class Stacks {
 public:
  // All of them outlive it.
  Stacks(Simulation&, EventLog&, const Streams&, ResourceTypes&, Account, Timing = {});
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  // ---- operations; each begins, and goes on by itself
  const Stack& create(const StackRequest& request);
  const Stack& update(const StackRequest& request);
  // A stack that does not exist is deleted already. `retain` are logical IDs, of a stack in
  // DELETE_FAILED.
  void remove(const std::string& name, const std::vector<std::string>& retain,
              const std::string& token);
  void cancel_update(const std::string& name, const std::string& token);
  void signal(const std::string& name, const std::string& logical_id, Signal signal);
  const Stack& protect(const std::string& name, bool protection);

  // ---- change sets
  const ChangeSet& create_change_set(const StackRequest& request, const ChangeSetRequest& set);
  void execute_change_set(const std::string& stack, const std::string& set, bool disable_rollback,
                          const std::string& token);
  void delete_change_set(const std::string& stack, const std::string& set);
  struct FoundChangeSet {
    const Stack& stack;
    const ChangeSet& set;
  };
  FoundChangeSet change_set(const std::string& stack, const std::string& set) const;

  // ---- reads
  // By name, of a stack that is not deleted, or by ID.
  const Stack& stack(const std::string& name) const;
  const std::deque<std::unique_ptr<Stack>>& all() const { return stacks_; }  // the oldest first
  // A resource's metadata as instances read it, with values in place of functions; null: none.
  Json metadata(const Stack& stack, const std::string& logical_id) const;
  std::vector<Export> exports() const;  // in the order of their names
  std::vector<std::string> importers(const std::string& export_name) const;  // stack names
  bool any_in_progress() const;
  // The checks of ValidateTemplate.
  Template validated(std::string text) const;
  // The capabilities that a template needs, and why ("" where it needs none).
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
  std::map<std::string, std::unique_ptr<Operation>> operations_;  // by the stack's ID
};

}  // namespace sim::stacks
