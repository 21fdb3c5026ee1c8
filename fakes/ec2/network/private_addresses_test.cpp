// Private addresses of interfaces, and launches that name an interface or addresses.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Texts = std::vector<std::string>;

struct AddressBackend : TestBackend {
  AddressBackend()
      : subnet(ec2("DescribeSubnets",
                   {{"Filter.1.Name", "availability-zone"}, {"Filter.1.Value.1", "us-west-2a"}})
                   .at("subnetSet/item/subnetId")) {}
  std::string interface(const Fields& more = {}) {
    Fields fields{{"SubnetId", subnet}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("CreateNetworkInterface", fields).at("networkInterface/networkInterfaceId");
  }
  Texts addresses(const std::string& interface) {
    return ec2("DescribeNetworkInterfaces", {{"NetworkInterfaceId.1", interface}})
        .all("networkInterfaceSet/item/privateIpAddressesSet/item/privateIpAddress");
  }
  Answer assign(const std::string& interface, const Fields& more) {
    Fields fields{{"NetworkInterfaceId", interface}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("AssignPrivateIpAddresses", fields);
  }
  std::string unassign(const std::string& interface, const std::string& address) {
    return ec2("UnassignPrivateIpAddresses",
               {{"NetworkInterfaceId", interface}, {"PrivateIpAddress.1", address}})
        .code();
  }
  Answer launch(const Fields& more, const char* most = "1") {
    Fields fields{
        {"ImageId", "ami-1"}, {"InstanceType", "m4.xlarge"}, {"MinCount", "1"}, {"MaxCount", most}};
    fields.insert(fields.end(), more.begin(), more.end());
    return ec2("RunInstances", fields);
  }
  std::string state(const std::string& interface) {
    return ec2("DescribeNetworkInterfaces", {{"NetworkInterfaceId.1", interface}})
        .at("networkInterfaceSet/item/status");
  }

  std::string subnet;
};

constexpr const char* kInterface = "instancesSet/item/networkInterfaceSet/item/";

TEST(Ec2PrivateAddresses, AreAssignedByNameOrNumber) {
  AddressBackend t;
  const std::string interface = t.interface({{"PrivateIpAddress", "172.31.3.1"}});
  EXPECT_EQ(t.assign(interface, {{"PrivateIpAddress.1", "172.31.3.2"}})
                .at("assignedPrivateIpAddressesSet/item/privateIpAddress"),
            "172.31.3.2");
  EXPECT_EQ(t.assign(interface, {{"SecondaryPrivateIpAddressCount", "2"}})
                .all("assignedPrivateIpAddressesSet/item/privateIpAddress")
                .size(),
            2U);
  EXPECT_EQ(t.addresses(interface).size(), 4U);
  EXPECT_EQ(t.assign(interface, {}).code(), "InvalidParameterCombination");
  EXPECT_EQ(t.assign(interface, {{"PrivateIpAddress.1", "172.31.3.1"}}).code(),
            "InvalidIPAddress.InUse");
  EXPECT_EQ(t.assign(interface, {{"PrivateIpAddress.1", "10.0.0.1"}}).code(),
            "InvalidParameterValue");
}

TEST(Ec2PrivateAddresses, AreUnassignedExceptForThePrimaryOne) {
  AddressBackend t;
  const std::string interface = t.interface({{"PrivateIpAddress", "172.31.3.1"}});
  t.assign(interface, {{"PrivateIpAddress.1", "172.31.3.2"}});
  EXPECT_EQ(t.unassign(interface, "172.31.3.1"), "InvalidParameterValue");
  EXPECT_EQ(t.unassign(interface, "172.31.3.2"), "");
  EXPECT_EQ(t.unassign(interface, "172.31.3.2"), "InvalidParameterValue");
  EXPECT_EQ(t.addresses(interface), Texts{"172.31.3.1"});
  EXPECT_EQ(t.interface({{"PrivateIpAddress", "172.31.3.2"}}).substr(0, 4), "eni-") << "it is free";
}

TEST(Ec2PrivateAddresses, MoveBetweenInterfacesOnlyOnRequest) {
  AddressBackend t;
  const std::string from = t.interface({{"PrivateIpAddress", "172.31.3.1"}}),
                    to = t.interface({{"PrivateIpAddress", "172.31.3.9"}});
  t.assign(from, {{"PrivateIpAddress.1", "172.31.3.2"}});
  EXPECT_EQ(t.assign(to, {{"PrivateIpAddress.1", "172.31.3.2"}}).code(), "InvalidIPAddress.InUse");
  EXPECT_EQ(
      t.assign(to, {{"PrivateIpAddress.1", "172.31.3.2"}, {"AllowReassignment", "true"}}).status(),
      200);
  EXPECT_EQ(t.addresses(from), Texts{"172.31.3.1"});
  EXPECT_EQ(t.addresses(to), (Texts{"172.31.3.9", "172.31.3.2"}));
}

TEST(Ec2PrivateAddresses, MoveAllOrNone) {
  AddressBackend t;
  const std::string from = t.interface({{"PrivateIpAddress", "172.31.3.1"}}),
                    to = t.interface({{"PrivateIpAddress", "172.31.3.9"}});
  t.assign(from, {{"PrivateIpAddress.1", "172.31.3.2"}});
  const auto move_with = [&](const char* other) {
    return t.assign(to, {{"PrivateIpAddress.1", "172.31.3.2"},
                         {"PrivateIpAddress.2", other},
                         {"AllowReassignment", "true"}});
  };
  EXPECT_EQ(move_with("10.0.0.1").code(), "InvalidParameterValue") << "of no subnet";
  EXPECT_EQ(move_with("172.31.3.1").code(), "InvalidIPAddress.InUse") << "a primary one";
  EXPECT_EQ(move_with("172.31.3.2").code(), "InvalidParameterValue") << "twice";
  EXPECT_EQ(t.addresses(from), (Texts{"172.31.3.1", "172.31.3.2"}));
  EXPECT_EQ(move_with("172.31.3.3").status(), 200);
  EXPECT_EQ(t.addresses(to), (Texts{"172.31.3.9", "172.31.3.2", "172.31.3.3"}));
}

TEST(Ec2PrivateAddresses, AreLimitedByTheTypeOfTheInstance) {
  AddressBackend t;
  const auto launched = t.launch({{"NetworkInterface.1.DeviceIndex", "0"},
                                  {"NetworkInterface.1.SecondaryPrivateIpAddressCount", "14"}});
  const std::string interface = launched.at(std::string(kInterface) + "networkInterfaceId");
  EXPECT_EQ(t.addresses(interface).size(), 15U) << "the most of m4.xlarge";
  EXPECT_EQ(t.assign(interface, {{"SecondaryPrivateIpAddressCount", "1"}}).code(),
            "PrivateIpAddressLimitExceeded");
  EXPECT_EQ(t.launch({{"NetworkInterface.1.DeviceIndex", "0"},
                      {"NetworkInterface.1.SecondaryPrivateIpAddressCount", "15"}})
                .code(),
            "PrivateIpAddressLimitExceeded");
}

TEST(Ec2Launches, NameTheirPrivateAddresses) {
  AddressBackend t;
  EXPECT_EQ(t.launch({{"PrivateIpAddress", "172.31.3.7"}}).at("instancesSet/item/privateIpAddress"),
            "172.31.3.7");
  const Fields several{{"NetworkInterface.1.DeviceIndex", "0"},
                       {"NetworkInterface.1.SubnetId", t.subnet},
                       {"NetworkInterface.1.PrivateIpAddresses.1.PrivateIpAddress", "172.31.4.1"},
                       {"NetworkInterface.1.PrivateIpAddresses.1.Primary", "true"},
                       {"NetworkInterface.1.PrivateIpAddresses.2.PrivateIpAddress", "172.31.4.2"}};
  const auto launched = t.launch(several);
  EXPECT_EQ(launched.at("instancesSet/item/privateIpAddress"), "172.31.4.1");
  EXPECT_EQ(launched.all(std::string(kInterface) + "privateIpAddressesSet/item/privateIpAddress"),
            (Texts{"172.31.4.1", "172.31.4.2"}));
  EXPECT_EQ(t.launch(several).code(), "InvalidIPAddress.InUse");
  t.run(2min);
  t.ec2("TerminateInstances", {{"InstanceId.1", launched.at("instancesSet/item/instanceId")}});
  t.run(5min);
  EXPECT_EQ(t.launch(several).status(), 200) << "the addresses are free again";
}

TEST(Ec2Launches, UseAnExistingInterfaceThatOutlivesThem) {
  AddressBackend t;
  const std::string interface = t.interface({{"PrivateIpAddress", "172.31.3.1"}});
  const Fields with{{"NetworkInterface.1.DeviceIndex", "0"},
                    {"NetworkInterface.1.NetworkInterfaceId", interface}};
  EXPECT_EQ(t.launch(with, "2").code(), "InvalidParameterCombination");
  Fields and_subnet = with;
  and_subnet.push_back({"NetworkInterface.1.SubnetId", t.subnet});
  EXPECT_EQ(t.launch(and_subnet).code(), "InvalidParameterCombination");
  const auto launched = t.launch(with);
  const std::string id = launched.at("instancesSet/item/instanceId");
  EXPECT_EQ(launched.at("instancesSet/item/privateIpAddress"), "172.31.3.1");
  EXPECT_EQ(launched.at("instancesSet/item/placement/availabilityZone"), "us-west-2a");
  EXPECT_EQ(launched.at(std::string(kInterface) + "networkInterfaceId"), interface);
  EXPECT_EQ(launched.at(std::string(kInterface) + "attachment/deleteOnTermination"), "false");
  EXPECT_EQ(launched.at("instancesSet/item/ipAddress"), "") << "no public address";
  EXPECT_EQ(t.state(interface), "in-use");
  EXPECT_EQ(t.launch(with).code(), "InvalidNetworkInterface.InUse");
  t.run(2min);
  t.ec2("StopInstances", {{"InstanceId.1", id}});
  t.run(5min);
  t.ec2("StartInstances", {{"InstanceId.1", id}});
  t.run(5min);
  const auto started = t.ec2("DescribeInstances", {{"InstanceId.1", id}});
  EXPECT_EQ(started.at("reservationSet/item/instancesSet/item/privateIpAddress"), "172.31.3.1");
  EXPECT_EQ(started.at("reservationSet/item/instancesSet/item/ipAddress"), "");
  t.ec2("TerminateInstances", {{"InstanceId.1", id}});
  t.run(5min);
  EXPECT_EQ(t.state(interface), "available");
  EXPECT_EQ(t.launch(with).at("instancesSet/item/privateIpAddress"), "172.31.3.1");
}

TEST(Ec2Launches, UseAnExistingInterfaceForSpotInstances) {
  AddressBackend t;
  const std::string interface = t.interface();
  const Fields asked{{"LaunchSpecification.ImageId", "ami-1"},
                     {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                     {"LaunchSpecification.NetworkInterface.1.DeviceIndex", "0"},
                     {"LaunchSpecification.NetworkInterface.1.NetworkInterfaceId", interface}};
  EXPECT_EQ(t.ec2("RequestSpotInstances", asked).status(), 200);
  EXPECT_EQ(t.ec2("RequestSpotInstances", asked).status(), 200);
  t.run(2min);
  EXPECT_EQ(t.state(interface), "in-use");
  EXPECT_EQ(t.ec2("DescribeSpotInstanceRequests", {})
                .all("spotInstanceRequestSet/item[state='open']/status/code"),
            Texts{"capacity-not-available"});
  EXPECT_EQ(t.ec2("RequestSpotFleet",
                  {{"SpotFleetRequestConfig.TargetCapacity", "1"},
                   {"SpotFleetRequestConfig.IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
                   {"SpotFleetRequestConfig.LaunchSpecifications.1.ImageId", "ami-1"},
                   {"SpotFleetRequestConfig.LaunchSpecifications.1.InstanceType", "p3.2xlarge"},
                   {"SpotFleetRequestConfig.LaunchSpecifications.1.NetworkInterfaceSet.1."
                    "NetworkInterfaceId",
                    t.interface()}})
                .code(),
            "InvalidParameterCombination");
}

}  // namespace
}  // namespace fakes
