#include "orchestrator/production/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>

namespace spotrun {
namespace {

std::atomic<int> handler_descriptor{-1};
static_assert(std::atomic<int>::is_always_lock_free);  // for use in a signal handler

void count_up(int) {
  const int before = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(handler_descriptor, &one, sizeof one);
  errno = before;
}

}  // namespace

StopSignals::StopSignals() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  handler_descriptor = descriptor_;
  struct sigaction action {};
  action.sa_handler = count_up;
  sigaction(SIGTERM, &action, &before_term_);
  sigaction(SIGINT, &action, &before_int_);
}

StopSignals::~StopSignals() {
  sigaction(SIGTERM, &before_term_, nullptr);
  sigaction(SIGINT, &before_int_, nullptr);
  handler_descriptor = -1;
  close(descriptor_);
}

bool StopSignals::take() {
  std::uint64_t count = 0;
  return read(descriptor_, &count, sizeof count) == sizeof count;
}

bool StopSignals::wait(int other, Duration timeout) {
  using Steady = std::chrono::steady_clock;
  const auto until = Steady::now() + timeout;
  for (;;) {
    if (take()) throw Stopped();
    const auto left = std::max(std::chrono::ceil<Duration>(until - Steady::now()), Duration{0});
    const int most = static_cast<int>(std::min<Duration::rep>(left.count(), 1'000'000'000));
    pollfd waited[2] = {{descriptor_, POLLIN, 0}, {other, POLLIN, 0}};
    const int ready = poll(waited, other < 0 ? 1 : 2, most);
    if (ready < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "poll");
    if (ready == 0) return false;
    if (ready > 0 && waited[0].revents == 0) return true;
  }
}

}  // namespace spotrun
