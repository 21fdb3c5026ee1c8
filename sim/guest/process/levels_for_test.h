// Tests only: what holds at each level that has a network of its own.
#pragma once

#include "sim/guest/process/host_for_test.h"

namespace sim::guest::test {

// Runs `test` in user namespaces and, where this process is root, at level root; skips where
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

}  // namespace sim::guest::test
