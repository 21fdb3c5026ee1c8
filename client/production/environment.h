// The surroundings of a process.
#pragma once

#include "client/environment.h"

namespace client {

// This process's own variables.
Environment process_environment();
// The operating system's random bits.
RandomBits system_random();

}  // namespace client
