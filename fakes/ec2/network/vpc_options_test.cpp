// DHCP options and the tenancy of VPCs, and elastic addresses that come back.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

TEST(Ec2DhcpOptions, AreAssociatedWithAVpcUntilTheDefaultReplacesThem) {
  TestBackend t;
  const auto made = t.ec2("CreateDhcpOptions", {{"DhcpConfiguration.1.Key", "domain-name-servers"},
                                                {"DhcpConfiguration.1.Value.1", "10.2.5.1"},
                                                {"DhcpConfiguration.1.Value.2", "10.2.5.2"},
                                                {"DhcpConfiguration.2.Key", "domain-name"},
                                                {"DhcpConfiguration.2.Value.1", "example.com"},
                                                {"TagSpecification.1.ResourceType", "dhcp-options"},
                                                {"TagSpecification.1.Tag.1.Key", "Name"},
                                                {"TagSpecification.1.Tag.1.Value", "a"}});
  const std::string id = made.at("dhcpOptions/dhcpOptionsId");
  EXPECT_EQ(made.all("dhcpOptions/dhcpConfigurationSet/item/key"),
            (Texts{"domain-name-servers", "domain-name"}));
  const auto found =
      t.ec2("DescribeDhcpOptions", {{"Filter.1.Name", "value"}, {"Filter.1.Value.1", "10.2.5.2"}});
  EXPECT_EQ(found.at("dhcpOptionsSet/item/dhcpOptionsId"), id);
  EXPECT_EQ(found.at("dhcpOptionsSet/item/tagSet/item/value"), "a");
  const std::string vpc = t.ec2("DescribeVpcs").at("vpcSet/item/vpcId");
  const auto associate = [&](const std::string& options) {
    return t.ec2("AssociateDhcpOptions", {{"DhcpOptionsId", options}, {"VpcId", vpc}}).code();
  };
  EXPECT_EQ(associate(id), "");
  EXPECT_EQ(t.ec2("DescribeVpcs").at("vpcSet/item/dhcpOptionsId"), id);
  EXPECT_EQ(t.ec2("DeleteDhcpOptions", {{"DhcpOptionsId", id}}).code(), "DependencyViolation");
  EXPECT_EQ(associate("default"), "");
  EXPECT_EQ(t.ec2("DescribeVpcs").at("vpcSet/item/dhcpOptionsId"), "default");
  EXPECT_EQ(t.ec2("DeleteDhcpOptions", {{"DhcpOptionsId", id}}).status(), 200);
  EXPECT_EQ(associate(id), "InvalidDhcpOptionID.NotFound");
}

TEST(Ec2DhcpOptions, RefuseUnknownOptions) {
  TestBackend t;
  EXPECT_EQ(t.ec2("CreateDhcpOptions",
                  {{"DhcpConfiguration.1.Key", "colour"}, {"DhcpConfiguration.1.Value.1", "red"}})
                .code(),
            "InvalidParameterValue");
}

TEST(Ec2Vpcs, BecomeSharedAgain) {
  TestBackend t;
  const std::string vpc =
      t.ec2("CreateVpc", {{"CidrBlock", "10.0.0.0/16"}, {"InstanceTenancy", "dedicated"}})
          .at("vpc/vpcId");
  EXPECT_EQ(
      t.ec2("ModifyVpcTenancy", {{"VpcId", vpc}, {"InstanceTenancy", "default"}}).at("return"),
      "true");
  EXPECT_EQ(t.ec2("DescribeVpcs", {{"VpcId.1", vpc}}).at("vpcSet/item/instanceTenancy"), "default");
  EXPECT_EQ(t.ec2("ModifyVpcTenancy", {{"VpcId", vpc}, {"InstanceTenancy", "dedicated"}}).status(),
            400);
}

TEST(Ec2Addresses, ComeBackAfterTheirRelease) {
  TestBackend t;
  const auto made = t.ec2("AllocateAddress");
  const std::string address = made.at("publicIp");
  EXPECT_EQ(t.ec2("AllocateAddress", {{"Address", address}}).code(), "InvalidAddress.NotFound");
  t.ec2("ReleaseAddress", {{"AllocationId", made.at("allocationId")}});
  const auto again = t.ec2("AllocateAddress", {{"Address", address}});
  EXPECT_EQ(again.at("publicIp"), address);
  EXPECT_NE(again.at("allocationId"), made.at("allocationId"));
}

}  // namespace
}  // namespace fakes
