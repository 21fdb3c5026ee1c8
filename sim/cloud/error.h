// The cloud refuses an action with the error that EC2 would answer.
#pragma once

#include "base/api_error.h"

namespace sim::cloud {

using base::ApiError;

}  // namespace sim::cloud
