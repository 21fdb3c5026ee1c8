// Long tests that repeat the checks of shorter ones run only on request.
#pragma once

#include <cstdlib>

// Whether everything is to be tested: `./spotsim test --all` sets SPOTSIM_LONG.
inline bool long_tests() { return std::getenv("SPOTSIM_LONG") != nullptr; }

// First in such a test, which includes gtest.
#define ONLY_AMONG_LONG_TESTS() \
  if (!long_tests()) GTEST_SKIP() << "takes long: ./spotsim test --all runs it"
