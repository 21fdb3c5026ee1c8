// The roles that AWS's services have in each account (service-linked roles).
#pragma once

#include <string>

#include "sim/iam/entities.h"

namespace sim::iam {

// The role of a service such as "spot.amazonaws.com": name, path, trust policy, attached policy.
// Throws ApiError InvalidInput for a service without a role here, or without suffixes.
Role service_linked_role(const std::string& service, const std::string& suffix);

}  // namespace sim::iam
