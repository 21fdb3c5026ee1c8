// Warns of values in a job for advise that are possible but probably a mistake, such as a wrong
// unit.
#pragma once

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/advice/advice.h"

namespace sim::sweep {

// Adds a warning with a remedy for each such key.
void check_job(const Question& question, scenario::Fields& fields, scenario::Errors& warnings);

}  // namespace sim::sweep
