// SIGINT and SIGTERM as something to read.
#pragma once

#include "base/file_descriptor.h"

namespace sim::serve {

// From here on both signals wait in the descriptor (signalfd(2)). Throws std::system_error.
base::FileDescriptor stop_signals();
// Takes one away.
void take_signal(int descriptor);

}  // namespace sim::serve
