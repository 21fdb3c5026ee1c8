// The surroundings of a process.
#pragma once

#include "orchestrator/seams/environment.h"

namespace spotrun {

// This process's own variables.
Environment process_environment();
// The operating system's random bits.
RandomBits system_random();

}  // namespace spotrun
