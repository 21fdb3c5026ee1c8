// Names the caller of every call, even where IAM does not decide and verifies no signature.
#pragma once

#include "fakes/action.h"
#include "sim/iam/caller.h"

namespace fakes {

// The caller that IAM found, if IAM decides. Otherwise the owner of the access key in the request's
// signature: a user, or a session of a role. For any other key, an instance is its role, in a
// session with the instance's name, and the operator is a role, too, because SageMaker's SDK
// requires one (IAM User Guide, "IAM identifiers").
sim::iam::Caller caller_of(const Call& call);

}  // namespace fakes
