// Network interfaces that an account creates and attaches, beside the primary ones of instances.
#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

struct InterfaceWorld : TestBackend {
  InterfaceWorld() {
    for (const char* zone : {"us-west-2a", "us-west-2b"})
      subnet[zone] = ec2("DescribeSubnets",
                         {{"Filter.1.Name", "availability-zone"}, {"Filter.1.Value.1", zone}})
                         .at("subnetSet/item/subnetId");
  }
  Answer create(const Fields& more = {}, const char* zone = "us-west-2a") {
    Fields fields{{"SubnetId", subnet[zone]}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("CreateNetworkInterface", fields);
  }
  std::string created(const Fields& more = {}) {
    return create(more).at("networkInterface/networkInterfaceId");
  }
  std::string running() {
    const std::string id = ec2("RunInstances", {{"ImageId", "ami-1"},
                                                {"InstanceType", "m4.xlarge"},
                                                {"Placement.AvailabilityZone", "us-west-2a"},
                                                {"MinCount", "1"},
                                                {"MaxCount", "1"}})
                               .at("instancesSet/item/instanceId");
    run(2min);
    return id;
  }
  Answer attach(const std::string& interface, const std::string& instance,
                const char* index = "1") {
    return ec2(
        "AttachNetworkInterface",
        {{"NetworkInterfaceId", interface}, {"InstanceId", instance}, {"DeviceIndex", index}});
  }
  std::string shown(const std::string& interface, const std::string& path) {
    return ec2("DescribeNetworkInterfaces", {{"NetworkInterfaceId.1", interface}})
        .at("networkInterfaceSet/item/" + path);
  }
  std::string modify(const std::string& interface, Fields fields) {
    fields.push_back({"NetworkInterfaceId", interface});
    return ec2("ModifyNetworkInterfaceAttribute", fields).code();
  }

  std::map<std::string, std::string> subnet;
};

TEST(Ec2Interfaces, AreCreatedWithTheirAddressesAndTags) {
  InterfaceWorld t;
  const auto made = t.create({{"Description", "spare"},
                              {"PrivateIpAddress", "172.31.9.9"},
                              {"SecondaryPrivateIpAddressCount", "2"},
                              {"TagSpecification.1.ResourceType", "network-interface"},
                              {"TagSpecification.1.Tag.1.Key", "Name"},
                              {"TagSpecification.1.Tag.1.Value", "a"}});
  const std::string at = "networkInterface/";
  EXPECT_EQ(made.at(at + "status"), "available");
  EXPECT_EQ(made.at(at + "description"), "spare");
  EXPECT_EQ(made.at(at + "privateIpAddress"), "172.31.9.9");
  EXPECT_EQ(made.at(at + "availabilityZone"), "us-west-2a");
  EXPECT_EQ(made.at(at + "groupSet/item/groupName"), "default");
  EXPECT_EQ(made.at(at + "tagSet/item/key"), "Name");
  EXPECT_EQ(made.all(at + "privateIpAddressesSet/item/primary"), (Texts{"true", "false", "false"}));
  EXPECT_EQ(made.all(at + "attachment").size(), 0U);
  EXPECT_EQ(t.create({{"PrivateIpAddress", "172.31.9.9"}}).code(), "InvalidIPAddress.InUse");
  EXPECT_EQ(t.ec2("CreateNetworkInterface", {{"SubnetId", "subnet-1"}}).code(),
            "InvalidSubnetID.NotFound");
  EXPECT_EQ(
      t.ec2("DeleteNetworkInterface", {{"NetworkInterfaceId", made.at(at + "networkInterfaceId")}})
          .status(),
      200);
  EXPECT_EQ(t.create({{"PrivateIpAddress", "172.31.9.9"}}).status(), 200);
}

TEST(Ec2Interfaces, AttachToInstancesOfTheirZone) {
  InterfaceWorld t;
  const std::string instance = t.running(), other = t.running(), interface = t.created();
  EXPECT_EQ(t.attach("eni-1", instance).code(), "InvalidNetworkInterfaceID.NotFound");
  EXPECT_EQ(t.attach(interface, instance, "0").code(), "InvalidParameterValue");
  const std::string attachment = t.attach(interface, instance).at("attachmentId");
  EXPECT_TRUE(attachment.starts_with("eni-attach-"));
  EXPECT_EQ(t.attach(interface, other).code(), "InvalidNetworkInterface.InUse");
  EXPECT_EQ(t.ec2("DeleteNetworkInterface", {{"NetworkInterfaceId", interface}}).code(),
            "InvalidNetworkInterface.InUse");
  const auto described = t.ec2("DescribeInstances", {{"InstanceId.1", instance}});
  const std::string set = "reservationSet/item/instancesSet/item/networkInterfaceSet/item/";
  EXPECT_EQ(described.all(set + "attachment/deviceIndex"), (Texts{"0", "1"}));
  EXPECT_EQ(described.all(set + "networkInterfaceId").at(1), interface);
  EXPECT_EQ(described.all(set + "attachment/deleteOnTermination"), (Texts{"true", "false"}));
  EXPECT_EQ(t.shown(interface, "attachment/attachmentId"), attachment);
  const std::string abroad = t.create({}, "us-west-2b").at("networkInterface/networkInterfaceId");
  EXPECT_EQ(t.attach(abroad, instance, "2").code(), "InvalidParameterCombination");

  EXPECT_EQ(t.ec2("DetachNetworkInterface", {{"AttachmentId", "eni-attach-1"}}).code(),
            "InvalidAttachmentID.NotFound");
  EXPECT_EQ(t.ec2("DetachNetworkInterface",
                  {{"AttachmentId", described.all(set + "attachment/attachmentId").at(0)}})
                .code(),
            "OperationNotPermitted");
  EXPECT_EQ(t.ec2("DetachNetworkInterface", {{"AttachmentId", attachment}}).status(), 200);
  EXPECT_EQ(t.shown(interface, "status"), "available");
  EXPECT_NE(t.attach(interface, other).at("attachmentId"), attachment);
}

TEST(Ec2Interfaces, OutliveTheirInstanceUnlessTheirAttachmentSaysOtherwise) {
  InterfaceWorld t;
  const std::string instance = t.running(), stays = t.created(), goes = t.created();
  t.attach(stays, instance, "1");
  const std::string attachment = t.attach(goes, instance, "2").at("attachmentId");
  EXPECT_EQ(t.modify(goes, {{"Attachment.AttachmentId", "eni-attach-1"},
                            {"Attachment.DeleteOnTermination", "true"}}),
            "InvalidAttachmentID.NotFound");
  EXPECT_EQ(t.modify(goes, {{"Attachment.AttachmentId", attachment},
                            {"Attachment.DeleteOnTermination", "true"}}),
            "");
  t.ec2("TerminateInstances", {{"InstanceId.1", instance}});
  t.run(5min);
  EXPECT_EQ(t.ec2("DescribeNetworkInterfaces").all("networkInterfaceSet/item/networkInterfaceId"),
            Texts{stays});
  EXPECT_EQ(t.shown(stays, "status"), "available");
}

TEST(Ec2Interfaces, AreModifiedOneAttributeAtATime) {
  InterfaceWorld t;
  const std::string interface = t.created();
  const std::string group =
      t.ec2("CreateSecurityGroup", {{"GroupName", "web"}, {"GroupDescription", "d"}}).at("groupId");
  EXPECT_EQ(t.modify(interface, {}), "InvalidParameterCombination");
  EXPECT_EQ(t.modify(interface, {{"Description.Value", "a"}, {"SourceDestCheck.Value", "false"}}),
            "InvalidParameterCombination");
  EXPECT_EQ(t.modify(interface, {{"Description.Value", "new"}}), "");
  EXPECT_EQ(t.modify(interface, {{"SourceDestCheck.Value", "false"}}), "");
  EXPECT_EQ(t.modify(interface, {{"SecurityGroupId.1", "sg-0123456789abcdef0"}}),
            "InvalidGroup.NotFound");
  EXPECT_EQ(t.modify(interface, {{"SecurityGroupId.1", group}}), "");
  EXPECT_EQ(t.shown(interface, "description"), "new");
  EXPECT_EQ(t.shown(interface, "sourceDestCheck"), "false");
  EXPECT_EQ(t.shown(interface, "groupSet/item/groupId"), group);
  EXPECT_EQ(t.ec2("DeleteSecurityGroup", {{"GroupId", group}}).code(), "DependencyViolation");

  const std::string instance = t.running();
  const std::string primary = "eni-" + instance.substr(2);
  EXPECT_EQ(t.modify(primary, {{"SecurityGroupId.1", group}}), "");
  EXPECT_EQ(t.ec2("DescribeInstances", {{"InstanceId.1", instance}})
                .at("reservationSet/item/instancesSet/item/groupSet/item/groupId"),
            group);
}

TEST(Ec2Interfaces, AreDescribedOneAttributeAtATime) {
  InterfaceWorld t;
  const auto id = t.created({{"Description", "spare"}});
  t.attach(id, t.running());
  const auto described = [&](const char* attribute) {
    return t.ec2("DescribeNetworkInterfaceAttribute",
                 {{"NetworkInterfaceId", id}, {"Attribute", attribute}});
  };
  EXPECT_EQ(described("description").at("description/value"), "spare");
  EXPECT_EQ(described("description").at("groupSet/item/groupId"), "");
  EXPECT_EQ(described("groupSet").at("groupSet/item/groupName"), "default");
  EXPECT_EQ(described("sourceDestCheck").at("sourceDestCheck/value"), "true");
  EXPECT_EQ(described("attachment").at("attachment/deviceIndex"), "1");
  EXPECT_EQ(described("attachment").at("networkInterfaceId"), id);
  EXPECT_EQ(described("attach").message(),
            "Value (attach) for parameter attribute is invalid. Unknown attribute.");
}

TEST(Ec2Interfaces, AreFilteredAndListedInPages) {
  InterfaceWorld t;
  const std::string instance = t.running(), attached = t.created(), available = t.created();
  t.attach(attached, instance);
  const auto found = [&](const char* name, const std::string& value) {
    return t
        .ec2("DescribeNetworkInterfaces", {{"Filter.1.Name", name}, {"Filter.1.Value.1", value}})
        .all("networkInterfaceSet/item/networkInterfaceId");
  };
  EXPECT_EQ(found("status", "available"), Texts{available});
  EXPECT_EQ(found("attachment.device-index", "1"), Texts{attached});
  EXPECT_EQ(found("attachment.instance-id", instance).size(), 2U);
  EXPECT_EQ(found("availability-zone", "us-west-2b"), Texts{});
  for (int i = 0; i < 4; ++i) t.create();
  const auto first = t.ec2("DescribeNetworkInterfaces", {{"MaxResults", "5"}});
  EXPECT_EQ(first.all("networkInterfaceSet/item/networkInterfaceId").size(), 5U);
  EXPECT_EQ(t.ec2("DescribeNetworkInterfaces",
                  {{"MaxResults", "5"}, {"NextToken", first.at("nextToken")}})
                .all("networkInterfaceSet/item/networkInterfaceId")
                .size(),
            2U);
}

TEST(Ec2Interfaces, AreAsManyAsTheInstanceTypePermits) {
  InterfaceWorld t;
  const std::string instance = t.running();
  for (const char* index : {"1", "2", "3"})
    EXPECT_EQ(t.attach(t.created(), instance, index).code(), "");
  const Answer refused = t.attach(t.created(), instance, "4");
  EXPECT_EQ(refused.code(), "AttachmentLimitExceeded");
  EXPECT_EQ(refused.message(), "Interface count 5 exceeds the limit for m4.xlarge");
  const Answer shown = t.ec2("DescribeInstanceTypes", {{"InstanceType.1", "m4.xlarge"}});
  const std::string network = "instanceTypeSet/item/networkInfo/";
  EXPECT_EQ(shown.at(network + "maximumNetworkInterfaces"), "4");
  EXPECT_EQ(shown.at(network + "ipv4AddressesPerInterface"), "15");
  const std::string crowded = t.created({{"SecondaryPrivateIpAddressCount", "15"}});
  EXPECT_EQ(t.attach(crowded, t.running()).code(), "PrivateIpAddressLimitExceeded");
}

TEST(Ec2Interfaces, MayHaveAnElasticAddress) {
  InterfaceWorld t;
  const std::string interface = t.created();
  const auto address = t.ec2("AllocateAddress", {{"Domain", "vpc"}});
  t.ec2("AssociateAddress",
        {{"AllocationId", address.at("allocationId")}, {"NetworkInterfaceId", interface}});
  EXPECT_EQ(t.shown(interface, "association/publicIp"), address.at("publicIp"));
  EXPECT_EQ(t.ec2("DescribeAddresses").all("addressesSet/item/networkInterfaceId"),
            Texts{interface});
  t.ec2("DeleteNetworkInterface", {{"NetworkInterfaceId", interface}});
  EXPECT_EQ(t.ec2("DescribeAddresses").at("addressesSet/item/publicIp"), address.at("publicIp"));
  EXPECT_EQ(t.ec2("DescribeAddresses").at("addressesSet/item/associationId"), "");
  EXPECT_EQ(t.ec2("ReleaseAddress", {{"AllocationId", address.at("allocationId")}}).at("return"),
            "true");
}

}  // namespace
}  // namespace fakes
