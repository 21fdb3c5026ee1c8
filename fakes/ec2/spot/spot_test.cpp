// Spot requests and spot prices in EC2's API.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

TEST(Ec2SpotRequests, ASecurityGroupsIdIsOne) {
  TestBackend t;
  const auto refused = [&](const char* id) {
    return t.ec2("RunInstances", {{"ImageId", "ami-1"},
                                  {"InstanceType", "p3.2xlarge"},
                                  {"MinCount", "1"},
                                  {"MaxCount", "1"},
                                  {"SecurityGroupId.1", id}});
  };
  for (const char* id : {"", "default"})
    EXPECT_EQ(refused(id).code(), "InvalidGroupId.Malformed") << id;
  EXPECT_EQ(refused("default").message(), "Invalid id: \"default\" (expecting \"sg-...\")");
  for (const char* id : {"sg-", "sg-1", "sg-0123456789abcdefg"})
    EXPECT_EQ(refused(id).code(), "InvalidGroup.NotFound") << id;
  EXPECT_TRUE(t.cloud.instances().empty());
}

TEST(Ec2SpotRequests, ARequestIsFulfilledAndCancelledWhileItsInstanceRuns) {
  TestBackend t;
  const auto made = t.ec2("RequestSpotInstances",
                          {{"SpotPrice", "1"},
                           {"LaunchSpecification.ImageId", "ami-1"},
                           {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                           {"LaunchSpecification.SecurityGroupId.1", "sg-0123456789abcdef0"},
                           {"TagSpecification.1.ResourceType", "spot-instances-request"},
                           {"TagSpecification.1.Tag.1.Key", "k"}});
  const std::string item = "spotInstanceRequestSet/item/";
  const auto id = made.at(item + "spotInstanceRequestId");
  EXPECT_EQ(made.at(item + "state"), "open");
  t.run(1min);
  const auto active = t.ec2("DescribeSpotInstanceRequests",
                            {{"Filter.1.Name", "tag-key"}, {"Filter.1.Value.1", "k"}});
  EXPECT_EQ(active.at(item + "status/code"), "fulfilled");
  EXPECT_EQ(active.at(item + "launchedAvailabilityZone"), "us-west-2b");
  EXPECT_EQ(
      t.ec2("CancelSpotInstanceRequests", {{"SpotInstanceRequestId.1", id}}).at(item + "state"),
      "cancelled");
  EXPECT_EQ(t.ec2("DescribeSpotInstanceRequests", {{"SpotInstanceRequestId.1", id}})
                .at(item + "status/code"),
            "request-canceled-and-instance-running");
}

TEST(Ec2SpotRequests, ARequestIsValidFromATimeUntilATime) {
  TestBackend t;
  t.market.set_capacity({"p3.2xlarge", "us-west-2b"}, 0);
  const std::string spec = "LaunchSpecification.";
  Fields fields{{spec + "ImageId", "ami-1"},
                {spec + "InstanceType", "p3.2xlarge"},
                {spec + "Placement.AvailabilityZone", "us-west-2b"},
                {"ValidFrom", "2019-11-05T11:00:00Z"},
                {"ValidUntil", "2019-11-05T12:00:00Z"}};
  const std::string item = "spotInstanceRequestSet/item/";
  const auto made = t.ec2("RequestSpotInstances", fields);
  EXPECT_EQ(made.at(item + "validFrom"), "2019-11-05T11:00:00.000Z");
  EXPECT_EQ(made.at(item + "status/code"), "not-scheduled-yet");
  const auto shown = [&](const char* path) {
    return t
        .ec2("DescribeSpotInstanceRequests",
             {{"Filter.1.Name", "valid-until"}, {"Filter.1.Value.1", "2019-11-05T12:00:00.000Z"}})
        .at(item + path);
  };
  t.run(1h + 5min);
  EXPECT_EQ(shown("status/code"), "capacity-not-available");
  t.run(1h);
  EXPECT_EQ(shown("status/code"), "schedule-expired");
  EXPECT_EQ(shown("state"), "cancelled");
  EXPECT_EQ(t.ec2("RequestSpotInstances", fields).code(), "InvalidParameterValue") << "it is over";
}

TEST(Ec2SpotRequests, RunInstancesTagsItsRequest) {
  TestBackend t;
  const auto made =
      t.ec2("RunInstances", {{"ImageId", "ami-1"},
                             {"InstanceType", "p3.2xlarge"},
                             {"MinCount", "1"},
                             {"MaxCount", "1"},
                             {"InstanceMarketOptions.MarketType", "spot"},
                             {"TagSpecification.1.ResourceType", "instance"},
                             {"TagSpecification.1.Tag.1.Key", "k"},
                             {"TagSpecification.2.ResourceType", "spot-instances-request"},
                             {"TagSpecification.2.Tag.1.Key", "of"},
                             {"TagSpecification.2.Tag.1.Value", "the request"}});
  const auto request = made.at("instancesSet/item/spotInstanceRequestId");
  const auto tagged = t.ec2("DescribeSpotInstanceRequests",
                            {{"Filter.1.Name", "tag:of"}, {"Filter.1.Value.1", "the request"}});
  EXPECT_EQ(tagged.all("spotInstanceRequestSet/item/spotInstanceRequestId"), Texts{request});
  EXPECT_EQ(made.all("instancesSet/item/tagSet/item/key"), Texts{"k"});
}

TEST(Ec2SpotRequests, RunInstancesTakesMarketOptions) {
  TestBackend t;
  const auto run = [&](const std::string& price, const Fields& more = {}) {
    Fields fields{{"ImageId", "ami-1"},
                  {"InstanceType", "p3.2xlarge"},
                  {"MinCount", "1"},
                  {"MaxCount", "1"},
                  {"Placement.AvailabilityZone", "us-west-2a"},
                  {"InstanceMarketOptions.MarketType", "spot"},
                  {"InstanceMarketOptions.SpotOptions.MaxPrice", price}};
    fields.insert(fields.end(), more.begin(), more.end());
    return t.ec2("RunInstances", fields);
  };
  EXPECT_EQ(run("0.5").code(), "SpotMaxPriceTooLow");
  EXPECT_EQ(run("0.5").message(),
            "Your Spot request price of 0.5 is lower than the minimum required Spot request "
            "fulfillment price of 0.918.");
  const auto made = run("1.5");
  EXPECT_EQ(made.at("instancesSet/item/instanceLifecycle"), "spot");
  const auto request = made.at("instancesSet/item/spotInstanceRequestId");
  const auto described =
      t.ec2("DescribeSpotInstanceRequests", {{"SpotInstanceRequestId.1", request}});
  EXPECT_EQ(described.at("spotInstanceRequestSet/item/status/code"), "fulfilled");
  EXPECT_EQ(described.at("spotInstanceRequestSet/item/spotPrice"), "1.500000");
  t.cloud.market().set_capacity({"p3.2xlarge", "us-west-2a"}, 1);
  const auto full = run("1.5");
  EXPECT_EQ(full.code(), "InsufficientInstanceCapacity");
  EXPECT_EQ(full.status(), 500);
  const std::string options = "InstanceMarketOptions.SpotOptions.";
  EXPECT_EQ(run("1.5", {{options + "SpotInstanceType", "persistent"}}).code(),
            "InvalidParameterCombination");
  EXPECT_EQ(run("1.5", {{options + "BlockDurationMinutes", "60"}}).code(), "UnsupportedOperation");
}

TEST(Ec2SpotRequests, RunInstancesTakesTheEndOfAPersistentRequest) {
  TestBackend t;
  const std::string options = "InstanceMarketOptions.SpotOptions.";
  Fields fields{{"ImageId", "ami-1"},
                {"InstanceType", "p3.2xlarge"},
                {"MinCount", "1"},
                {"MaxCount", "1"},
                {"InstanceMarketOptions.MarketType", "spot"},
                {options + "InstanceInterruptionBehavior", "stop"},
                {options + "SpotInstanceType", "persistent"},
                {options + "ValidUntil", "2019-11-05T12:00:00Z"}};
  const auto instance = t.ec2("RunInstances", fields).at("instancesSet/item/instanceId");
  const auto shown = [&](const char* path) {
    return t.ec2("DescribeSpotInstanceRequests")
        .at("spotInstanceRequestSet/item/" + std::string(path));
  };
  EXPECT_EQ(shown("validUntil"), "2019-11-05T12:00:00.000Z");
  t.run(1h);
  EXPECT_EQ(shown("state"), "active");
  t.run(1h + 1min);
  EXPECT_EQ(shown("state"), "cancelled");
  EXPECT_EQ(shown("status/code"), "request-canceled-and-instance-running");
  EXPECT_EQ(shown("instanceId"), instance);
  EXPECT_EQ(t.ec2("RunInstances", fields).code(), "InvalidParameterValue") << "it is over";
  fields[5].second = "terminate";
  fields[6].second = "one-time";
  EXPECT_EQ(t.ec2("RunInstances", fields).message(),
            "The parameter validUntil cannot be specified when the SpotRequestType is set to "
            "'one-time'.");
}

TEST(Ec2SpotPrices, ThePriceInForceAtTheStartComesToo) {
  TestBackend t;
  t.run(2h);
  const auto answer = t.ec2("DescribeSpotPriceHistory", {{"InstanceType.1", "p3.2xlarge"},
                                                         {"ProductDescription.1", "Linux/UNIX"},
                                                         {"AvailabilityZone", "us-west-2b"},
                                                         {"StartTime", "2019-11-05T10:30:00Z"}});
  EXPECT_EQ(answer.all("spotPriceHistorySet/item/spotPrice"), (Texts{"1.100000", "0.900000"}));
  EXPECT_EQ(answer.all("spotPriceHistorySet/item/timestamp"),
            (Texts{"2019-11-05T11:00:00.000Z", "2019-11-05T10:00:00.000Z"}));
}

TEST(Ec2SpotPrices, AZoneOfAnotherRegionIsRefused) {
  TestBackend t;
  const auto answer = t.ec2("DescribeSpotPriceHistory", {{"AvailabilityZone", "us-east-1a"}});
  EXPECT_EQ(answer.code(), "InvalidParameterValue");
  EXPECT_EQ(answer.message(), "Invalid availability zone: [us-east-1a]");
  EXPECT_EQ(t.ec2("DescribeSpotPriceHistory", {{"AvailabilityZone", "us-west-2c"}}).code(), "")
      << "it has no prices, and exists";
}

TEST(Ec2SpotPrices, ComeNewestFirstPageByPageWithEitherNameOfTheProduct) {
  TestBackend t;
  t.run(2h);
  for (const char* product : {"Linux/UNIX", "Linux/UNIX (Amazon VPC)"}) {
    Texts times;
    std::string token;
    do {
      Fields fields{{"MaxResults", "1"},
                    {"Filter.1.Name", "product-description"},
                    {"Filter.1.Value.1", product}};
      if (!token.empty()) fields.emplace_back("NextToken", token);
      const auto page = t.ec2("DescribeSpotPriceHistory", fields);
      times.push_back(page.at("spotPriceHistorySet/item/timestamp"));
      token = page.at("nextToken");
    } while (!token.empty());
    EXPECT_EQ(times, (Texts{"2019-11-05T11:00:00.000Z", "2019-11-05T10:00:00.000Z",
                            "2019-11-05T10:00:00.000Z"}))
        << product;
  }
}

TEST(Ec2SpotPrices, FuturePricesAreNotReported) {
  TestBackend t;
  const auto answer = t.ec2("DescribeSpotPriceHistory", {{"EndTime", "2030-01-01T00:00:00Z"},
                                                         {"StartTime", "2029-01-01T00:00:00Z"}});
  EXPECT_EQ(answer.all("spotPriceHistorySet/item/spotPrice"), (Texts{"0.918000", "0.900000"}));
}

}  // namespace
}  // namespace fakes
