// Requests to stop: SIGTERM and SIGUSR1. The current step is still finished.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace spottrain {

// SIGTERMs within this time are one request. A machine that shuts down signals all its processes,
// and a supervisor among them passes the signal on.
inline constexpr std::chrono::seconds kOneRequest{1};

// From this call on, the first SIGTERM and any SIGUSR1 are remembered. A second SIGTERM after
// kOneRequest or more ends the process at once with status 143. SIGPIPE is ignored.
void install_stop_signals();

// The name of the first received signal. Empty if none was received.
std::optional<std::string> stop_signal();

// The time of CLOCK_MONOTONIC.
std::chrono::nanoseconds monotonic_now();

// Sleeps until monotonic_now() reaches the deadline. Signals do not end the sleep.
void sleep_until(std::chrono::nanoseconds deadline);

}  // namespace spottrain
