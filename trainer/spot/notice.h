// A trainer's notice of its end.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace spottrain {

// Why to stop training, and until when there is time.
struct Notice {
  std::string reason;  // "SIGTERM", "stop file", "spot/instance-action: terminate"
  std::optional<std::chrono::nanoseconds> deadline;  // on CLOCK_MONOTONIC
};

}  // namespace spottrain
