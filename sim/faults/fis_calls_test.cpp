// Experiments of AWS FIS that fail calls.
#include "sim/faults/fis_world_for_test.h"

namespace sim::faults {
namespace {

TEST(FisFaults, ThrottlesTheNamedOperationsUntilItsEnd) {
  FisWorld t;
  const std::string id =
      t.start("aws:fis:inject-api-throttle-error", api_error("DescribeVolumes, DescribeInstances"),
              "Roles", t.role());
  EXPECT_EQ(t.strikes(), 2U);
  EXPECT_EQ(t.of_kind("fault.strike")[0].fields["kind"], "api-error");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(t.code("DescribeVolumes"), "RequestLimitExceeded");
  EXPECT_EQ(t.code("DescribeSnapshots"), "");
  t.pass(10min);
  EXPECT_EQ(t.code("DescribeVolumes"), "");
  EXPECT_EQ(t.state(id)["status"], "completed");
}

TEST(FisFaults, AStoppedExperimentEndsItsFaults) {
  FisWorld t;
  const std::string id = t.start("aws:fis:inject-api-unavailable-error",
                                 api_error("DescribeVolumes"), "Roles", t.role());
  EXPECT_EQ(t.code("DescribeVolumes"), "Unavailable");
  EXPECT_EQ(t.ask("DELETE", "/experiments/" + id).first, 200);
  EXPECT_EQ(t.code("DescribeVolumes"), "");
  EXPECT_EQ(t.state(id)["status"], "stopping");
  t.pass(1s);
  EXPECT_EQ(t.state(id)["status"], "stopped");
}

TEST(FisFaults, APercentageOfTheCallsFails) {
  FisWorld t;
  t.start("aws:fis:inject-api-internal-error", api_error("DescribeVolumes", "30"), "Roles",
          t.role());
  int failed = 0;
  for (int i = 0; i < 400; ++i) failed += t.code("DescribeVolumes") == "InternalError";
  EXPECT_NEAR(failed, 120, 40);
}

TEST(FisFaults, AnInstanceOfAnotherRoleIsNotConcerned) {
  FisWorld t;
  const auto instance = t.spot();
  t.start("aws:fis:inject-api-internal-error", api_error("DescribeVolumes"), "Roles", t.role());
  EXPECT_EQ(t.ec2_of(instance.value, "DescribeVolumes").code(), "");
  EXPECT_EQ(t.code("DescribeVolumes"), "InternalError");
}

// AWS FIS actions reference: errors of "requests made by the target IAM role".
TEST(FisFaults, OnlySessionsOfTheRoleFailIfIamDecides) {
  FisWorld t;
  decide_by_role(t, "fis.amazonaws.com",
                 fakes::authorisation::allow(R"("fis:InjectApiThrottleError")"));
  t.start("aws:fis:inject-api-throttle-error", api_error("DescribeVolumes"), "Roles", t.role());
  const auto fails = [&](const iam::Caller& caller, const char* name) {
    return t.engine->before({.action = "DescribeVolumes", .caller = name, .identity = &caller})
        .error.has_value();
  };
  EXPECT_TRUE(fails(t.backend.iam->caller_of_role("trainer", "s"), "operator"));
  EXPECT_FALSE(fails(t.backend.iam->caller_of_role("fis", "s"), "operator"));
  EXPECT_FALSE(fails(t.backend.iam->caller_of_user("operator"), "operator"));
}

json no_capacity(const char* percentage) {
  return {{"duration", "PT10M"},
          {"availabilityZoneIdentifiers", "us-west-2b"},
          {"percentage", percentage}};
}

fakes::Fields launch_in(const std::string& place, const std::string& where) {
  return {{"ImageId", "ami-0123456789abcdef0"},
          {"InstanceType", "p3.2xlarge"},
          {"MinCount", "1"},
          {"MaxCount", "1"},
          {place, where}};
}

TEST(FisFaults, AZoneHasNoCapacityForTheRolesLaunches) {
  FisWorld t;
  const cloud::InstanceId stopped{t.instance()};
  t.cloud.stop_instances({stopped});
  t.pass(5min);
  const json role = t.role();
  const std::string id = t.start("aws:ec2:api-insufficient-instance-capacity-error",
                                 no_capacity("100"), "Roles", role);
  const auto code = [&](const std::string& place, const std::string& where,
                        const fakes::Fields& more = {}) {
    fakes::Fields fields = launch_in(place, where);
    fields.insert(fields.end(), more.begin(), more.end());
    return t.ec2("RunInstances", fields).code();
  };
  const std::string none = "InsufficientInstanceCapacity";
  const auto* const subnet = t.cloud.network().subnets.default_of("us-west-2b");
  EXPECT_EQ(code("Placement.AvailabilityZone", "us-west-2b"), none);
  EXPECT_EQ(code("SubnetId", subnet->id), none);
  EXPECT_EQ(code("Placement.AvailabilityZone", "us-west-2b",
                 {{"InstanceMarketOptions.MarketType", "spot"}}),
            none);
  EXPECT_EQ(code("Placement.AvailabilityZone", "us-west-2a"), "");
  const auto start = [&] {
    return t.ec2("StartInstances", {{"InstanceId.1", stopped.value}}).code();
  };
  EXPECT_EQ(start(), none);
  t.ask("DELETE", "/experiments/" + id);
  EXPECT_EQ(code("Placement.AvailabilityZone", "us-west-2b"), "");
  EXPECT_EQ(start(), "");
}

TEST(FisFaults, AnInterfaceOrAClusterHasTheZoneOfALaunch) {
  FisWorld t;
  const std::string none = "InsufficientInstanceCapacity";
  const auto interface_in = [&](const char* zone) {
    return t
        .ec2("CreateNetworkInterface",
             {{"SubnetId", t.cloud.network().subnets.default_of(zone)->id}})
        .at("networkInterface/networkInterfaceId");
  };
  const std::string group =
      t.ec2("CreatePlacementGroup", {{"GroupName", "near"}, {"Strategy", "cluster"}})
          .at("placementGroup/groupId");
  auto first = launch_in("Placement.AvailabilityZone", "us-west-2b");
  first.emplace_back("Placement.GroupName", "near");
  ASSERT_EQ(t.ec2("RunInstances", first).code(), "");
  t.start("aws:ec2:api-insufficient-instance-capacity-error", no_capacity("100"), "Roles",
          t.role());
  const auto code = [&](const std::string& place, const std::string& where) {
    auto fields = launch_in(place, where);
    if (place.starts_with("NetworkInterface"))
      fields.emplace_back("NetworkInterface.1.DeviceIndex", "0");
    return t.ec2("RunInstances", fields).code();
  };
  const std::string interface = "NetworkInterface.1.NetworkInterfaceId";
  EXPECT_EQ(code(interface, interface_in("us-west-2b")), none);
  EXPECT_EQ(code(interface, interface_in("us-west-2a")), "");
  EXPECT_EQ(code("Placement.GroupName", "near"), none);
  EXPECT_EQ(code("Placement.GroupId", group), none);
}

// Launch templates, and fleets of them.
struct FisFleets : testing::Test {
  void make_template(const std::string& name, const fakes::Fields& more = {}) {
    fakes::Fields fields{{"LaunchTemplateName", name},
                         {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                         {"LaunchTemplateData.InstanceType", "p3.2xlarge"}};
    fields.insert(fields.end(), more.begin(), more.end());
    EXPECT_EQ(t.ec2("CreateLaunchTemplate", fields).code(), "");
  }
  void end_capacity() {
    t.start("aws:ec2:api-insufficient-instance-capacity-error", no_capacity("100"), "Roles",
            t.role());
  }
  // Overrides with `key`: a zone or subnets each.
  std::string code(const std::string& name, const std::string& key = "",
                   const std::vector<std::string>& places = {}) {
    const std::string config = "LaunchTemplateConfigs.1.";
    const std::string target = "TargetCapacitySpecification.";
    fakes::Fields fields{{"Type", "instant"},
                         {config + "LaunchTemplateSpecification.LaunchTemplateName", name},
                         {config + "LaunchTemplateSpecification.Version", "1"},
                         {target + "TotalTargetCapacity", "1"},
                         {target + "DefaultTargetCapacityType", "spot"}};
    for (std::size_t i = 0; i < places.size(); ++i)
      fields.emplace_back(config + "Overrides." + std::to_string(i + 1) + "." + key, places[i]);
    return t.ec2("CreateFleet", fields).code();
  }
  std::string subnet(const char* zone) { return t.cloud.network().subnets.default_of(zone)->id; }

  FisWorld t;
  const std::string none = "InsufficientInstanceCapacity";
};

TEST_F(FisFleets, AFleetFailsIfAllItsZonesHaveNoCapacity) {
  make_template("one");
  end_capacity();
  EXPECT_EQ(code("one", "AvailabilityZone", {"us-west-2b"}), none);
  EXPECT_EQ(code("one", "AvailabilityZone", {"us-west-2a", "us-west-2b"}), "");
  auto by_template = launch_in("LaunchTemplate.LaunchTemplateName", "one");
  by_template.emplace_back("Placement.AvailabilityZone", "us-west-2b");
  EXPECT_EQ(t.ec2("RunInstances", by_template).code(), none);
}

TEST_F(FisFleets, AnOverrideMayListSubnets) {
  make_template("one");
  end_capacity();
  EXPECT_EQ(code("one", "SubnetId", {subnet("us-west-2b")}), none);
  EXPECT_EQ(code("one", "SubnetId", {subnet("us-west-2b") + ", " + subnet("us-west-2a")}), "");
  EXPECT_EQ(code("one", "SubnetId", {subnet("us-west-2b") + ", " + subnet("us-west-2b")}), none);
}

TEST_F(FisFleets, AFleetHasTheZoneOfItsTemplate) {
  make_template("zone", {{"LaunchTemplateData.Placement.AvailabilityZone", "us-west-2b"}});
  make_template("subnet",
                {{"LaunchTemplateData.NetworkInterface.1.DeviceIndex", "0"},
                 {"LaunchTemplateData.NetworkInterface.1.SubnetId", subnet("us-west-2b")}});
  end_capacity();
  for (const char* name : {"zone", "subnet"}) {
    EXPECT_EQ(code(name), none) << name;
    EXPECT_EQ(code(name, "InstanceType", {"p3.2xlarge"}), none) << name;
    EXPECT_EQ(code(name, "AvailabilityZone", {"us-west-2a"}), "") << name;
  }
}

TEST(FisFaults, APercentageOfTheLaunchesFails) {
  FisWorld t;
  t.start("aws:ec2:api-insufficient-instance-capacity-error", no_capacity("30"), "Roles", t.role());
  auto fields = launch_in("Placement.AvailabilityZone", "us-west-2b");
  fields.emplace_back("DryRun", "true");
  int failed = 0;
  for (int i = 0; i < 400; ++i)
    failed += t.ec2("RunInstances", fields).code() == "InsufficientInstanceCapacity";
  EXPECT_NEAR(failed, 120, 40);
}

TEST(FisFaults, RefusesInvalidParametersByName) {
  FisWorld t;
  const json role = t.role();
  const auto refusal = [&](const char* name, const json& value) {
    json parameters = api_error("DescribeVolumes");
    parameters[name] = value;
    return t.plan("aws:fis:inject-api-internal-error", parameters, "Roles", role);
  };
  for (const auto& [name, value] :
       {std::pair("duration", "PT30S"), std::pair("duration", "10m"), std::pair("service", "s3"),
        std::pair("percentage", "0"), std::pair("percentage", "a"),
        std::pair("operations", "DescribeAll"), std::pair("operations", "DescribeVolumes,,"),
        std::pair("other", "a")})
    EXPECT_NE(refusal(name, value).find(name), std::string::npos) << name << "=" << value;
}

}  // namespace
}  // namespace sim::faults
