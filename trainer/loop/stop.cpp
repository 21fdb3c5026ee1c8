#include "trainer/loop/stop.h"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace spottrain {
namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t terminations = 0;

// What clock_nanosleep reads. The handler sets it to the past: a signal that comes after the check
// of first_signal but before the system call then still ends the sleep, and none is slept through.
timespec wake_at{};

extern "C" void on_stop_signal(int signal) {
  if (signal == SIGTERM) {
    if (terminations != 0) _exit(128 + SIGTERM);
    terminations = 1;
  }
  if (first_signal == 0) first_signal = signal;
  wake_at = {};
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
  wake_at = {.tv_sec = whole.count(), .tv_nsec = (deadline - whole).count()};
  // Interrupted by a signal that is no stop (a debugger's, say): sleep on to the same instant.
  while (first_signal == 0 &&
         clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake_at, nullptr) != 0) {
  }
}

}  // namespace spottrain
