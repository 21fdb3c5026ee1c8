// SIGINT and SIGTERM end a command at its next step, so that everything is cleaned up.
#pragma once

#include <atomic>

namespace sim::cli {

// From this call on, both signals set stop_asked().
void stop_on_signals();
const std::atomic<bool>& stop_asked();

}  // namespace sim::cli
