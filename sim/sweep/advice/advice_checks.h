// What in a job that is to be advised is possible, but hardly meant: mostly a wrong unit.
#pragma once

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/advice/advice.h"

namespace sim::run {

// Adds a warning, with what to do, for each key of the file that is so.
void check_job(const sweep::Question& question, Fields& fields, Errors& warnings);

}  // namespace sim::run
