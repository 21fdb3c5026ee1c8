// The cloud's error: an action is refused with EC2's error code.
#pragma once

#include "base/api_error.h"

namespace sim::cloud {

using base::ApiError;

}  // namespace sim::cloud
