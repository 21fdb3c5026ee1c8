// AWS FIS's templates and experiments: which instances an experiment strikes, and when (AWS FIS
// User Guide). A running experiment acts by events of the simulation.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/fis.h"
#include "fakes/backend.h"
#include "sim/cloud/error.h"
#include "sim/kernel/random.h"

namespace fakes::fis {

using sim::cloud::ApiError;

// A started experiment in the form in which clients see it, and the instances of each target.
struct RunningExperiment {
  api::fis::Experiment shown;
  std::map<std::string, std::vector<sim::cloud::InstanceId>> instances = {};  // by target
};

struct Experiments {
  explicit Experiments(Backend& behind)
      : backend(behind),
        ids(behind.streams.stream("fis-id")),
        draws(behind.streams.stream("fis")) {}

  Backend& backend;
  sim::Stream ids, draws;
  std::map<std::string, api::fis::ExperimentTemplate> templates = {};
  std::map<std::string, RunningExperiment> started = {};

  std::string new_id(std::string_view prefix);  // such as "EXT4sQ…"
  std::string arn(std::string_view kind, const std::string& id) const;
};

// The experiments of the backend's account. The object is made at the first call.
Experiments& experiments(Backend& backend);

// An action that experiments can have: "aws:ec2:terminate-instances".
struct ExperimentActionKind {
  std::string_view id;
  // The key of the action's target, and the target's type. Empty: the action has no target.
  std::string_view target, resource_type;
  // Throws ApiError ValidationException for invalid parameters.
  void (*check)(const std::map<std::string, std::string>& parameters);
  // Strikes the instances, and returns the duration of the action.
  sim::Duration (*strike)(sim::cloud::Cloud& cloud, sim::Simulation& simulation,
                          const std::vector<sim::cloud::InstanceId>& instances,
                          const std::map<std::string, std::string>& parameters);
};
// Finds the kind of an action. Throws ApiError ValidationException for an unknown action.
const ExperimentActionKind& action_kind(const std::string& id);

// The running instances that a target selects now. Throws ApiError ValidationException for an
// unknown filter or selection mode.
std::vector<sim::cloud::InstanceId> resolve(Experiments& all,
                                            const api::fis::ExperimentTemplateTarget& target);

// Starts the actions that wait for no other action. The others follow later.
void begin(Experiments& all, const std::string& id);
void stop(Experiments& all, const std::string& id);

}  // namespace fakes::fis
