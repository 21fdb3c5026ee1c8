#include "sim/serve/stop_signal.h"

#include <sys/signalfd.h>

#include <csignal>

#include "base/process/system_call.h"

namespace sim::serve {

base::FileDescriptor stop_signals() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  base::checked(sigprocmask(SIG_BLOCK, &stops, nullptr), "blocking SIGINT and SIGTERM");
  return base::FileDescriptor(
      base::checked(signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd"));
}

void take_signal(int descriptor) {
  signalfd_siginfo info;
  [[maybe_unused]] const auto n = read(descriptor, &info, sizeof info);
}

}  // namespace sim::serve
