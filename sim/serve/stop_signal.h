// SIGINT and SIGTERM as a readable descriptor.
#pragma once

#include "base/files/file_descriptor.h"

namespace sim::serve {

// Blocks both signals, which are then read from the descriptor (signalfd(2)). Throws
// std::system_error.
base::FileDescriptor stop_signals();
// Reads one signal.
void take_signal(int descriptor);

}  // namespace sim::serve
