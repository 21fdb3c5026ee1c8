#include "sim/cli/stop_on_signals.h"

#include <csignal>

namespace sim::cli {
namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

}  // namespace

void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { asked.store(true); };
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& stop_asked() { return asked; }

}  // namespace sim::cli
