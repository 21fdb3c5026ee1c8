// Options of experiments (AWS FIS User Guide, "Experiment options for AWS FIS").
#pragma once

#include "api/fis.h"
#include "fakes/fis/experiments.h"

namespace fakes::fis {

// Options by name: {"emptyTargetResolutionMode", "skip"}.
using Options = api::Map<std::string>;

Options default_template_options();
// Set the requested options. Throw ApiError ValidationException for an option that the call cannot
// set, and for invalid values.
void set_template_options(Options& options, const Options& asked);     // of a new template
void change_template_options(Options& options, const Options& asked);  // of an existing one
void set_start_options(Options& options, const Options& asked);

// Whether the experiment only shows its targets: it skips all actions.
bool skips_all_actions(const api::fis::Experiment& experiment);
// Whether the experiment continues without resources of the target, and skips its actions. Targets
// with ARNs must exist.
bool may_be_empty(const api::fis::Experiment& experiment, const std::string& target);

}  // namespace fakes::fis
