// The account's stacks, and how CloudFormation's own parts reach them.
#pragma once

#include "fakes/backend.h"
#include "sim/stacks/stacks.h"

namespace fakes::cloudformation {

// Made at the first call.
sim::stacks::Stacks& stacks(Backend& backend);

}  // namespace fakes::cloudformation
