// The associations of instances with their instance profiles.
#pragma once

#include <string>

#include "fakes/backend.h"

namespace fakes::ec2 {

// The instance of an association ("iip-assoc-…"). Null if there is none.
const sim::cloud::Instance* find_associated(const Backend& backend, const std::string& association);

}  // namespace fakes::ec2
