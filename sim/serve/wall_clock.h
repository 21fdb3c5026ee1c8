// The one place where `spotsim serve` reads a real clock.
#pragma once

#include "sim/serve/pace.h"

namespace sim::serve {

RealTime real_now();

}  // namespace sim::serve
