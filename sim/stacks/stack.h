// The state of a stack as CloudFormation's API returns it: resources, events, outputs, change sets.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/simulation.h"
#include "sim/stacks/parameters.h"
#include "sim/stacks/phases.h"
#include "sim/stacks/resource_types.h"

namespace sim::stacks {

struct StackEvent {
  std::string id;
  Time time{};
  std::string logical_id, physical_id, type, status, reason, properties, token;
};

struct Resource {
  ResourceDefinition definition;  // Fn::If is already decided
  std::set<std::string> needs;    // resources that must exist before it
  std::string physical_id, status, reason;
  Json properties;  // evaluated, as given to the physical resource
  Time changed{};

  bool exists() const { return !physical_id.empty(); }
};

struct Output {
  std::string name, value, description, export_name;
};

// What a template and its parameters describe. An update replaces the whole description, and a
// rollback restores the former one.
struct Description {
  std::shared_ptr<const Template> of;
  ParameterValues parameters;
  std::map<std::string, bool> conditions;
  std::map<std::string, Resource> resources;  // by logical ID, only those whose condition is true
  std::vector<Output> outputs;
  std::set<std::string> imports;  // names of imported exports
  Tags tags;
  std::vector<std::string> capabilities, notification_arns;
  std::string role_arn;
};

enum class OnFailure { kRollback, kDelete, kDoNothing };

struct Change {
  std::string action, logical_id, physical_id, type;
  bool replaces = false;
  std::vector<std::string> properties;  // the properties that a Modify changes
};

struct ChangeSet {
  std::string name, id, description, status, reason, execution_status, kind;
  Time created{};
  Description next;
  std::vector<Change> changes;
};

struct Signal {
  std::string unique_id;
  bool success = true;
};

struct Stack {
  std::string name, id;
  std::string_view status;
  std::string reason, token, change_set_id;
  Time created{};
  std::optional<Time> updated, deleted;
  Description now;
  Actor actor;  // of the last operation
  OnFailure on_failure = OnFailure::kRollback;
  std::optional<int> timeout_minutes;
  bool termination_protection = false;
  std::vector<StackEvent> events;  // oldest first
  std::vector<ChangeSet> change_sets;
  std::map<std::string, std::vector<Signal>> signals;  // of the present operation, by logical ID

  bool is_deleted() const { return deleted.has_value(); }
  bool in_progress() const { return status.ends_with("_IN_PROGRESS") && !in_review(); }
  bool in_review() const { return status == kReviewInProgress; }
};

}  // namespace sim::stacks
