// Requests to stop: SIGTERM and SIGUSR1. The step at hand is still finished.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace spottrain {

// SIGTERMs within this time are one request: a machine that goes down signals all its processes,
// and a supervisor among them passes the signal on.
inline constexpr std::chrono::seconds kOneRequest{1};

// From here on the first SIGTERM and any SIGUSR1 are remembered; a second SIGTERM, kOneRequest
// later or more, ends the process at once with status 143. SIGPIPE is ignored.
void install_stop_signals();

// The name of the first signal that came; empty when none did.
std::optional<std::string> stop_signal();

// CLOCK_MONOTONIC.
std::chrono::nanoseconds monotonic_now();

// Sleeps until monotonic_now() reaches deadline, whatever signals come.
void sleep_until(std::chrono::nanoseconds deadline);

}  // namespace spottrain
