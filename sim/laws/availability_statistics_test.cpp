#include "sim/laws/availability_statistics.h"

#include <gtest/gtest.h>

namespace sim::laws {
namespace {

Time after(Duration d) { return Time{d}; }

const traces::CapacitySeries kSeries{{{after(0h), 2},
                                      {after(3h), 1},
                                      {after(4h), 0},
                                      {after(6h), 1},
                                      {after(7h), 0},
                                      {after(8h), 3}},
                                     after(10h),
                                     {}};

TEST(AvailabilityStatistics, OfASeries) {
  const auto s = statistics_of(kSeries, 1);
  EXPECT_DOUBLE_EQ(s.hours, 10);
  EXPECT_DOUBLE_EQ(s.available, 0.7);
  EXPECT_EQ(s.interruptions, 2);
  EXPECT_DOUBLE_EQ(s.mean_time_between_interruptions, 3.5);
  EXPECT_DOUBLE_EQ(s.mean_up, 1);
  EXPECT_DOUBLE_EQ(s.mean_down, 1.5);
  EXPECT_EQ(statistics_of(kSeries, 2).interruptions, 1);
}

TEST(AvailabilityStatistics, FirstAndLastStretchAreCutAndNoTimeIsLost) {
  const Stretches s = stretches_of(kSeries, 1);
  EXPECT_EQ(s.up.whole, std::vector<double>{1});
  EXPECT_EQ(s.up.cut, (std::vector<double>{4, 2}));
  EXPECT_EQ(s.down.whole, (std::vector<double>{2, 1}));
  EXPECT_TRUE(s.down.cut.empty());
  EXPECT_DOUBLE_EQ(s.up.tick, 1);
  const traces::CapacitySeries always{{{after(0h), 1}}, after(10h), {}};
  EXPECT_EQ(stretches_of(always, 1).up.cut, std::vector<double>{10});
  EXPECT_TRUE(stretches_of(always, 1).up.whole.empty());
}

TEST(AvailabilityStatistics, CorrelationIsOneWithItselfAndMinusOneWithItsOpposite) {
  traces::CapacitySeries opposite = kSeries;
  for (traces::CapacityStep& step : opposite.steps) step.instances = step.instances ? 0 : 1;
  EXPECT_NEAR(*correlation(kSeries, kSeries, 1, 1min), 1, 1e-12);
  EXPECT_NEAR(*correlation(kSeries, opposite, 1, 1min), -1, 1e-12);
  const traces::CapacitySeries always{{{after(0h), 1}}, after(10h), {}};
  EXPECT_FALSE(correlation(kSeries, always, 1, 1min));
}

}  // namespace
}  // namespace sim::laws
