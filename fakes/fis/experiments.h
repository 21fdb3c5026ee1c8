// AWS FIS's templates and experiments: which resources an experiment strikes, and when (AWS FIS
// User Guide). A running experiment acts by events of the simulation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/fis.h"
#include "fakes/backend.h"
#include "fakes/fis/fault_injector.h"
#include "sim/cloud/error.h"
#include "sim/kernel/random.h"

namespace fakes::fis {

using sim::cloud::ApiError;

// IDs of instances and volumes, or names of roles.
using Resources = std::vector<std::string>;

// A started experiment in the form in which clients see it, and the resources of each target.
struct RunningExperiment {
  api::fis::Experiment shown;
  std::map<std::string, Resources> resources = {};               // by target
  std::map<std::string, std::vector<std::int64_t>> faults = {};  // by action
  std::map<std::string, Resources> struck = {};  // by action: the volumes whose I/O it pauses
  bool has_log = false;                          // it has begun, and may write it
};

struct Experiments {
  explicit Experiments(Backend& behind)
      : backend(behind),
        ids(behind.streams.stream("fis-id")),
        draws(behind.streams.stream("fis")) {}

  Backend& backend;
  sim::Stream ids, draws;
  std::function<FaultInjector&()> injector = {};
  std::map<std::string, api::fis::ExperimentTemplate> templates = {};
  std::map<std::string, RunningExperiment> started = {};

  std::string new_id(std::string_view prefix);  // such as "EXT4sQ…"
  std::string arn(std::string_view kind, const std::string& id) const;
  // Throws ApiError ValidationException if this cloud has no faults.
  FaultInjector& faults() const;
};

// The experiments of the backend's account. The object is made at the first call.
Experiments& experiments(Backend& backend);

using ActionParameters = std::map<std::string, std::string>;

// The start of an action, for its function.
struct StartedAction {
  Experiments& all;
  const Resources& resources;
  const ActionParameters& parameters;
  std::vector<std::int64_t>& faults;  // gets the numbers of the injected faults
  Resources& struck;                  // gets the volumes whose I/O it pauses
};

// A permission that the experiment's role needs for an action (AWS FIS User Guide, "AWS FIS Actions
// reference").
struct NeededPermission {
  std::string_view action;               // "ec2:TerminateInstances"
  std::string_view resource = {};        // "ec2:network-acl/*"; empty: each target
  std::string_view with_parameter = {};  // needed only if the action has this parameter
  bool tags_it = false;                  // it makes the resource, with the tag managedByFIS
};

// A parameter of an action, or of a type of targets.
struct ActionParameterRow {
  std::string_view name, description;
  bool required = true;
};

// An action that experiments can have: "aws:ec2:terminate-instances".
struct ExperimentActionKind {
  std::string_view id, description;
  // The key of the action's target, and the target's type. Empty: the action has no target.
  std::string_view target, resource_type;
  std::span<const ActionParameterRow> parameters;
  // Throws ApiError ValidationException for invalid values of parameters. Null: none are checked.
  void (*check)(const ActionParameters& parameters);
  // Strikes the resources, and returns the duration of the action.
  sim::Duration (*strike)(const StartedAction& action);
  std::span<const NeededPermission> permissions = {};
};
// All kinds, by ID.
const std::vector<const ExperimentActionKind*>& action_kinds();
// Finds the kind of an action. Throws ApiError ValidationException for an unknown action.
const ExperimentActionKind& action_kind(const std::string& id);
// The actions that inject faults of the catalogue.
std::span<const ExperimentActionKind> fault_actions();

// The parameters that targets of this type can have (AWS FIS User Guide, "Resource parameters").
std::span<const ActionParameterRow> target_parameters(std::string_view type);
// The resources that a target selects now. Throws ApiError ValidationException for an unknown
// type, filter, parameter or selection mode.
Resources resolve(Experiments& all, const api::fis::ExperimentTemplateTarget& target);
// The ARN of a resource of a target with this type.
std::string resource_arn(const Experiments& all, std::string_view type,
                         const std::string& resource);

// Whether FIS can assume the experiment's role.
bool can_assume_role(Experiments& all, const RunningExperiment& experiment);
// Whether the role lets FIS deliver a log to CloudWatch Logs.
bool may_log(Experiments& all, const RunningExperiment& experiment);
// Throws ApiError if the experiment's role lacks a permission for the action.
void check_role(Experiments& all, const RunningExperiment& experiment,
                const ExperimentActionKind& kind, const StartedAction& action);

// Starts the actions that wait for no other action. The others follow later.
void begin(Experiments& all, const std::string& id);
// Stops an experiment, and ends its faults. Its state is "stopping" until the next event.
void stop(Experiments& all, const std::string& id, const std::string& reason);
// Stops an experiment as soon as an alarm of its stop conditions is in the state ALARM, which it
// may be already (AWS FIS User Guide, "Stop conditions for AWS FIS").
void watch_alarms(Experiments& all, const std::string& id);

}  // namespace fakes::fis
