#include "sim/guest/time/real_clock.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace sim::guest {
namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

}  // namespace

std::chrono::microseconds real_time() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

std::chrono::microseconds thread_time() {
  return std::chrono::duration_cast<std::chrono::microseconds>(read_clock(CLOCK_THREAD_CPUTIME_ID));
}

std::chrono::nanoseconds real_date() { return read_clock(CLOCK_REALTIME); }
std::chrono::nanoseconds coarse_real_date() { return read_clock(CLOCK_REALTIME_COARSE); }

bool wait_for_kernel(const std::function<bool()>& done, std::chrono::milliseconds longest) {
  constexpr useconds_t longest_pause = 1000;  // µs
  useconds_t pause = 20;
  for (const auto until = real_time() + longest; real_time() < until;) {
    if (done()) return true;
    usleep(pause);
    pause = std::min(2 * pause, longest_pause);
  }
  return done();
}

}  // namespace sim::guest
