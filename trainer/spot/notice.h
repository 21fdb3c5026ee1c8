// The notice that ends a trainer.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace spottrain {

// The reason to stop training, and the time until which it must have stopped.
struct Notice {
  std::string reason;  // "SIGTERM", "stop file", "spot/instance-action: terminate"
  std::optional<std::chrono::nanoseconds> deadline;  // on CLOCK_MONOTONIC
};

}  // namespace spottrain
