// The parameters of actions (AWS FIS User Guide, "AWS FIS Actions reference").
#pragma once

#include <initializer_list>

#include "fakes/fis/experiments.h"

namespace fakes::fis {

ApiError invalid_parameter(const std::string& why);
// Throws ApiError ValidationException for parameters that the action lacks, or invalid values.
void check_parameters(const ExperimentActionKind& kind, const ActionParameters& parameters);
// Parses a duration in ISO 8601 ("PT2M"). Throws ApiError ValidationException if it is missing,
// malformed or outside these limits.
sim::Duration duration_in(const ActionParameters& parameters, const char* name, sim::Duration least,
                          sim::Duration most);
// A list that commas separate, without its spaces. Throws ApiError if it is missing or empty.
std::vector<std::string> list_in(const ActionParameters& parameters, const char* name);
// From 1 to 100; 100 if it is missing.
int percentage_in(const ActionParameters& parameters);

}  // namespace fakes::fis
