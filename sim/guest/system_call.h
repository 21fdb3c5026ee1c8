#pragma once

#include "base/system_call.h"

namespace sim::guest {
using base::checked;
using base::throw_errno;
}  // namespace sim::guest
