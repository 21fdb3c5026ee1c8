#include "sim/guest/time/real_clock.h"

#include <unistd.h>

namespace sim::guest {

std::chrono::microseconds real_time() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

bool wait_for_kernel(const std::function<bool()>& done) {
  for (int look = 0; look < 5000; ++look) {
    if (done()) return true;
    usleep(1000);
  }
  return done();
}

}  // namespace sim::guest
