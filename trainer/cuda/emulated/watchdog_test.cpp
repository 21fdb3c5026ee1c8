#include "trainer/cuda/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace spottrain::cuda {
namespace {

using std::chrono::milliseconds;

// A device whose work ends when the watchdog aborts it.
struct StuckDevice {
  std::promise<void> released;
  std::atomic<int> given_up = 0;

  void give_up() {
    ++given_up;
    released.set_value();
  }
  std::string message_after_waiting(Watchdog& watchdog) {
    released.get_future().wait();
    try {
      watchdog.end();
      return "no error";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
};

TEST(Watchdog, ALostRankEndsTheWaitWithItsReason) {
  StuckDevice device;
  std::atomic<bool> lost = false;
  Watchdog watchdog([&] { return std::string(lost ? "rank 1 is lost" : ""); },
                    [&] { device.give_up(); },
                    {.interval = milliseconds(1), .longest = std::chrono::minutes(10)});
  watchdog.begin();
  EXPECT_NO_THROW(watchdog.end());
  watchdog.begin();
  lost = true;
  EXPECT_EQ(device.message_after_waiting(watchdog), "rank 1 is lost");
  EXPECT_THROW(watchdog.end(), std::runtime_error);  // later work is of no use
  EXPECT_EQ(device.given_up, 1);
}

TEST(Watchdog, ASilentRankEndsTheWaitAfterTheLongestTime) {
  StuckDevice device;
  Watchdog watchdog([] { return std::string(); }, [&] { device.give_up(); },
                    {.interval = milliseconds(1), .longest = milliseconds(20)});
  const auto begin = std::chrono::steady_clock::now();
  watchdog.begin();
  EXPECT_EQ(device.message_after_waiting(watchdog), "another rank did not answer for 0 s");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(20));
}

// The watchdog asks nothing while no work is in progress. If work follows other work, its time
// counts from the end of that work.
TEST(Watchdog, AsksNothingWhileNoWorkIsInProgress) {
  std::atomic<int> given_up = 0;
  {
    Watchdog watchdog([] { return std::string("trouble"); }, [&] { ++given_up; },
                      {.interval = milliseconds(1), .longest = milliseconds(1)});
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_EQ(given_up, 0);
}

}  // namespace
}  // namespace spottrain::cuda
