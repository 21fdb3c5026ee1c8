// Threads that block all signals. The working thread must get the signals, because they end its
// waits.
#pragma once

#include <signal.h>

#include <thread>
#include <utility>

namespace base {

// A thread that runs this with all signals blocked.
template <class Work>
std::thread quiet_thread(Work work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // which a new thread inherits
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace base
