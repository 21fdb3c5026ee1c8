// Which names exist.
#include "sim/guest/names/known_names.h"

#include <gtest/gtest.h>

#include "fakes/ec2/network/host_names.h"

namespace sim::guest {
namespace {

TEST(KnownNames, MachinesOfUsEast1AreNoEndpoints) {
  EXPECT_TRUE(is_endpoint_name("ec2.us-east-1.amazonaws.com", "us-east-1"));
  EXPECT_FALSE(is_endpoint_name("ec2-54-1-2-3.compute-1.amazonaws.com", "us-east-1"));
  EXPECT_FALSE(is_endpoint_name("checkip.amazonaws.com", "us-east-1"));
}

TEST(KnownNames, InstancesHaveTheirRegionsDomain) {
  EXPECT_EQ(fakes::ec2::private_domain("us-west-2"), "us-west-2.compute.internal");
  EXPECT_EQ(fakes::ec2::private_domain("us-east-1"), "ec2.internal");
}

TEST(KnownNames, EndpointsAreThoseOfTheRegionAndOfNone) {
  for (const char* name :
       {"ec2.us-west-2.amazonaws.com", "sts.amazonaws.com", "s3-us-west-2.amazonaws.com",
        "bucket.s3.us-west-2.amazonaws.com", "data-set-2.s3.amazonaws.com",
        "my.dotted.bucket.s3.amazonaws.com", "s3.dualstack.us-west-2.amazonaws.com",
        "ec2.us-west-2.api.aws", "123456789012.dkr.ecr.us-west-2.amazonaws.com", "api.spotinst.io"})
    EXPECT_TRUE(is_endpoint_name(name, "us-west-2")) << name;
  for (const char* name : {"ec2.eu-west-1.amazonaws.com", "s3-eu-west-1.amazonaws.com",
                           "amazonaws.com", "ec2.eu-west-1.api.aws", ".amazonaws.com",
                           "notamazonaws.com", "ec2-54-1-2-3.us-west-2.compute.amazonaws.com",
                           "amazonaws.com.example.org", "spotinst.io", ""})
    EXPECT_FALSE(is_endpoint_name(name, "us-west-2")) << name;
}

}  // namespace
}  // namespace sim::guest
