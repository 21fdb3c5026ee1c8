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

// A started experiment, as it is shown, and the instances of each target.
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

  std::string new_id(std::string_view prefix);  // "EXT4sQ…"
  std::string arn(std::string_view kind, const std::string& id) const;
};

// Made at the first call.
Experiments& experiments(Backend& backend);

// An action that experiments can have: "aws:ec2:terminate-instances".
struct ExperimentActionKind {
  std::string_view id;
  // The key of its target, and the target's type; empty: it has none.
  std::string_view target, resource_type;
  // Throws ApiError ValidationException for parameters with which it cannot run.
  void (*check)(const std::map<std::string, std::string>& parameters);
  // Strikes, and returns how long the action takes.
  sim::Duration (*strike)(sim::cloud::Cloud& cloud, sim::Simulation& simulation,
                          const std::vector<sim::cloud::InstanceId>& instances,
                          const std::map<std::string, std::string>& parameters);
};
// Throws ApiError ValidationException for an unknown action.
const ExperimentActionKind& action_kind(const std::string& id);

// The instances that a target means now, of those that run. Throws ApiError ValidationException for
// a filter or a selection mode that is unknown.
std::vector<sim::cloud::InstanceId> resolve(Experiments& all,
                                            const api::fis::ExperimentTemplateTarget& target);

// Starts the actions that wait for nothing; the others follow.
void begin(Experiments& all, const std::string& id);
void stop(Experiments& all, const std::string& id);

}  // namespace fakes::fis
