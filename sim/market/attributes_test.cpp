#include "sim/market/attributes.h"

#include <gtest/gtest.h>

namespace sim::market {
namespace {

const InstanceType& type(const char* name) { return *find_instance_type(*instance_types(), name); }

TEST(Attributes, OfFamiliesAndSizes) {
  EXPECT_TRUE(is_previous_generation(type("m3.large")));
  EXPECT_TRUE(is_previous_generation(type("t1.micro")));
  EXPECT_FALSE(is_previous_generation(type("m4.xlarge")));
  EXPECT_FALSE(is_previous_generation(type("p3.2xlarge")));
  EXPECT_TRUE(is_burstable(type("t3.large")));
  EXPECT_FALSE(is_burstable(type("t1.micro"))) << "it has no credits";
  EXPECT_FALSE(is_burstable(type("trn1.2xlarge")));
  for (const char* small : {"t1.micro", "t2.micro", "t4g.nano"})
    EXPECT_FALSE(may_be_in_cluster(type(small))) << small;
  EXPECT_TRUE(may_be_in_cluster(type("trn1.2xlarge")));
  EXPECT_TRUE(is_bare_metal(type("m5.metal")));
  EXPECT_FALSE(is_bare_metal(type("m5.large")));
  EXPECT_EQ(cpu_maker(type("p3.2xlarge")), "Intel");
  EXPECT_EQ(cpu_maker(type("p5.48xlarge")), "AMD");
  EXPECT_EQ(cpu_maker(type("g4ad.xlarge")), "AMD");
  EXPECT_EQ(cpu_maker(type("t4g.micro")), "AWS");
}

TEST(Attributes, OfAccelerators) {
  const Accelerator v100 = accelerator_of(type("p3.2xlarge"));
  EXPECT_EQ(v100.maker, "NVIDIA");
  EXPECT_EQ(v100.model, "V100");
  EXPECT_EQ(accelerator_of(type("g4ad.xlarge")).model, "Radeon Pro V520");
  EXPECT_EQ(accelerator_of(type("m5.large")).maker, "");
  EXPECT_TRUE(has_gpus(type("p3.2xlarge")));
  EXPECT_FALSE(has_gpus(type("inf1.xlarge")));
  EXPECT_FALSE(has_gpus(type("m5.large")));
  EXPECT_EQ(gpu_mib(type("p3.2xlarge")), 16384);
  EXPECT_EQ(gpu_mib(type("p3dn.24xlarge")), 32768);
  EXPECT_EQ(gpu_mib(type("inf1.xlarge")), 0) << "unknown";
}

}  // namespace
}  // namespace sim::market
