// The ARNs of resources that requests name by other names than their ARNs have.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "fakes/authorisation/signing_for_test.h"
#include "fakes/second_region_for_test.h"

namespace fakes::authorisation {
namespace {

const std::string kOwn = "arn:aws:ec2:us-west-2:123456789012:";

struct ResourceNames : testing::Test {
  std::string made(const std::string& action, const Fields& fields, const std::string& at) {
    const std::string id = t.call(kAdministrator, "ec2", action, fields).at(at);
    EXPECT_NE(id, "") << action;
    return id;
  }
  std::string running_instance() {
    const std::string id = made("RunInstances",
                                {{"ImageId", "ami-0123456789abcdef0"},
                                 {"InstanceType", "m4.xlarge"},
                                 {"MinCount", "1"},
                                 {"MaxCount", "1"},
                                 {"Placement.AvailabilityZone", "us-west-2b"}},
                                "instancesSet/item/instanceId");
    t.run(2min);
    return id;
  }
  // A user who may use only this resource succeeds, and the user of another one is refused.
  void check(const std::string& action, const Fields& fields, const std::string& resource) {
    const std::string name = std::to_string(++users);
    const auto code = [&](const std::string& user, const std::string& allowed) {
      return t.code(t.user(user + name, allow("\"ec2:" + action + "\"", allowed)), "ec2", action,
                    fields);
    };
    const std::string other = resource.substr(0, resource.find('/') + 1) + "x";
    EXPECT_EQ(code("other", other), "UnauthorizedOperation") << action;
    EXPECT_EQ(code("same", resource), "") << action;
  }

  TestIam t;
  int users = 0;
};

TEST_F(ResourceNames, OfLaunchTemplates) {
  const std::string id = made("CreateLaunchTemplate",
                              {{"LaunchTemplateName", "big"},
                               {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                               {"LaunchTemplateData.InstanceType", "p3.2xlarge"}},
                              "launchTemplate/launchTemplateId");
  const std::string arn = kOwn + "launch-template/" + id;
  check("CreateLaunchTemplateVersion",
        {{"LaunchTemplateName", "big"},
         {"SourceVersion", "1"},
         {"LaunchTemplateData.InstanceType", "m4.xlarge"}},
        arn);
  check("ModifyLaunchTemplate", {{"LaunchTemplateName", "big"}, {"SetDefaultVersion", "2"}}, arn);
  check("DeleteLaunchTemplateVersions",
        {{"LaunchTemplateName", "big"}, {"LaunchTemplateVersion.1", "1"}}, arn);
  check("DeleteLaunchTemplate", {{"LaunchTemplateName", "big"}}, arn);
}

TEST_F(ResourceNames, OfSecurityGroups) {
  const std::string id =
      made("CreateSecurityGroup", {{"GroupName", "web"}, {"GroupDescription", "d"}}, "groupId");
  const std::string arn = kOwn + "security-group/" + id;
  check("AuthorizeSecurityGroupIngress",
        {{"GroupName", "web"},
         {"IpPermissions.1.IpProtocol", "tcp"},
         {"IpPermissions.1.FromPort", "22"},
         {"IpPermissions.1.ToPort", "22"},
         {"IpPermissions.1.IpRanges.1.CidrIp", "10.0.0.0/8"}},
        arn);
  const std::string launch = R"({"Effect":"Deny","Action":"ec2:RunInstances","Resource":")";
  const Fields by_name{{"ImageId", "ami-0123456789abcdef0"},
                       {"InstanceType", "m4.xlarge"},
                       {"MinCount", "1"},
                       {"MaxCount", "1"},
                       {"SecurityGroup.1", "web"},
                       {"DryRun", "true"}};
  const Keys ann = t.user("ann", allow(R"("*")") + "," + launch + arn + "\"}");
  EXPECT_EQ(t.code(ann, "ec2", "RunInstances", by_name), "UnauthorizedOperation");
  const Keys bob = t.user("bob", allow(R"("*")") + "," + launch + arn + "x\"}");
  EXPECT_EQ(t.code(bob, "ec2", "RunInstances", by_name), "DryRunOperation");
  check("DeleteSecurityGroup", {{"GroupName", "web"}}, arn);
}

TEST_F(ResourceNames, OfAddressesAndKeyPairs) {
  const std::string allocation = made("AllocateAddress", {}, "allocationId");
  const std::string arn = kOwn + "elastic-ip/" + allocation;
  const std::string ip =
      t.call(kAdministrator, "ec2", "DescribeAddresses").at("addressesSet/item/publicIp");
  const std::string instance = running_instance();
  const Fields association{{"PublicIp", ip}, {"InstanceId", instance}};
  const Keys ann = t.user("ann", allow(R"("ec2:AssociateAddress")", arn) + "," +
                                     allow(R"("ec2:AssociateAddress")", kOwn + "instance/*"));
  EXPECT_EQ(t.code(ann, "ec2", "AssociateAddress", association), "");
  check("DisassociateAddress", {{"PublicIp", ip}}, arn);
  const std::string associated =
      made("AssociateAddress", {{"AllocationId", allocation}, {"InstanceId", instance}},
           "associationId");
  check("DisassociateAddress", {{"AssociationId", associated}}, arn);
  check("ReleaseAddress", {{"PublicIp", ip}}, arn);
  const std::string key = made("CreateKeyPair", {{"KeyName", "mine"}}, "keyPairId");
  for (const char* action : {"CreateTags", "DeleteTags"})
    check(action, {{"ResourceId.1", key}, {"Tag.1.Key", "a"}, {"Tag.1.Value", "b"}},
          kOwn + "key-pair/mine");
  check("DeleteKeyPair", {{"KeyPairId", key}}, kOwn + "key-pair/mine");
}

TEST_F(ResourceNames, OfTheAssociationsOfRouteTables) {
  const auto& network = t.cloud.network();
  const auto* const subnet = network.subnets.default_of("us-west-2b");
  const auto table = [&] {
    return made("CreateRouteTable", {{"VpcId", subnet->vpc}}, "routeTable/routeTableId");
  };
  const std::string first = table(), second = table();
  const std::string association = made(
      "AssociateRouteTable", {{"RouteTableId", first}, {"SubnetId", subnet->id}}, "associationId");
  check("ReplaceRouteTableAssociation", {{"AssociationId", association}, {"RouteTableId", second}},
        kOwn + "route-table/" + second);
  const std::string replaced = network.route_tables.table.find(second).associations.begin()->first;
  check("DisassociateRouteTable", {{"AssociationId", replaced}}, kOwn + "route-table/" + second);
}

TEST_F(ResourceNames, OfTheAssociationsOfInstanceProfiles) {
  t.backend.iam->begin_with({"a", "b"});
  const std::string instance = running_instance();
  const std::string arn = kOwn + "instance/" + instance;
  const std::string association = made("AssociateIamInstanceProfile",
                                       {{"InstanceId", instance}, {"IamInstanceProfile.Name", "a"}},
                                       "iamInstanceProfileAssociation/associationId");
  const Fields replace{{"AssociationId", association}, {"IamInstanceProfile.Name", "b"}};
  const std::string action = "ReplaceIamInstanceProfileAssociation";
  const Keys ann = t.user("ann", allow("\"ec2:" + action + "\"", arn));
  EXPECT_EQ(t.code(ann, "ec2", action, replace), "UnauthorizedOperation") << "iam:PassRole";
  const Keys bob =
      t.user("bob", allow("\"ec2:" + action + "\"", arn + "x") + "," + allow(R"("iam:PassRole")"));
  EXPECT_EQ(t.code(bob, "ec2", action, replace), "UnauthorizedOperation") << "another instance";
  const Keys cid =
      t.user("cid", allow("\"ec2:" + action + "\"", arn) + "," + allow(R"("iam:PassRole")"));
  const Answer replaced = t.call(cid, "ec2", action, replace);
  EXPECT_EQ(replaced.code(), "");
  check("DisassociateIamInstanceProfile",
        {{"AssociationId", replaced.at("iamInstanceProfileAssociation/associationId")}}, arn);
}

TEST_F(ResourceNames, OfIamsNewEntitiesHaveTheirPaths) {
  const std::string document = R"({"Version":"2012-10-17","Statement":)" + allow(R"("s3:*")") + "}";
  for (const auto& [action, type, name] : {std::tuple("CreatePolicy", "policy", "PolicyName"),
                                           std::tuple("CreateUser", "user", "UserName"),
                                           std::tuple("CreateGroup", "group", "GroupName")}) {
    const std::string own = "arn:aws:iam::123456789012:" + std::string(type) + "/team/*";
    const Keys ann =
        t.user("ann" + std::string(type), allow("\"iam:" + std::string(action) + "\"", own));
    const auto code = [&](const char* path) {
      Fields fields{{name, "mine"}};
      if (std::string(action) == "CreatePolicy") fields.emplace_back("PolicyDocument", document);
      if (*path != 0) fields.emplace_back("Path", path);
      return t.code(ann, "iam", action, fields);
    };
    EXPECT_EQ(code(""), "AccessDenied") << action;
    EXPECT_EQ(code("/other/"), "AccessDenied") << action;
    EXPECT_EQ(code("/team/"), "") << action;
  }
}

// ---- copies (EC2 User Guide, "Grant permissions to copy Amazon EC2 AMIs"; AWS Storage Blog,
// "Enhancing resource-level permissions for copying Amazon EBS snapshots")

// Copies from us-east-1 to us-west-2.
struct TwoSignedRegions : testing::Test {
  std::string made_in_east(const std::string& form, const std::string& at) {
    const std::string body = "Version=2016-11-15&Action=" + form, now = t.signing_time();
    Request request = TestBackend::post(body, nullptr);
    request.set(http::field::host, "ec2.us-east-1.amazonaws.com");
    request.set("X-Amz-Date", now);
    TestIam::sign(request, kAdministrator, "ec2", "us-east-1", now, sha256_hex(body));
    const std::string id = t.send(request).at(at);
    EXPECT_NE(id, "") << form;
    t.run(10min);
    return id;
  }
  // A user who may copy to the new resource, and from sources that meet the condition.
  Keys copier(const std::string& name, const std::string& action, const std::string& type,
              const std::string& source, const std::string& condition = "{}") {
    return t.user(name, allow("\"" + action + "\"", "arn:aws:ec2:us-west-2::" + type + "/*") +
                            R"(,{"Effect":"Allow","Action":")" + action + R"(","Resource":")" +
                            source + R"(","Condition":)" + condition + "}");
  }

  TestIam t;
  SecondRegion east{t};
};

TEST_F(TwoSignedRegions, ASnapshotsCopyNeedsThePermissionOnItsSource) {
  sim::cloud::VolumeSpec spec;
  spec.availability_zone = "us-east-1a", spec.size_gib = 1;
  const auto volume = east.cloud.create_volume(spec);
  t.run(1min);
  const std::string id = east.cloud.create_snapshot(volume, "", {{"team", "ml"}}).value;
  t.run(5min);
  const std::string action = "ec2:CopySnapshot", own = "arn:aws:ec2:us-east-1::snapshot/" + id;
  const auto code = [&](const Keys& keys) {
    return t.code(keys, "ec2", "CopySnapshot",
                  {{"SourceRegion", "us-east-1"}, {"SourceSnapshotId", id}});
  };
  EXPECT_EQ(code(copier("ann", action, "snapshot", own)), "");
  EXPECT_EQ(code(copier("bob", action, "snapshot", own + "0")), "UnauthorizedOperation");
  const auto of_team = [&](const char* name, const std::string& team) {
    return copier(name, action, "snapshot", "arn:aws:ec2:us-east-1::snapshot/*",
                  R"({"StringEquals":{"aws:ResourceTag/team":")" + team + R"("}})");
  };
  EXPECT_EQ(code(of_team("cid", "ml")), "");
  EXPECT_EQ(code(of_team("dan", "web")), "UnauthorizedOperation");
}

TEST_F(TwoSignedRegions, AnImagesCopyNeedsThePermissionOnItsSource) {
  const std::string instance = made_in_east(
      "RunInstances&ImageId=ami-0123456789abcdef0&InstanceType=p3.2xlarge&MinCount=1&"
      "MaxCount=1",
      "instancesSet/item/instanceId");
  const std::string id = made_in_east("CreateImage&Name=own&InstanceId=" + instance, "imageId");
  const std::string action = "ec2:CopyImage", own = "arn:aws:ec2:us-east-1::image/" + id;
  const auto code = [&](const Keys& keys) {
    return t.code(keys, "ec2", "CopyImage",
                  {{"SourceRegion", "us-east-1"}, {"SourceImageId", id}, {"Name", "copy"}});
  };
  EXPECT_EQ(code(copier("bob", action, "image", own + "0")), "UnauthorizedOperation");
  EXPECT_EQ(code(copier("ann", action, "image", own)), "");
}

// ---- roles that requests pass

TEST(PassedRoles, ARuleGetsItsRoleFromACallerWhoMayPassIt) {
  TestIam t;
  t.backend.iam->begin_with({"events"});
  const nlohmann::json rule{{"Name", "r"},
                            {"EventPattern", R"({"source":["own"]})"},
                            {"RoleArn", "arn:aws:iam::123456789012:role/events"}};
  const auto status = [&](const std::string& user, const std::string& statements) {
    return t
        .send(
            t.signed_request(t.user(user, statements), "events", rule.dump(), "AWSEvents.PutRule"))
        .status();
  };
  EXPECT_EQ(status("ann", allow(R"("events:*")")), 400);
  EXPECT_EQ(t.denied(), "iam:PassRole implicit\n");
  EXPECT_EQ(status("bob", allow(R"(["events:*","iam:PassRole"])")), 200);
}

}  // namespace
}  // namespace fakes::authorisation
