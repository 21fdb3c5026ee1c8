// The log of an experiment in CloudWatch Logs (AWS FIS User Guide, "Experiment logging for AWS
// FIS"). AWS also delays the first experiment with a new log group by some 15 seconds.
#pragma once

#include "fakes/fis/experiments.h"

namespace fakes::fis {

// Throws ApiError ValidationException for another log group than one of this account and region,
// and for schema versions other than 1 and 2.
void check_log(const Experiments& all, const api::fis::ExperimentTemplateLogConfiguration& asked);
// Why the experiment's log cannot be written: its group does not exist, or the role lacks
// permissions. Empty: it can, or the experiment has no log.
std::string log_refusal(Experiments& all, const RunningExperiment& experiment);

// Write a record of what has just happened, if the experiment has a log. Its state is already the
// new one.
void log_start(Experiments& all, RunningExperiment& experiment);
// `error`: why the experiment fails by this target; empty: it does not.
void log_target(Experiments& all, const RunningExperiment& experiment, const std::string& target,
                const std::string& error);
void log_action_start(Experiments& all, const RunningExperiment& experiment,
                      const std::string& action);
// Also writes the error of a failed action.
void log_action_end(Experiments& all, const RunningExperiment& experiment,
                    const std::string& action);
void log_end(Experiments& all, const RunningExperiment& experiment);

}  // namespace fakes::fis
