// Filters that AWS documents are never called invalid.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

class Ec2Filters : public testing::Test {
 protected:
  std::size_t found(const std::string& action, const std::string& list, const std::string& filter,
                    const std::string& value) {
    const Answer answer = t.ec2(action, {{"Filter.1.Name", filter}, {"Filter.1.Value.1", value}});
    EXPECT_EQ(answer.code(), "") << filter;
    return answer.all(list).size();
  }
  std::size_t instances(const std::string& filter, const std::string& value) {
    return found("DescribeInstances", "reservationSet/item/instancesSet/item/instanceId", filter,
                 value);
  }
  std::size_t types(const std::string& filter, const std::string& value) {
    return found("DescribeInstanceTypes", "instanceTypeSet/item/instanceType", filter, value);
  }
  TestBackend t;
};

TEST_F(Ec2Filters, OfInstancesLookAtWhatTheyAreAbout) {
  t.ec2("RunInstances", {{"ImageId", "ami-1"},
                         {"InstanceType", "p3.2xlarge"},
                         {"Placement.AvailabilityZone", "us-west-2b"},
                         {"MinCount", "1"},
                         {"MaxCount", "1"}});
  EXPECT_EQ(instances("tenancy", "default"), 1U);
  EXPECT_EQ(instances("tenancy", "dedicated"), 0U);
  EXPECT_EQ(instances("architecture", "x86_64"), 1U);
  EXPECT_EQ(instances("availability-zone-id", "usw2-az2"), 1U);
  EXPECT_EQ(instances("network-interface.private-ip-address", "172.31.*"), 1U);
  EXPECT_EQ(instances("root-device-type", "instance-store"), 0U);
  EXPECT_EQ(instances("metadata-options.http-put-response-hop-limit", "1"), 1U);
  EXPECT_EQ(instances("network-interface.attachment.status", "attached"), 1U);
  EXPECT_EQ(instances("network-interface.requester-id", "*"), 0U);
  for (const char* absent : {"outpost-arn", "host-id", "platform", "placement-group-name"})
    EXPECT_EQ(instances(absent, "*"), 0U) << absent;
}

TEST_F(Ec2Filters, OfTypesLookAtWhatTheyAreAbout) {
  EXPECT_GT(types("hypervisor", "nitro"), 0U);
  EXPECT_GT(types("hypervisor", "xen"), 0U);
  EXPECT_EQ(types("instance-storage-supported", "true"), 0U);
  const Answer v100 = t.ec2("DescribeInstanceTypes", {{"InstanceType.1", "p3.8xlarge"}});
  const auto at = [&](const std::string& path) { return v100.at("instanceTypeSet/item/" + path); };
  EXPECT_EQ(at("gpuInfo/gpus/item/memoryInfo/sizeInMiB"), "16384");
  EXPECT_EQ(at("gpuInfo/totalGpuMemoryInMiB"), "65536");
  EXPECT_EQ(at("networkInfo/networkPerformance"), "10 Gigabit");
  EXPECT_EQ(at("ebsInfo/nvmeSupport"), "unsupported");
  // As EC2 itself answers, which is less than the makers say.
  const auto gpu_mib = [&](const char* type) {
    return t.ec2("DescribeInstanceTypes", {{"InstanceType.1", type}})
        .at("instanceTypeSet/item/gpuInfo/gpus/item/memoryInfo/sizeInMiB");
  };
  EXPECT_EQ(gpu_mib("g5.xlarge"), "22888");
  EXPECT_EQ(gpu_mib("g6e.xlarge"), "45776");
  EXPECT_EQ(gpu_mib("g6f.large"), "2861") << "an eighth of an L4";
}

TEST_F(Ec2Filters, OfTypesKnowTheWayToEbs) {
  const auto at = [&](const char* type, const std::string& path) {
    return t.ec2("DescribeInstanceTypes", {{"InstanceType.1", type}})
        .at("instanceTypeSet/item/ebsInfo/" + path);
  };
  EXPECT_EQ(at("p3.2xlarge", "ebsOptimizedInfo/maximumBandwidthInMbps"), "1750");
  EXPECT_EQ(at("p3.2xlarge", "ebsOptimizedInfo/baselineThroughputInMBps"), "218.75");
  EXPECT_EQ(at("t3.micro", "ebsOptimizedInfo/baselineBandwidthInMbps"), "87");
  EXPECT_EQ(at("t3.micro", "ebsOptimizedInfo/maximumIops"), "11800");
  EXPECT_EQ(at("t2.micro", "ebsOptimizedSupport"), "unsupported");
  EXPECT_EQ(at("t2.micro", "ebsOptimizedInfo/maximumIops"), "");
  const std::string info = "ebs-info.ebs-optimized-info.";
  EXPECT_GT(types(info + "maximum-iops", "11800"), 0U);
  EXPECT_GT(types(info + "baseline-throughput-in-mbps", "218.75"), 0U);
  EXPECT_GT(types("ebs-info.ebs-optimized-support", "unsupported"), 0U);
}

TEST_F(Ec2Filters, ThatAwsLacksAreInvalid) {
  EXPECT_EQ(
      t.ec2("DescribeInstances", {{"Filter.1.Name", "colour"}, {"Filter.1.Value.1", "red"}}).code(),
      "InvalidParameterValue");
}

}  // namespace
}  // namespace fakes
