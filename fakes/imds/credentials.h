// The credentials of an instance's role, as its metadata shows them (EC2 User Guide, "Retrieve
// security credentials from instance metadata").
#pragma once

#include <string>

#include "fakes/backend.h"
#include "sim/cloud/resources.h"

namespace fakes {

// The document at iam/security-credentials/ROLE. With `old` the credentials are the previous,
// expired ones. Where IAM decides, the role can sign with them from now on.
std::string role_credentials(const Backend& backend, const sim::cloud::Instance& instance,
                             bool old);
sim::Time credentials_issued(const Backend& backend, const sim::cloud::Instance& instance,
                             bool old);

}  // namespace fakes
