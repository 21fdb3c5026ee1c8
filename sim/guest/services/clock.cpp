#include "sim/guest/services/clock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace sim::guest::services {
namespace {

// A signal whose handler lacks SA_RESTART interrupts a call that waits for the supervisor's answer.
long long read_clock(clockid_t clock) {
  timespec at{};
  while (syscall(SYS_clock_gettime, clock, &at) != 0 && errno == EINTR) {
  }
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

}  // namespace

long long now() { return read_clock(CLOCK_REALTIME); }
long long uptime() { return read_clock(CLOCK_MONOTONIC); }

}  // namespace sim::guest::services
