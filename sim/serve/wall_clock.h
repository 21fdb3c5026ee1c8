// The only place where `spotsim serve` reads a real clock.
#pragma once

#include "sim/serve/pace.h"

namespace sim::serve {

RealTime real_now();
// The current date, in whole seconds.
Time date_now();

}  // namespace sim::serve
