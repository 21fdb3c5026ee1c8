#include "sim/guest/time/real_clock.h"

#include <unistd.h>

namespace sim::guest {

bool wait_for_kernel(const std::function<bool()>& done) {
  for (int look = 0; look < 5000; ++look) {
    if (done()) return true;
    usleep(1000);
  }
  return done();
}

}  // namespace sim::guest
