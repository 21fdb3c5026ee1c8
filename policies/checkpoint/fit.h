// What can still be written in the time that a notice leaves.
#pragma once

#include <optional>

#include "policies/checkpoint/state.h"

namespace policies {

// The share of a full checkpoint that can be written in the time left at the measured speed: 1 is
// just all of it. Empty when one of the three is not known.
std::optional<double> share_that_fits(const CheckpointState& state);

// False when it is known that a full checkpoint does not fit in the time left.
bool may_fit(const CheckpointState& state);

}  // namespace policies
