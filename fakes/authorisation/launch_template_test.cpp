// Launch templates and instant fleets, in an account whose IAM decides.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

// Launches only as the template says (EC2 User Guide, "Example policies to control access to Amazon
// EC2", launch templates).
constexpr const char* kOnlyAsTheTemplateSays =
    R"({"Effect":"Allow","Action":"ec2:RunInstances","Resource":"*","Condition":{)"
    R"("ArnLike":{"ec2:LaunchTemplate":"arn:aws:ec2:us-west-2:123456789012:launch-template/*"},)"
    R"("Bool":{"ec2:IsLaunchTemplateResource":"true"}}})";
const std::string kTemplate = "LaunchTemplateConfigs.1.LaunchTemplateSpecification.";
const std::string kTargets = "TargetCapacitySpecification.";
const std::string kOverride = "LaunchTemplateConfigs.1.Overrides.";

struct LaunchTemplates : testing::Test {
  LaunchTemplates() {
    t.call(kAdministrator, "ec2", "CreateLaunchTemplate",
           {{"LaunchTemplateName", "big"},
            {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
            {"LaunchTemplateData.InstanceType", "p3.2xlarge"},
            {"LaunchTemplateData.UserData", "YQ=="},
            {"LaunchTemplateData.BlockDeviceMapping.1.DeviceName", "/dev/sda1"},
            {"LaunchTemplateData.BlockDeviceMapping.1.Ebs.VolumeSize", "20"}});
  }
  std::string launch_code(const Keys& keys, const Fields& more, bool with_template = true) const {
    Fields fields{
        {"MinCount", "1"}, {"MaxCount", "1"}, {"Placement.AvailabilityZone", "us-west-2b"}};
    if (with_template) fields.emplace_back("LaunchTemplate.LaunchTemplateName", "big");
    fields.insert(fields.end(), more.begin(), more.end());
    return t.code(keys, "ec2", "RunInstances", fields);
  }
  Answer create_fleet(const Keys& keys, const std::string& type, const Fields& more = {}) const {
    Fields fields{{"Type", type},
                  {kTemplate + "LaunchTemplateName", "big"},
                  {kTemplate + "Version", "1"},
                  {kOverride + "1.AvailabilityZone", "us-west-2b"},
                  {kTargets + "TotalTargetCapacity", "1"},
                  {kTargets + "DefaultTargetCapacityType", "spot"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return t.call(keys, "ec2", "CreateFleet", fields);
  }
  TestIam t;
};

TEST_F(LaunchTemplates, APolicyCanForbidToOverrideThem) {
  const Keys ann = t.user("ann", kOnlyAsTheTemplateSays);
  EXPECT_EQ(launch_code(ann, {}), "");
  for (const auto& [name, value] : Fields{{"InstanceType", "m4.xlarge"},
                                          {"ImageId", "ami-00000000000000001"},
                                          {"UserData", "Yg=="},
                                          {"SubnetId", "subnet-1"},
                                          {"SecurityGroupId.1", "sg-1"},
                                          {"KeyName", "mine"},
                                          {"BlockDeviceMapping.1.DeviceName", "/dev/sdf"}})
    EXPECT_EQ(launch_code(ann, {{name, value}}), "UnauthorizedOperation") << name;
  EXPECT_EQ(launch_code(ann, {{"ImageId", "ami-0123456789abcdef0"}, {"InstanceType", "m4.xlarge"}},
                        false),
            "UnauthorizedOperation")
      << "no template";
}

TEST_F(LaunchTemplates, APolicyCanPermitToOverrideOneResource) {
  const Keys ann =
      t.user("ann", std::string(kOnlyAsTheTemplateSays) + "," +
                        allow(R"("ec2:RunInstances")", "arn:aws:ec2:us-west-2:*:instance/*"));
  EXPECT_EQ(launch_code(ann, {{"InstanceType", "m4.xlarge"}}), "");
  EXPECT_EQ(launch_code(ann, {{"KeyName", "mine"}}), "UnauthorizedOperation");
}

TEST_F(LaunchTemplates, AnInstantFleetLaunchesAsItsCaller) {
  const Answer refused = create_fleet(t.user("ann", allow(R"("ec2:CreateFleet")")), "instant");
  EXPECT_EQ(refused.status(), 200) << "the fleet exists";
  EXPECT_EQ(refused.at("errorSet/item/errorCode"), "UnauthorizedOperation");
  EXPECT_EQ(refused.at("errorSet/item/lifecycle"), "spot");
  EXPECT_EQ(t.denied(), "ec2:RunInstances implicit\n");
  EXPECT_TRUE(t.cloud.instances().empty());
  const Keys bob = t.user("bob", allow(R"(["ec2:CreateFleet","ec2:RunInstances"])"));
  EXPECT_EQ(create_fleet(bob, "instant").all("fleetInstanceSet/item/instanceIds/item").size(), 1U);
}

TEST_F(LaunchTemplates, AnInstantFleetLaunchesWhatItsCallerMay) {
  const Keys ann = t.user("ann", allow(R"("ec2:CreateFleet")") + "," + kOnlyAsTheTemplateSays);
  const Answer made = create_fleet(ann, "instant",
                                   {{kOverride + "2.AvailabilityZone", "us-west-2b"},
                                    {kOverride + "2.InstanceType", "m4.xlarge"}});
  EXPECT_EQ(made.at("fleetInstanceSet/item/instanceType"), "p3.2xlarge");
  EXPECT_EQ(made.at("errorSet/item/errorCode"), "UnauthorizedOperation");
  EXPECT_EQ(made.at("errorSet/item/launchTemplateAndOverrides/overrides/instanceType"),
            "m4.xlarge");
}

// EC2 User Guide, "Reference AMIs using Systems Manager parameters".
TEST_F(LaunchTemplates, AnInstantFleetReadsTheParametersOfItsImages) {
  t.backend.parameters.put("/golden", {.type = "String", .value = "ami-0123456789abcdef0"});
  t.backend.parameters.put("/other", {.type = "String", .value = "ami-00000000000000001"});
  t.call(kAdministrator, "ec2", "CreateLaunchTemplate",
         {{"LaunchTemplateName", "golden"},
          {"LaunchTemplateData.ImageId", "resolve:ssm:/golden"},
          {"LaunchTemplateData.InstanceType", "p3.2xlarge"}});
  const auto error = [&](const Keys& keys, const Fields& more = {}) {
    Fields fields{{"Type", "instant"},
                  {kTemplate + "LaunchTemplateName", "golden"},
                  {kTemplate + "Version", "1"},
                  {kOverride + "1.AvailabilityZone", "us-west-2b"},
                  {kTargets + "TotalTargetCapacity", "1"},
                  {kTargets + "DefaultTargetCapacityType", "spot"}};
    fields.insert(fields.end(), more.begin(), more.end());
    const Answer answer = t.call(keys, "ec2", "CreateFleet", fields);
    const auto errors = answer.all("errorSet/item/errorCode");
    return errors.empty() ? answer.code() : errors[0];
  };
  const std::string fleet = allow(R"("ec2:CreateFleet")") + "," + kOnlyAsTheTemplateSays;
  const auto read = [](const std::string& name) {
    return "," + allow(R"("ssm:GetParameters")", "arn:aws:ssm:*:*:parameter" + name);
  };
  EXPECT_EQ(error(t.user("ann", fleet)), "UnauthorizedOperation");
  EXPECT_EQ(t.denied(), "ssm:GetParameters implicit\n");
  EXPECT_EQ(error(t.user("bob", fleet + read("/golden"))), "");
  const Fields other{{kOverride + "1.ImageId", "resolve:ssm:/other"}};
  const std::string any = allow(R"(["ec2:CreateFleet","ec2:RunInstances"])") + read("/golden");
  EXPECT_EQ(error(t.user("cid", any), other), "UnauthorizedOperation");
  EXPECT_EQ(error(t.user("dan", any + read("/other")), other), "");
  EXPECT_EQ(error(t.user("eve", fleet + read("/*")), other), "UnauthorizedOperation")
      << "it is not the template's image";
}

// Auto Scaling User Guide, "Use AWS Systems Manager parameters instead of AMI IDs in launch
// templates".
TEST_F(LaunchTemplates, AGroupReadsTheParameterOfItsImage) {
  t.backend.parameters.put("/golden", {.type = "String", .value = "ami-0123456789abcdef0"});
  t.call(kAdministrator, "ec2", "CreateLaunchTemplate",
         {{"LaunchTemplateName", "golden"},
          {"LaunchTemplateData.ImageId", "resolve:ssm:/golden"},
          {"LaunchTemplateData.InstanceType", "m4.xlarge"}});
  const auto create = [&](const Keys& keys) {
    return t.send(t.signed_request(
        keys, "autoscaling",
        "Action=CreateAutoScalingGroup&Version=2011-01-01&AutoScalingGroupName=g&MinSize=0&"
        "MaxSize=1&AvailabilityZones.member.1=us-west-2b&"
        "LaunchTemplate.LaunchTemplateName=golden"));
  };
  const std::string group = allow(R"("autoscaling:*")") + "," + kOnlyAsTheTemplateSays;
  EXPECT_EQ(create(t.user("ann", group)).at("Error/Code"), "AccessDenied");
  EXPECT_EQ(t.denied(), "ssm:GetParameters implicit\n");
  EXPECT_EQ(create(t.user("bob", group + "," + allow(R"("ssm:GetParameters")"))).status(), 200);
}

// Templates that name all that a launch can name, in different ways.
struct FullTemplates : LaunchTemplates {
  FullTemplates() {
    subnet = t.cloud.network().subnets.default_of("us-west-2b")->id;
    group =
        made("CreateSecurityGroup", {{"GroupName", "web"}, {"GroupDescription", "d"}}, "groupId");
    made("CreateKeyPair", {{"KeyName", "mine"}}, "keyPairId");
    near = made("CreatePlacementGroup", {{"GroupName", "near"}, {"Strategy", "cluster"}},
                "placementGroup/groupId");
  }
  std::string made(const char* action, const Fields& fields, const char* at) {
    return t.call(kAdministrator, "ec2", action, fields).at(at);
  }
  void create(const std::string& name, const Fields& more) {
    Fields fields{{"LaunchTemplateName", name},
                  {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                  {"LaunchTemplateData.InstanceType", "p3.2xlarge"},
                  {"LaunchTemplateData.KeyName", "mine"},
                  {"LaunchTemplateData.Placement.AvailabilityZone", "us-west-2b"},
                  {"LaunchTemplateData.TagSpecification.1.ResourceType", "instance"},
                  {"LaunchTemplateData.TagSpecification.1.Tag.1.Key", "a"},
                  {"LaunchTemplateData.TagSpecification.1.Tag.1.Value", "b"}};
    for (const auto& [key, value] : more) fields.emplace_back("LaunchTemplateData." + key, value);
    EXPECT_NE(made("CreateLaunchTemplate", fields, "launchTemplate/launchTemplateId"), "") << name;
    names.push_back(name);
  }
  void create_all() {
    create("by-id", {{"SecurityGroupId.1", group}, {"Placement.GroupId", near}});
    create("by-name", {{"SecurityGroup.1", "web"}, {"Placement.GroupName", "near"}});
    create("interface", {{"NetworkInterface.1.DeviceIndex", "0"},
                         {"NetworkInterface.1.SubnetId", subnet},
                         {"NetworkInterface.1.SecurityGroupId.1", group}});
    create("groups-of-interface", {{"NetworkInterface.1.DeviceIndex", "0"},
                                   {"NetworkInterface.1.SecurityGroupId.1", group}});
  }
  std::string subnet, group, near;
  std::vector<std::string> names;
};

TEST_F(FullTemplates, AreNotOverriddenByAnInstantFleet) {
  create_all();
  const Keys ann = t.user(
      "ann", allow(R"(["ec2:CreateFleet","ec2:CreateTags"])") + "," + kOnlyAsTheTemplateSays);
  for (const std::string& name : names) {
    const Answer made = t.call(ann, "ec2", "CreateFleet",
                               {{"Type", "instant"},
                                {kTemplate + "LaunchTemplateName", name},
                                {kTemplate + "Version", "1"},
                                {kTargets + "TotalTargetCapacity", "1"},
                                {kTargets + "DefaultTargetCapacityType", "spot"}});
    EXPECT_EQ(made.code(), "") << name;
    EXPECT_EQ(made.at("errorSet/item/errorCode"), "") << name;
  }
  EXPECT_EQ(t.denied(), "");
}

TEST_F(FullTemplates, AreNotOverriddenByAnAutoScalingGroup) {
  create_all();
  const Keys ann =
      t.user("ann", allow(R"(["autoscaling:*","ec2:CreateTags"])") + "," + kOnlyAsTheTemplateSays);
  for (const std::string& name : names) {
    const Answer made = t.send(t.signed_request(
        ann, "autoscaling",
        "Action=CreateAutoScalingGroup&Version=2011-01-01&AutoScalingGroupName=" + name +
            "&MinSize=0&MaxSize=1&AvailabilityZones.member.1=us-west-2b&"
            "LaunchTemplate.LaunchTemplateName=" +
            name));
    EXPECT_EQ(made.status(), 200) << name << made.body();
  }
  EXPECT_EQ(t.denied(), "");
}

TEST_F(FullTemplates, AreNotOverriddenByASpotFleet) {
  create_all();
  sim::iam::Role role;
  role.name = "fleet";
  role.trust_policy =
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"sts:AssumeRole",)"
      R"("Principal":{"Service":"spotfleet.amazonaws.com"}}})";
  t.backend.iam->create_role(std::move(role));
  t.backend.iam->put_policy(sim::iam::Owner::kRole, "fleet", "p",
                            std::string(R"({"Version":"2012-10-17","Statement":[)") +
                                kOnlyAsTheTemplateSays + "," + allow(R"("ec2:CreateTags")") + "]}");
  const std::string config = "SpotFleetRequestConfig.";
  for (const std::string& name : names) {
    const Answer made = t.call(kAdministrator, "ec2", "RequestSpotFleet",
                               {{config + "TargetCapacity", "1"},
                                {config + "IamFleetRole", "arn:aws:iam::123456789012:role/fleet"},
                                {config + kTemplate + "LaunchTemplateName", name},
                                {config + kTemplate + "Version", "1"}});
    EXPECT_EQ(made.code(), "") << name;
    t.run(2min);
    EXPECT_EQ(t.cloud.fleet({made.at("spotFleetRequestId")}).instances.size(), 1U) << name;
  }
  EXPECT_EQ(t.denied(), "");
}

TEST_F(LaunchTemplates, OtherFleetsLaunchAsAServiceLinkedRole) {
  const Keys ann = t.user("ann", allow(R"("ec2:CreateFleet")"));
  create_fleet(ann, "instant");
  EXPECT_EQ(create_fleet(ann, "request").code(), "");
  t.run(5min);
  EXPECT_EQ(t.cloud.instances().size(), 1U);
}

TEST_F(LaunchTemplates, AFleetNeedsThePermissionForItsTemplate) {
  const Keys ann =
      t.user("ann", allow(R"("ec2:CreateFleet")", "arn:aws:ec2:us-west-2:123456789012:fleet/*"));
  EXPECT_EQ(create_fleet(ann, "request").code(), "UnauthorizedOperation");
}

}  // namespace
}  // namespace fakes::authorisation
