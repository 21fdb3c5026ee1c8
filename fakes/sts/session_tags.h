// Tags and source identities of the sessions of roles.
#pragma once

#include "api/sts.h"
#include "fakes/action.h"
#include "sim/iam/caller.h"

namespace fakes::sts {

// Gives the session of a role the tags and the source identity of the request, and those that it
// inherits if its caller is the session of a role (IAM User Guide, "Pass session tags in AWS STS",
// "Chaining roles with session tags", "Monitor and control actions taken with assumed roles").
// Throws ApiError for invalid tags, and for a request to change what the session inherits.
void tag_session(const Call& call, const api::sts::op::AssumeRole::Request& request,
                 sim::iam::Caller& session);

}  // namespace fakes::sts
