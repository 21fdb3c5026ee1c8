#include "trainer/loop/stop.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace spottrain {
namespace {

volatile std::sig_atomic_t first_signal = 0;
std::atomic<std::chrono::nanoseconds::rep> first_termination = 0;  // monotonic_now()
static_assert(decltype(first_termination)::is_always_lock_free);

extern "C" void on_stop_signal(int signal) {
  if (signal == SIGTERM) {
    const auto now = monotonic_now();
    const std::chrono::nanoseconds first{first_termination.load()};
    if (first.count() == 0)
      first_termination = now.count();
    else if (now - first >= kOneRequest)
      _exit(128 + SIGTERM);
  }
  if (first_signal == 0) first_signal = signal;
}

}  // namespace

void install_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // for writes and fsync; clock_nanosleep returns EINTR regardless
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::optional<std::string> stop_signal() {
  if (first_signal == 0) return {};
  return first_signal == SIGTERM ? "SIGTERM" : "SIGUSR1";
}

std::chrono::nanoseconds monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void sleep_until(std::chrono::nanoseconds deadline) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(deadline);
  const timespec wake_at{.tv_sec = whole.count(), .tv_nsec = (deadline - whole).count()};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake_at, nullptr) == EINTR) {
  }
}

}  // namespace spottrain
