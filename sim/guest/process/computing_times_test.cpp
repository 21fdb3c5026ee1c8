#include "sim/guest/process/parts/computing_times.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

using namespace std::chrono_literals;

TEST(ComputingTimes, AreSummedWithinATime) {
  const cloud::InstanceId busy{"i-1"}, other{"i-2"};
  const Time start{1h};
  ComputingTimes times;
  times.add(busy, start, start + 10s);
  times.add(busy, start + 10s, start + 20s);
  times.add(busy, start + 10s, start + 20s);  // a second program
  times.add(busy, start + 60s, start + 70s);
  EXPECT_EQ(times.within(busy, start, start + 60s), 20s);
  EXPECT_EQ(times.within(busy, start + 15s, start + 65s), 10s);
  EXPECT_EQ(times.within(busy, start + 70s, start + 90s), 0s);
  EXPECT_EQ(times.within(other, start, start + 60s), 0s);
}

}  // namespace
}  // namespace sim::guest
