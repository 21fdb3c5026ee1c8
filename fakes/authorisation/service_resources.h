// The resources of Auto Scaling, CloudFormation and IAM that requests name by something else than
// their ARNs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/authorisation/permissions.h"

namespace fakes::authorisation {

// The ARN of the resource that a request names, or its part after the account. `kind` is the kind
// of name in a PermissionRow. An ARN of a resource that does not exist has "*" for its ID. Empty:
// the kind is not one of these.
std::optional<std::string> service_resource_named(const Asked& asked, std::string_view kind,
                                                  const std::string& name);

}  // namespace fakes::authorisation
