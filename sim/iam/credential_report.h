// Credential reports: a table of the account's users, with the state of their passwords and access
// keys (IAM User Guide, "Generate credential reports for your AWS account").
#pragma once

#include <string>

#include "sim/iam/account.h"

namespace sim::iam {

// The report as CSV: a line for the root user, then one for each user.
std::string credential_csv(const Account& account);

}  // namespace sim::iam
