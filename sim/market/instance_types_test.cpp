#include "sim/market/instance_types.h"

#include <gtest/gtest.h>

#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

TEST(InstanceTypes, AreInOrderOnceEachAndFoundByName) {
  const InstanceType* before = nullptr;
  for (const InstanceType& type : instance_types()) {
    if (before) {
      EXPECT_LT(before->name, type.name);
    }
    before = &type;
    EXPECT_EQ(find_instance_type(type.name), &type);
  }
}

TEST(InstanceTypes, HavePlausibleRows) {
  for (const InstanceType& type : instance_types()) {
    EXPECT_TRUE(is_instance_type(type.name)) << type.name;
    EXPECT_GT(type.vcpus, 0) << type.name;
    EXPECT_GE(type.memory_mib, 512) << type.name;
    EXPECT_EQ(type.gpus > 0, !type.gpu.empty()) << type.name;
    EXPECT_GT(type.on_demand_us_west_2, Usd{}) << type.name;
    // No list price has more than four decimals: a digit too many would show here.
    EXPECT_EQ(type.on_demand_us_west_2.nano % 100'000, 0) << type.name;
  }
}

TEST(InstanceTypes, HaveThePublicPrices) {
  for (const auto& [name, price] : {std::pair{"p3.2xlarge", "3.06"},
                                    {"p2.xlarge", "0.9"},
                                    {"m4.xlarge", "0.2"},
                                    {"g4dn.xlarge", "0.526"},
                                    {"p3dn.24xlarge", "31.212"},
                                    {"t2.micro", "0.0116"}}) {
    ASSERT_TRUE(find_instance_type(name)) << name;
    EXPECT_EQ(find_instance_type(name)->on_demand_us_west_2, parse_usd(price)) << name;
  }
}

TEST(InstanceTypes, OfUnknownNamesAreNone) {
  for (const char* name : {"", "p3", "p3.", "p3.2xlargE", "p3.2xlarge ", "zz.large", "a"})
    EXPECT_EQ(find_instance_type(name), nullptr) << name;
}

}  // namespace
}  // namespace sim::market
