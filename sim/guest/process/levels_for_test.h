// For tests of all levels that have a network of their own.
#pragma once

#include "sim/guest/process/host_for_test.h"

namespace sim::guest::test {

// Runs `test` in user namespaces and, if this process is root, at level root. Skips the test if
// neither is possible.
inline void at_both_levels(const std::function<void(Level)>& test) {
  std::string why = obstacle(Level::kUserNamespaces);
  if (why.empty()) {
    EXPECT_TRUE(passes_as_user([&] { test(Level::kUserNamespaces); }));
  }
  if (geteuid() == 0 && obstacle(Level::kRoot).empty()) {
    why = {};
    test(Level::kRoot);
  }
  if (!why.empty()) GTEST_SKIP() << why;
}

// Runs `test` in the world that `make` makes for the level. If the level needs no root rights, it
// runs as a user without them. Skips the test if this machine cannot make such a sandbox.
template <class Make>
void in_world_at(Level level, const Make& make, const std::function<void(HostWorld&)>& test) {
  const std::string why = level == Level::kRoot ? obstacle(level) : obstacle_as_user(level);
  if (!why.empty()) GTEST_SKIP() << "no sandbox of the level here: " << why;
  const auto run = [&] {
    HostWorld w = make();
    test(w);
  };
  if (level == Level::kRoot)
    run();
  else
    EXPECT_TRUE(passes_as_user(run));
}

}  // namespace sim::guest::test
