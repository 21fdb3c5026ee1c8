// The fault of bad memory in a program.
#pragma once

#include <sys/types.h>

namespace sim::guest {

// Replaces one number by NaN in certain pages of the program's private memory. These are pages that
// contain only float32s of ordinary size, as weights and moments are. Call it while the program's
// tasks are not running.
void spoil_numbers(pid_t program);

}  // namespace sim::guest
