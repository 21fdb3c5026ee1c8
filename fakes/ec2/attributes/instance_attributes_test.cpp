// ModifyInstanceAttribute of attributes that a stopped instance has to have.
#include <gtest/gtest.h>

#include "base/text/base64.h"
#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

struct AttributeBackend : TestBackend {
  Answer modify(const std::string& id, Fields fields) {
    fields.push_back({"InstanceId", id});
    return ec2("ModifyInstanceAttribute", fields);
  }
  std::string shown(const std::string& id, const std::string& attribute) {
    return ec2("DescribeInstanceAttribute", {{"InstanceId", id}, {"Attribute", attribute}})
        .at(attribute + "/value");
  }
  std::string of_type(const char* type, const Fields& more = {}) {
    Fields fields{
        {"ImageId", "ami-1"}, {"InstanceType", type}, {"MinCount", "1"}, {"MaxCount", "1"}};
    fields.insert(fields.end(), more.begin(), more.end());
    const auto id = ec2("RunInstances", fields).at("instancesSet/item/instanceId");
    run(2min);
    return id;
  }
  std::string stopped(const char* type = "m4.xlarge", const Fields& more = {}) {
    const std::string id = of_type(type, more);
    ec2("StopInstances", {{"InstanceId.1", id}});
    run(5min);
    return id;
  }
};

TEST(Ec2InstanceAttributes, ChangeTheTypeOfAStoppedInstance) {
  AttributeBackend t;
  const std::string id = t.instance();
  const Fields larger{{"InstanceType.Value", "p3.2xlarge"}};
  EXPECT_EQ(t.modify(id, larger).code(), "IncorrectInstanceState");
  EXPECT_EQ(t.modify(id, larger).message(),
            "The instance '" + id + "' is not in the 'stopped' state.");
  t.ec2("StopInstances", {{"InstanceId.1", id}});
  t.run(5min);
  EXPECT_EQ(t.modify(id, {{"InstanceType.Value", "p9.huge"}}).code(),
            "InvalidInstanceAttributeValue");
  EXPECT_EQ(t.modify(id, larger).status(), 200);
  EXPECT_EQ(t.shown(id, "instanceType"), "p3.2xlarge");
  t.ec2("StartInstances", {{"InstanceId.1", id}});
  t.run(5min);
  const auto described = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  const std::string instance = "reservationSet/item/instancesSet/item/";
  EXPECT_EQ(described.at(instance + "instanceType"), "p3.2xlarge");
  EXPECT_EQ(described.at(instance + "instanceState/name"), "running");
}

TEST(Ec2InstanceAttributes, ChangeTheOlderWayToo) {
  AttributeBackend t;
  const std::string id = t.stopped();
  const auto change = [&](const std::string& attribute, const std::string& value) {
    return t.modify(id, {{"Attribute", attribute}, {"Value", value}}).code();
  };
  EXPECT_EQ(change("instanceType", "p3.2xlarge"), "");
  EXPECT_EQ(change("ebsOptimized", "true"), "");
  EXPECT_EQ(change("ebsOptimized", "perhaps"), "InvalidParameterValue");
  EXPECT_EQ(change("userData", base::base64_encode("#!/bin/sh\n")), "");
  EXPECT_EQ(change("kernel", "aki-1"), "UnsupportedOperation");
  EXPECT_EQ(t.shown(id, "instanceType"), "p3.2xlarge");
  EXPECT_EQ(t.shown(id, "ebsOptimized"), "true");
  EXPECT_EQ(t.shown(id, "userData"), base::base64_encode("#!/bin/sh\n"));
}

TEST(Ec2InstanceAttributes, ChangeTheUserDataOfAStoppedInstance) {
  AttributeBackend t;
  const std::string text = base::base64_encode("#!/bin/sh\necho 2\n");
  const std::string id = t.instance();
  EXPECT_EQ(t.modify(id, {{"UserData.Value", text}}).code(), "IncorrectInstanceState");
  t.ec2("StopInstances", {{"InstanceId.1", id}});
  t.run(5min);
  EXPECT_EQ(t.modify(id, {{"UserData.Value", text}}).status(), 200);
  EXPECT_EQ(t.shown(id, "userData"), text);
  EXPECT_EQ(t.backend.cloud.instance({id}).spec.user_data, "#!/bin/sh\necho 2\n");
  EXPECT_EQ(t.modify(id, {{"UserData.Value", base::base64_encode(std::string(16385, 'a'))}}).code(),
            "InvalidParameterValue");
}

TEST(Ec2InstanceAttributes, ChangeTheCheckOfSourcesOfAnInstanceWithOneInterface) {
  AttributeBackend t;
  const std::string id = t.instance();
  EXPECT_EQ(t.shown(id, "sourceDestCheck"), "true");
  EXPECT_EQ(t.modify(id, {{"SourceDestCheck.Value", "false"}}).status(), 200);
  EXPECT_EQ(t.shown(id, "sourceDestCheck"), "false");
  const auto described = t.ec2(
      "DescribeInstances", {{"Filter.1.Name", "source-dest-check"}, {"Filter.1.Value.1", "false"}});
  EXPECT_EQ(described.at("reservationSet/item/instancesSet/item/sourceDestCheck"), "false");
  const auto subnet = described.at("reservationSet/item/instancesSet/item/subnetId");
  const auto interface = t.ec2("CreateNetworkInterface", {{"SubnetId", subnet}})
                             .at("networkInterface/networkInterfaceId");
  t.ec2("AttachNetworkInterface",
        {{"NetworkInterfaceId", interface}, {"InstanceId", id}, {"DeviceIndex", "1"}});
  EXPECT_EQ(t.modify(id, {{"SourceDestCheck.Value", "true"}}).code(), "InvalidInstanceID");
}

TEST(Ec2InstanceAttributes, KeepTheTypeOfSpotInstances) {
  AttributeBackend t;
  const std::string id = t.stopped(
      "p3.2xlarge", {{"InstanceMarketOptions.MarketType", "spot"},
                     {"InstanceMarketOptions.SpotOptions.SpotInstanceType", "persistent"},
                     {"InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior", "stop"}});
  EXPECT_EQ(t.modify(id, {{"InstanceType.Value", "m4.xlarge"}}).code(), "UnsupportedOperation");
}

TEST(Ec2InstanceAttributes, ShowTheCreditsOfBurstableInstances) {
  AttributeBackend t;
  const auto credits = [&](const Fields& fields) {
    return t.ec2("DescribeInstanceCreditSpecifications", fields)
        .all("instanceCreditSpecificationSet/item/cpuCredits");
  };
  const std::string t2 = t.of_type("t2.micro"), m4 = t.instance();
  EXPECT_EQ(credits({{"InstanceId.1", t2}, {"InstanceId.2", m4}}),
            std::vector<std::string>{"standard"});
  EXPECT_TRUE(credits({}).empty());
  const std::string unlimited =
      t.of_type("t2.micro", {{"CreditSpecification.CpuCredits", "unlimited"}});
  EXPECT_EQ(credits({}), std::vector<std::string>{"unlimited"});
  t.ec2("TerminateInstances", {{"InstanceId.1", unlimited}});
  t.run(2min);
  EXPECT_TRUE(credits({}).empty()) << "it is terminated";
  const auto of_another_type =
      t.ec2("RunInstances", {{"ImageId", "ami-1"},
                             {"InstanceType", "m4.xlarge"},
                             {"MinCount", "1"},
                             {"MaxCount", "1"},
                             {"CreditSpecification.CpuCredits", "standard"}});
  EXPECT_EQ(of_another_type.code(), "InstanceCreditSpecification.NotSupported");
  EXPECT_EQ(of_another_type.message(),
            "The m4.xlarge instance type does not support T2 Unlimited.");
}

}  // namespace
}  // namespace fakes
