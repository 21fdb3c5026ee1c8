#include "base/process/quiet_thread.h"

#include <gtest/gtest.h>

namespace base {
namespace {

bool takes(int signal) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, signal) == 0;
}

TEST(QuietThread, BlocksSignalsOnThatThreadOnly) {
  bool there = true;
  quiet_thread([&there] { there = takes(SIGTERM) || takes(SIGINT) || takes(SIGCHLD); }).join();
  EXPECT_FALSE(there);
  EXPECT_TRUE(takes(SIGTERM));
}

}  // namespace
}  // namespace base
