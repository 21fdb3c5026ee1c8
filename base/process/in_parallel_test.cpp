#include "base/process/in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace base {
namespace {

TEST(InParallel, DoesEachPieceOnce) {
  std::vector<std::atomic<int>> done(1000);
  in_parallel(done.size(), [&](std::size_t i) { ++done[i]; });
  for (const auto& times : done) EXPECT_EQ(times, 1);
  in_parallel(0, [](std::size_t) { FAIL(); });
}

TEST(InParallel, ThrowsWhatTheFirstPieceThrewAndBeginsNoOther) {
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
  EXPECT_GE(done, 8);
}

TEST(InParallel, OneThreadGoesInOrderAndStopsAtTheFirstFailure) {
  std::vector<std::size_t> begun;
  const auto work = [&](std::size_t i) {
    begun.push_back(i);
    if (i == 2) throw std::runtime_error("no more");
  };
  EXPECT_THROW(in_parallel(10, work, 1), std::runtime_error);
  EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace base
