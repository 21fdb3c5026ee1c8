// Filters that AWS documents are never called invalid.
#include <gtest/gtest.h>

#include <chrono>

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
  t.run(std::chrono::minutes(2));  // a running instance has a public address
  EXPECT_EQ(instances("tenancy", "default"), 1U);
  EXPECT_EQ(instances("tenancy", "dedicated"), 0U);
  EXPECT_EQ(instances("architecture", "x86_64"), 1U);
  EXPECT_EQ(instances("availability-zone-id", "usw2-az2"), 1U);
  EXPECT_EQ(instances("network-interface.private-ip-address", "172.31.*"), 1U);
  EXPECT_EQ(instances("root-device-type", "instance-store"), 0U);
  EXPECT_EQ(instances("metadata-options.http-put-response-hop-limit", "1"), 1U);
  EXPECT_EQ(instances("network-interface.attachment.status", "attached"), 1U);
  EXPECT_EQ(instances("network-interface.requester-id", "*"), 0U);
  EXPECT_EQ(instances("network-interface.network-interface-id", "eni-*"), 1U);
  EXPECT_EQ(instances("network-interface.mac-address", "06:00:ac:1f:*"), 1U);
  EXPECT_EQ(instances("network-interface.association.ip-owner-id", "amazon"), 1U);
  EXPECT_EQ(instances("network-interface.public-dns-name", "ec2-*"), 1U);
  EXPECT_EQ(instances("metadata-options.instance-metadata-tags", "disabled"), 1U);
  EXPECT_EQ(instances("operator.managed", "false"), 1U);
  EXPECT_EQ(instances("iam-instance-profile.name", "*"), 0U);
  for (const char* absent : {"outpost-arn", "host-id", "platform", "placement-group-name",
                             "network-interface.tag-key", "usage-operation-update-time"})
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
  // The value that EC2 returns, which is lower than the manufacturer's.
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

TEST_F(Ec2Filters, OfStatusesCompareTheResultsOfChecks) {
  t.instance();
  const auto statuses = [&](const std::string& filter, const std::string& value) {
    return found("DescribeInstanceStatus", "instanceStatusSet/item/instanceId", filter, value);
  };
  for (const std::string which : {"instance", "system"}) {
    EXPECT_EQ(statuses(which + "-status.status", "ok"), 1U);
    EXPECT_EQ(statuses(which + "-status.reachability", "passed"), 1U);
    EXPECT_EQ(statuses(which + "-status.status", "impaired"), 0U);
  }
  EXPECT_EQ(statuses("availability-zone", "us-west-2b"), 1U);
  for (const char* absent : {"event.code", "event.description", "event.instance-event-id",
                             "event.not-after", "event.not-before", "event.not-before-deadline"})
    EXPECT_EQ(statuses(absent, "*"), 0U) << absent;
  sim::cloud::MaintenanceEvent event{.code = sim::cloud::MaintenanceCode::kInstanceRetirement,
                                     .description = "degraded"};
  event.not_before = t.simulation.now() + std::chrono::hours{1};
  t.cloud.schedule_maintenance(t.cloud.instances().begin()->first, event);
  EXPECT_EQ(statuses("event.code", "instance-retirement"), 1U);
  EXPECT_EQ(statuses("event.code", "system-reboot"), 0U);
  EXPECT_EQ(statuses("event.description", "degraded"), 1U);
  EXPECT_EQ(statuses("event.not-before", "2019-11-05T11:*"), 1U);
  EXPECT_EQ(statuses("event.not-after", "*"), 0U);
  t.volume();
  const auto volumes = [&](const std::string& filter, const std::string& value) {
    return found("DescribeVolumeStatus", "volumeStatusSet/item/volumeId", filter, value);
  };
  EXPECT_EQ(volumes("volume-status.status", "ok"), 2U);
  EXPECT_EQ(volumes("volume-status.details-name", "io-enabled"), 2U);
  EXPECT_EQ(volumes("volume-status.details-status", "failed"), 0U);
  for (const char* absent :
       {"action.code", "action.description", "action.event-id", "event.description",
        "event.event-id", "event.event-type", "event.not-after", "event.not-before"})
    EXPECT_EQ(volumes(absent, "*"), 0U) << absent;
}

TEST_F(Ec2Filters, OfTemplateVersionsLookAtWhatWasGiven) {
  const std::string data = "LaunchTemplateData.";
  t.ec2("CreateLaunchTemplate",
        {{"LaunchTemplateName", "abc"},
         {data + "ImageId", "ami-0123456789abcdef0"},
         {data + "EbsOptimized", "true"},
         {data + "MetadataOptions.HttpTokens", "required"},
         {data + "IamInstanceProfile.Arn", "arn:aws:iam::123456789012:instance-profile/job"}});
  const auto versions = [&](const std::string& filter, const std::string& value) {
    const Answer answer = t.ec2(
        "DescribeLaunchTemplateVersions",
        {{"LaunchTemplateName", "abc"}, {"Filter.1.Name", filter}, {"Filter.1.Value.1", value}});
    EXPECT_EQ(answer.code(), "") << filter;
    return answer.all("launchTemplateVersionSet/item/versionNumber").size();
  };
  EXPECT_EQ(versions("ebs-optimized", "true"), 1U);
  EXPECT_EQ(versions("http-tokens", "required"), 1U);
  EXPECT_EQ(versions("http-tokens", "optional"), 0U);
  EXPECT_EQ(versions("iam-instance-profile", "*instance-profile/job"), 1U);
  for (const char* absent :
       {"http-endpoint", "http-protocol-ipv4", "host-resource-group-arn", "kernel-id",
        "license-configuration-arn", "network-card-index", "ram-disk-id"})
    EXPECT_EQ(versions(absent, "*"), 0U) << absent;
}

TEST_F(Ec2Filters, OfSpotRequestsLookAtTheLaunch) {
  const std::string launch = "LaunchSpecification.", device = launch + "BlockDeviceMapping.1.";
  t.ec2("RequestSpotInstances", {{launch + "ImageId", "ami-0123456789abcdef0"},
                                 {launch + "InstanceType", "p3.2xlarge"},
                                 {launch + "Monitoring.Enabled", "true"},
                                 {device + "DeviceName", "/dev/sdf"},
                                 {device + "Ebs.VolumeSize", "80"},
                                 {device + "Ebs.VolumeType", "gp3"}});
  const auto requests = [&](const std::string& filter, const std::string& value) {
    return found("DescribeSpotInstanceRequests",
                 "spotInstanceRequestSet/item/spotInstanceRequestId", filter, value);
  };
  EXPECT_EQ(requests("launch.block-device-mapping.device-name", "/dev/sdf"), 1U);
  EXPECT_EQ(requests("launch.block-device-mapping.volume-size", "80"), 1U);
  EXPECT_EQ(requests("launch.block-device-mapping.volume-type", "gp2"), 0U);
  EXPECT_EQ(requests("launch.block-device-mapping.delete-on-termination", "true"), 1U);
  EXPECT_EQ(requests("launch.group-name", "default"), 1U);
  EXPECT_EQ(requests("launch.monitoring-enabled", "true"), 1U);
  EXPECT_EQ(requests("network-interface.group-id", "sg-*"), 1U);
  for (const char* absent :
       {"network-interface.addresses.primary", "network-interface.device-index",
        "network-interface.description", "network-interface.delete-on-termination",
        "network-interface.network-interface-id", "network-interface.private-ip-address"})
    EXPECT_EQ(requests(absent, "*"), 0U) << absent;
}

TEST_F(Ec2Filters, ThatAwsLacksAreInvalid) {
  EXPECT_EQ(
      t.ec2("DescribeInstances", {{"Filter.1.Name", "colour"}, {"Filter.1.Value.1", "red"}}).code(),
      "InvalidParameterValue");
}

}  // namespace
}  // namespace fakes
