#include "sim/serve/wall_clock.h"

#include <chrono>

namespace sim::serve {

RealTime real_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

Time date_now() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return Time{now.time_since_epoch()};
}

}  // namespace sim::serve
