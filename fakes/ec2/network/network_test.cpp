// VPCs and their resources, as clients of the Query API see them. sim/vpc has the tests of the
// rules.
#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

struct NetworkWorld : TestBackend {
  std::string vpc(const char* cidr = "10.0.0.0/16") {
    return ec2("CreateVpc", {{"CidrBlock", cidr}}).at("vpc/vpcId");
  }
  std::string subnet(const std::string& vpc, const char* cidr = "10.0.1.0/24") {
    return ec2("CreateSubnet", {{"VpcId", vpc}, {"CidrBlock", cidr}}).at("subnet/subnetId");
  }
  std::string group(const char* name, const std::string& vpc = "") {
    Fields fields{{"GroupName", name}, {"GroupDescription", "of a test"}};
    if (!vpc.empty()) fields.emplace_back("VpcId", vpc);
    return ec2("CreateSecurityGroup", fields).at("groupId");
  }
  Answer launch(const Fields& more) {
    Fields fields{
        {"ImageId", "ami-1"}, {"InstanceType", "m4.xlarge"}, {"MinCount", "1"}, {"MaxCount", "1"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("RunInstances", fields);
  }
};

TEST(Ec2Network, AVpcIsShownUntilItIsDeleted) {
  NetworkWorld t;
  const std::string vpc = t.ec2("CreateVpc", {{"CidrBlock", "10.0.9.9/16"},
                                              {"TagSpecification.1.ResourceType", "vpc"},
                                              {"TagSpecification.1.Tag.1.Key", "Name"},
                                              {"TagSpecification.1.Tag.1.Value", "mine"}})
                              .at("vpc/vpcId");
  const auto shown =
      t.ec2("DescribeVpcs", {{"Filter.1.Name", "tag:Name"}, {"Filter.1.Value.1", "mine"}});
  EXPECT_EQ(shown.all("vpcSet/item/vpcId"), Texts{vpc});
  EXPECT_EQ(shown.at("vpcSet/item/cidrBlock"), "10.0.0.0/16");
  EXPECT_EQ(shown.at("vpcSet/item/isDefault"), "false");
  EXPECT_EQ(t.ec2("DescribeVpcs").all("vpcSet/item/vpcId").size(), 2u);
  const std::string subnet = t.subnet(vpc);
  EXPECT_EQ(t.ec2("DeleteVpc", {{"VpcId", vpc}}).code(), "DependencyViolation");
  EXPECT_EQ(t.ec2("DeleteSubnet", {{"SubnetId", subnet}}).status(), 200);
  EXPECT_EQ(t.ec2("DeleteVpc", {{"VpcId", vpc}}).status(), 200);
  EXPECT_EQ(t.ec2("DescribeVpcs", {{"VpcId.1", vpc}}).code(), "InvalidVpcID.NotFound");
}

// boto3 sends the token by itself since 2025.
TEST(Ec2Network, ARouteTableMayHaveATokenThatTheInstalledModelLacks) {
  NetworkWorld t;
  EXPECT_EQ(t.ec2("CreateRouteTable", {{"VpcId", t.vpc()}, {"ClientToken", "one"}}).status(), 200);
}

TEST(Ec2Network, AnInstanceIsInTheSubnetThatWasAskedFor) {
  NetworkWorld t;
  const std::string vpc = t.vpc(), subnet = t.subnet(vpc), group = t.group("web", vpc);
  EXPECT_EQ(t.launch({{"SubnetId", "subnet-1"}}).code(), "InvalidSubnetID.NotFound");
  const std::string elsewhere = t.group("web");
  EXPECT_EQ(t.launch({{"SubnetId", subnet}, {"SecurityGroupId.1", elsewhere}}).code(),
            "InvalidParameter");
  EXPECT_EQ(t.launch({{"SubnetId", subnet}, {"PrivateIpAddress", "10.0.2.7"}}).code(),
            "InvalidParameterValue");
  const auto made = t.launch(
      {{"SubnetId", subnet}, {"SecurityGroupId.1", group}, {"PrivateIpAddress", "10.0.1.7"}});
  EXPECT_EQ(t.launch({{"SubnetId", subnet}, {"PrivateIpAddress", "10.0.1.7"}}).code(),
            "InvalidIPAddress.InUse");
  const std::string item = "instancesSet/item/";
  EXPECT_EQ(made.at(item + "vpcId"), vpc);
  EXPECT_EQ(made.at(item + "subnetId"), subnet);
  EXPECT_EQ(made.at(item + "privateIpAddress"), "10.0.1.7");
  EXPECT_EQ(made.at(item + "placement/availabilityZone"), "us-west-2a");
  const std::string interface = made.at(item + "networkInterfaceSet/item/networkInterfaceId");
  EXPECT_EQ(t.ec2("DescribeNetworkInterfaces", {{"NetworkInterfaceId.1", interface}})
                .at("networkInterfaceSet/item/privateIpAddress"),
            "10.0.1.7");
  EXPECT_EQ(t.ec2("DescribeSubnets", {{"SubnetId.1", subnet}})
                .at("subnetSet/item/availableIpAddressCount"),
            "250");
  EXPECT_EQ(t.ec2("DeleteSubnet", {{"SubnetId", subnet}}).code(), "DependencyViolation");
  EXPECT_EQ(t.ec2("DeleteSecurityGroup", {{"GroupId", group}}).code(), "DependencyViolation");
  t.ec2("TerminateInstances", {{"InstanceId.1", made.at(item + "instanceId")}});
  t.run(5min);
  EXPECT_EQ(t.ec2("DeleteSubnet", {{"SubnetId", subnet}}).status(), 200);
}

TEST(Ec2Network, SpotRequestsAndFleetsUseTheSubnetToo) {
  NetworkWorld t;
  const std::string subnet = t.subnet(t.vpc());
  t.ec2("RequestSpotInstances", {{"LaunchSpecification.ImageId", "ami-1"},
                                 {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                                 {"LaunchSpecification.SubnetId", subnet}});
  const std::string fleet = "SpotFleetRequestConfig.";
  const auto made =
      t.ec2("RequestSpotFleet", {{fleet + "TargetCapacity", "1"},
                                 {fleet + "IamFleetRole", "arn:aws:iam::123456789012:role/f"},
                                 {fleet + "LaunchSpecifications.1.ImageId", "ami-1"},
                                 {fleet + "LaunchSpecifications.1.InstanceType", "p3.2xlarge"},
                                 {fleet + "LaunchSpecifications.1.SubnetId", subnet}});
  EXPECT_EQ(made.status(), 200) << made.body();
  t.run(5min);
  EXPECT_EQ(t.ec2("DescribeInstances").all("reservationSet/item/instancesSet/item/subnetId"),
            Texts(2, subnet));
}

// The subnet of a waiting spot request may be deleted before its launch.
TEST(Ec2Network, ASubnetThatIsGoneFailsTheRequest) {
  NetworkWorld t;
  const std::string subnet = t.subnet(t.vpc());
  t.ec2("RequestSpotInstances", {{"LaunchSpecification.ImageId", "ami-1"},
                                 {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                                 {"LaunchSpecification.SubnetId", subnet}});
  EXPECT_EQ(t.ec2("DeleteSubnet", {{"SubnetId", subnet}}).status(), 200);
  t.run(5min);
  EXPECT_EQ(t.ec2("DescribeSpotInstanceRequests").at("spotInstanceRequestSet/item/status/code"),
            "bad-parameters");
}

TEST(Ec2Network, InterfacesAreNotNamedTwice) {
  NetworkWorld t;
  const auto refused = [&](const char* name, const char* value) {
    const Answer answer = t.launch({{"NetworkInterface.1.DeviceIndex", "0"}, {name, value}});
    EXPECT_EQ(answer.code(), "InvalidParameterCombination") << name;
    return answer.message();
  };
  const auto words = [](const std::string& parameter) {
    return "Network interfaces and an instance-level " + parameter +
           " may not be specified on the same request";
  };
  EXPECT_EQ(refused("SubnetId", "subnet-0123456789abcdef0"), words("subnet ID"));
  EXPECT_EQ(refused("SecurityGroupId.1", "sg-0123456789abcdef0"), words("security groups"));
  EXPECT_EQ(refused("PrivateIpAddress", "172.31.0.10"), words("private IP address"));
}

TEST(Ec2Network, UnknownNamesAreRefusedOnceOneIsCreated) {
  NetworkWorld t;
  EXPECT_EQ(t.launch({{"KeyName", "me"}, {"SecurityGroup.1", "ours"}}).status(), 200);
  EXPECT_EQ(t.ec2("DescribeKeyPairs").all("keySet/item/keyName"), Texts{"me"});
  t.ec2("CreateKeyPair", {{"KeyName", "mine"}, {"KeyType", "ed25519"}});
  t.group("web");
  EXPECT_EQ(t.launch({{"KeyName", "me"}, {"SecurityGroup.1", "ours"}}).status(), 200);
  EXPECT_EQ(t.launch({{"KeyName", "you"}}).code(), "InvalidKeyPair.NotFound");
  EXPECT_EQ(t.launch({{"SecurityGroup.1", "yours"}}).code(), "InvalidGroup.NotFound");
  EXPECT_EQ(t.launch({{"SecurityGroupId.1", "sg-0123456789abcdef0"}}).code(),
            "InvalidGroup.NotFound");
}

TEST(Ec2SecurityGroups, ShowTheirRulesByPorts) {
  NetworkWorld t;
  const std::string id = t.group("web");
  const auto allow = [&](const char* ports, const char* cidr) {
    return t.ec2("AuthorizeSecurityGroupIngress", {{"GroupId", id},
                                                   {"IpPermissions.1.IpProtocol", "tcp"},
                                                   {"IpPermissions.1.FromPort", ports},
                                                   {"IpPermissions.1.ToPort", ports},
                                                   {"IpPermissions.1.IpRanges.1.CidrIp", cidr}});
  };
  EXPECT_EQ(allow("22", "10.0.0.0/8").at("return"), "true");
  EXPECT_EQ(allow("22", "10.0.0.0/8").code(), "InvalidPermission.Duplicate");
  EXPECT_EQ(allow("22", "11.0.0.0/8").status(), 200);
  EXPECT_EQ(allow("80", "0.0.0.0/0").status(), 200);
  EXPECT_EQ(allow("80", "nowhere").code(), "InvalidParameterValue");
  const auto shown = t.ec2("DescribeSecurityGroups", {{"Filter.1.Name", "ip-permission.cidr"},
                                                      {"Filter.1.Value.1", "11.0.0.0/8"}});
  EXPECT_EQ(shown.all("securityGroupInfo/item/groupId"), Texts{id});
  EXPECT_EQ(shown.all("securityGroupInfo/item/ipPermissions/item/fromPort"), (Texts{"22", "80"}));
  EXPECT_EQ(shown.all("securityGroupInfo/item/ipPermissions/item/ipRanges/item/cidrIp"),
            (Texts{"10.0.0.0/8", "11.0.0.0/8", "0.0.0.0/0"}));
  EXPECT_EQ(
      t.ec2("DescribeSecurityGroupRules", {{"Filter.1.Name", "group-id"}, {"Filter.1.Value.1", id}})
          .all("securityGroupRuleSet/item/isEgress"),
      (Texts{"true", "false", "false", "false"}));
  const auto rules = [&](const char* group) {
    return t.ec2("DescribeSecurityGroupRules",
                 {{"Filter.1.Name", "group-id"}, {"Filter.1.Value.1", group}});
  };
  EXPECT_EQ(rules("sg-005216b55886f0fdc").status(), 200);
  EXPECT_EQ(rules("foobar").code(), "InvalidGroupId.Malformed");
  EXPECT_EQ(rules("foobar").message(), "The security group ID 'foobar' is malformed");
  EXPECT_EQ(t.group("web"), "") << "InvalidGroup.Duplicate";
  EXPECT_EQ(t.ec2("DescribeSecurityGroups", {{"GroupName.1", "web"}})
                .at("securityGroupInfo/item/groupId"),
            id);
}

TEST(Ec2SecurityGroups, AreNotFoundByTheNamesOfGroupsInTheirRules) {
  NetworkWorld t;
  const std::string peer = t.group("peer");
  const std::string id = t.group("web");
  t.ec2("AuthorizeSecurityGroupIngress", {{"GroupId", id},
                                          {"IpPermissions.1.IpProtocol", "tcp"},
                                          {"IpPermissions.1.FromPort", "22"},
                                          {"IpPermissions.1.ToPort", "22"},
                                          {"IpPermissions.1.Groups.1.GroupId", peer}});
  const auto found = [&](const char* filter, const std::string& value) {
    return t.ec2("DescribeSecurityGroups", {{"Filter.1.Name", filter}, {"Filter.1.Value.1", value}})
        .all("securityGroupInfo/item/groupId");
  };
  EXPECT_EQ(found("ip-permission.group-id", peer), Texts{id});
  EXPECT_EQ(found("ip-permission.group-name", "peer"), Texts{});
}

TEST(Ec2Addresses, AnElasticOneTakesThePlaceOfTheInstancesOwn) {
  NetworkWorld t;
  const std::string id = t.instance();
  const auto shown = [&] {
    return t.ec2("DescribeInstances").at("reservationSet/item/instancesSet/item/ipAddress");
  };
  const std::string own = shown();
  const auto made = t.ec2("AllocateAddress");
  const auto associated =
      t.ec2("AssociateAddress", {{"AllocationId", made.at("allocationId")}, {"InstanceId", id}});
  EXPECT_EQ(shown(), made.at("publicIp"));
  EXPECT_EQ(t.ec2("DescribeAddresses").at("addressesSet/item/instanceId"), id);
  EXPECT_EQ(t.ec2("ReleaseAddress", {{"AllocationId", made.at("allocationId")}}).code(),
            "InvalidIPAddress.InUse");
  t.ec2("DisassociateAddress", {{"AssociationId", associated.at("associationId")}});
  EXPECT_EQ(shown(), own);
  t.ec2("ReleaseAddress", {{"AllocationId", made.at("allocationId")}});
  EXPECT_EQ(t.ec2("DescribeAddresses", {{"AllocationId.1", made.at("allocationId")}}).code(),
            "InvalidAllocationID.NotFound");
}

TEST(Ec2KeyPairs, AreAFunctionOfTheSeed) {
  NetworkWorld a, b;
  const Fields fields{{"KeyName", "mine"}, {"KeyType", "ed25519"}};
  const auto one = a.ec2("CreateKeyPair", fields), two = b.ec2("CreateKeyPair", fields);
  EXPECT_EQ(one.at("keyMaterial"), two.at("keyMaterial"));
  EXPECT_TRUE(one.at("keyMaterial").starts_with("-----BEGIN OPENSSH PRIVATE KEY-----"));
  EXPECT_EQ(a.ec2("CreateKeyPair", fields).code(), "InvalidKeyPair.Duplicate");
  EXPECT_EQ(a.ec2("ImportKeyPair", {{"KeyName", "x"}, {"PublicKeyMaterial", "eA=="}}).code(),
            "InvalidKey.Format");
  EXPECT_EQ(a.ec2("DescribeKeyPairs", {{"KeyName.1", "yours"}}).code(), "InvalidKeyPair.NotFound");
  EXPECT_EQ(a.ec2("DeleteKeyPair", {{"KeyName", "mine"}}).status(), 200);
  EXPECT_TRUE(a.ec2("DescribeKeyPairs").all("keySet/item").empty());
}

}  // namespace
}  // namespace fakes
