#include "trainer/engine/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace spottrain {
namespace {

TEST(ThreadPool, RunsEveryIndexOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int count : {0, 1, 2, 5, 200}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      pool.run(count, [&](int i, int thread) {
        EXPECT_GE(thread, 0);
        EXPECT_LT(thread, threads);
        ++seen[static_cast<std::size_t>(i)];
      });
      for (const auto& times : seen) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ThreadPool, RunReturnsAfterTheLastBody) {
  ThreadPool pool(3);
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> done = 0;
    pool.run(4, [&](int, int) { ++done; });
    ASSERT_EQ(done, 4);
  }
}

}  // namespace
}  // namespace spottrain
