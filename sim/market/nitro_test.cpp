#include "sim/market/nitro.h"

#include <gtest/gtest.h>

namespace sim::market {
namespace {

TEST(Nitro, HasTheNewerFamiliesAndAllMetalSizes) {
  for (const char* type : {"p2.xlarge", "p3.16xlarge", "m4.large", "i3.xlarge", "t2.micro"})
    EXPECT_FALSE(is_on_nitro(type)) << type;
  for (const char* type : {"p3dn.24xlarge", "g4dn.xlarge", "c5.large", "i3.metal", "t3.micro"})
    EXPECT_TRUE(is_on_nitro(type)) << type;
}

}  // namespace
}  // namespace sim::market
