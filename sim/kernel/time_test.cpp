#include "sim/kernel/time.h"

#include <gtest/gtest.h>

namespace sim {
namespace {

TEST(Time, HasTheFormsOfLogEc2AndMetadata) {
  const Time t = *parse_time("2019-11-05T10:00:00.001234567Z");
  EXPECT_EQ(iso_nanoseconds(t), "2019-11-05T10:00:00.001234567Z");
  EXPECT_EQ(iso_milliseconds(t), "2019-11-05T10:00:00.001Z");
  EXPECT_EQ(iso_seconds(t), "2019-11-05T10:00:00Z");
}

TEST(Seconds, RoundTrip) {
  EXPECT_EQ(from_seconds(1.5), 1500ms);
  EXPECT_EQ(from_seconds(-0.25), -250ms);
  EXPECT_DOUBLE_EQ(seconds(90min), 5400.0);
}

}  // namespace
}  // namespace sim
