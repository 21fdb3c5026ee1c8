// The account's stacks, for CloudFormation's handlers.
#pragma once

#include "fakes/backend.h"
#include "sim/stacks/stacks.h"

namespace fakes::cloudformation {

// Returns the stacks. They are made at the first call.
sim::stacks::Stacks& stacks(Backend& backend);

}  // namespace fakes::cloudformation
