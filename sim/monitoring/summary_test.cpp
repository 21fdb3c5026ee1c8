// Statistics of values and of statistic sets.
#include "sim/monitoring/summary.h"

#include <gtest/gtest.h>

#include "sim/cloud/error.h"

namespace sim::monitoring {
namespace {

double statistic(const std::string& name, const Summary& summary) {
  return value_of(parse_statistic(name), summary).value_or(-1);
}

TEST(Summary, HasEveryStatisticOfItsValues) {
  Summary summary;
  for (int value = 1; value <= 10; ++value) summary.add(value, 1);
  EXPECT_EQ(statistic("SampleCount", summary), 10);
  EXPECT_EQ(statistic("Sum", summary), 55);
  EXPECT_EQ(statistic("Average", summary), 5.5);
  EXPECT_EQ(statistic("Minimum", summary), 1);
  EXPECT_EQ(statistic("Maximum", summary), 10);
  EXPECT_EQ(statistic("p50", summary), 5);
  EXPECT_EQ(statistic("p90", summary), 9);
  EXPECT_EQ(statistic("p99.9", summary), 10);
}

TEST(Summary, AStatisticSetHidesItsValuesFromPercentiles) {
  Summary summary;
  summary.add_set(1, 7, 7, 7);
  EXPECT_EQ(statistic("p50", summary), 7) << "one value is known";
  summary.add_set(3, 9, 1, 5);
  EXPECT_EQ(statistic("Average", summary), 4);
  EXPECT_EQ(value_of(parse_statistic("p50"), summary), std::nullopt);
}

TEST(Summary, NoPercentileOfNegativeValuesAndNoStatisticOfNothing) {
  Summary summary;
  EXPECT_EQ(value_of(parse_statistic("Average"), summary), std::nullopt);
  summary.add(-1, 2);
  EXPECT_EQ(value_of(parse_statistic("p50"), summary), std::nullopt);
  EXPECT_EQ(statistic("Sum", summary), -2);
}

TEST(Summary, OtherStatisticsAreRefusedByName) {
  for (const char* name : {"tm90", "PR(:300)", "IQM", "wm95"}) try {
      parse_statistic(name);
      ADD_FAILURE() << name;
    } catch (const cloud::ApiError& error) {
      EXPECT_EQ(error.code(), "UnsupportedOperation");
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  for (const char* name : {"p101", "p", "average", "p-1", "pnan", ""})
    EXPECT_THROW(parse_statistic(name), cloud::ApiError) << name;
}

}  // namespace
}  // namespace sim::monitoring
