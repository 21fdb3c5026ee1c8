// Assertions for what only a bug can cause; active in release builds.
#pragma once

namespace sim {
// Prints the condition and its place, then aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace sim

#define SIM_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::sim::check_failed(#condition, __FILE__, __LINE__))
