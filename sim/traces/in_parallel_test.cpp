#include "sim/traces/in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim::market {
namespace {

TEST(InParallel, DoesEachPieceOnce) {
  std::vector<std::atomic<int>> done(1000);
  in_parallel(done.size(), [&](std::size_t i) { ++done[i]; });
  for (const auto& times : done) EXPECT_EQ(times, 1);
  in_parallel(0, [](std::size_t) { FAIL(); });
}

TEST(InParallel, ThrowsWhatTheFirstPieceThrewWhateverEndedFirst) {
  std::atomic<int> done{0};
  try {
    in_parallel(100, [&](std::size_t i) {
      ++done;
      if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace sim::market
