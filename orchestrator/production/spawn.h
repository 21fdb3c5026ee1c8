// Starting a program.
#pragma once

#include <sys/types.h>

#include "orchestrator/seams/machine.h"

namespace spotrun {

// Starts it in a process group of its own, with no signal blocked and SIGTERM, SIGINT and SIGPIPE
// at their defaults; its standard output is `output`, or this program's when that is -1. Throws
// MachineError with the reason, a folder or a program that is not there included.
pid_t spawn(const Command& command, int output = -1);

}  // namespace spotrun
