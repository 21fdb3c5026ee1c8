// The resources and the condition keys of requests for Systems Manager and EC2.
#include "fakes/authorisation/permissions.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

using Json = nlohmann::json;

const std::string kImage = "ami-0123456789abcdef0";

std::string statement(const std::string& effect, const std::string& action,
                      const std::string& resource, const std::string& condition = "{}") {
  return R"({"Effect":")" + effect + R"(","Action":")" + action + R"(","Resource":")" + resource +
         R"(","Condition":)" + condition + "}";
}

struct TestPermissions : TestIam {
  // Empty, or the code of an error.
  std::string ssm(const Keys& keys, const std::string& action, const Json& body) const {
    const Answer answer = send(signed_request(keys, "ssm", body.dump(), "AmazonSSM." + action));
    return Json::parse(answer.body()).value("__type", "");
  }
  std::string parameter_arn(const std::string& name) const {
    return "arn:aws:ssm:us-west-2:123456789012:parameter" + name;
  }
  std::string launch(const Keys& keys, const Fields& more, const std::string& image = kImage) {
    Fields fields{{"ImageId", image},
                  {"InstanceType", "m4.xlarge"},
                  {"MinCount", "1"},
                  {"MaxCount", "1"},
                  {"Placement.AvailabilityZone", "us-west-2b"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return code(keys, "ec2", "RunInstances", fields);
  }
  // A user who may do all, but launch no volumes or other resources of this kind.
  Keys all_but(const std::string& name, const std::string& resource,
               const std::string& condition = "{}") {
    return user(
        name, allow(R"("*")") + "," +
                  statement("Deny", "ec2:RunInstances", "arn:aws:ec2:*:*:" + resource, condition));
  }
};

// ---- Systems Manager

TEST(SsmPermissions, AVersionOrAnArnIsTheSameParameter) {
  TestPermissions t;
  t.backend.parameters.put("/prod/secret", {.type = "String", .value = "v"});
  const std::string arn = t.parameter_arn("/prod/secret");
  const Keys ann = t.user("ann", allow(R"("ssm:*")") + "," + statement("Deny", "ssm:*", arn));
  const Keys bob = t.user("bob", allow(R"("ssm:GetParameter*")", arn));
  for (const std::string& name :
       {std::string("/prod/secret"), std::string("/prod/secret:1"), arn, arn + ":1"}) {
    EXPECT_EQ(t.ssm(ann, "GetParameter", {{"Name", name}}), "AccessDeniedException") << name;
    EXPECT_EQ(t.ssm(ann, "GetParameters", {{"Names", {name}}}), "AccessDeniedException") << name;
    EXPECT_EQ(t.ssm(bob, "GetParameter", {{"Name", name}}), "") << name;
  }
  EXPECT_EQ(t.ssm(ann, "GetParameter", {{"Name", "/prod"}}), "ParameterNotFound");
  const std::string foreign = "arn:aws:ssm:us-east-1:123456789012:parameter/prod/secret";
  EXPECT_EQ(t.ssm(bob, "GetParameter", {{"Name", foreign}}), "AccessDeniedException");
}

// Messages such as "is not authorized to perform: ssm:GetParametersByPath on resource:
// arn:aws:ssm:…:parameter/aft/account-request/custom-fields/".
TEST(SsmPermissions, APathKeepsItsLastSlash) {
  TestPermissions t;
  const Keys ann = t.user("ann", allow(R"("ssm:*")", t.parameter_arn("/a/*")));
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a/"}}), "");
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a"}}), "AccessDeniedException");
}

TEST(SsmPermissions, OverwriteAndRecursiveAreConditionKeys) {
  TestPermissions t;
  const auto denied = [](const std::string& key) {
    return statement("Deny", "ssm:*", "*", R"({"StringEquals":{")" + key + R"(":"true"}})");
  };
  const Keys ann = t.user(
      "ann", allow(R"("ssm:*")") + "," + denied("ssm:Overwrite") + "," + denied("ssm:Recursive"));
  const Json put{{"Name", "/a/b"}, {"Value", "v"}, {"Type", "String"}};
  Json overwrite = put;
  overwrite["Overwrite"] = true;
  EXPECT_EQ(t.ssm(ann, "PutParameter", put), "");
  EXPECT_EQ(t.ssm(ann, "PutParameter", overwrite), "AccessDeniedException");
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a"}}), "");
  EXPECT_EQ(t.ssm(ann, "GetParametersByPath", {{"Path", "/a"}, {"Recursive", true}}),
            "AccessDeniedException");
  const std::string absent = R"({"StringEquals":{"ssm:Overwrite":"false"}})";
  const Keys bob = t.user("bob", statement("Allow", "ssm:*", "*", absent));
  EXPECT_EQ(t.ssm(bob, "PutParameter", put), "ParameterAlreadyExists");
  EXPECT_EQ(t.ssm(bob, "GetParameter", {{"Name", "/a/b"}}), "AccessDeniedException")
      << "it has no such key";
}

TEST(SsmPermissions, AParameterIsReadAndItsImageLaunched) {
  TestPermissions t;
  t.backend.parameters.put("/golden", {.type = "String", .value = kImage});
  const std::string by_name = "resolve:ssm:/golden:1";
  const std::string launch = allow(R"("ec2:*")");
  const std::string read = allow(R"("ssm:GetParameters")", t.parameter_arn("/golden"));
  EXPECT_EQ(t.launch(t.user("ann", launch), {}, by_name), "UnauthorizedOperation");
  EXPECT_EQ(t.denied(), "ssm:GetParameters implicit\n");
  EXPECT_EQ(t.launch(t.user("bob", launch + "," + read), {}, by_name), "");
  EXPECT_EQ(t.launch(t.all_but("cid", "image/" + kImage), {}, by_name), "UnauthorizedOperation");
  EXPECT_EQ(t.launch(t.all_but("dan", "image/*",
                               R"({"StringEquals":{"ec2:ImageID":")" + kImage + R"("}})"),
                     {}, by_name),
            "UnauthorizedOperation");
}

// ---- EC2's tags

TEST(Ec2Permissions, ATagOfARequestMayBeEmpty) {
  TestPermissions t;
  sim::cloud::VolumeSpec spec;
  spec.availability_zone = "us-west-2b", spec.size_gib = 1;
  const std::string id = t.cloud.create_volume(spec).value;
  const auto tag = [&](const Keys& keys, const std::string& team) {
    return t.code(keys, "ec2", "CreateTags",
                  {{"ResourceId.1", id},
                   {"Tag.1.Key", "team"},
                   {"Tag.1.Value", team},
                   {"Tag.2.Key", "x"},
                   {"Tag.2.Value", "ml"}});
  };
  const auto of_team = [&](const std::string& name, const std::string& team) {
    return t.user(name, statement("Allow", "ec2:CreateTags", "*",
                                  R"({"StringEquals":{"aws:RequestTag/team":")" + team + R"("}})"));
  };
  const Keys ann = of_team("ann", "ml"), bob = of_team("bob", "");
  EXPECT_EQ(tag(ann, "ml"), "");
  EXPECT_EQ(tag(ann, ""), "UnauthorizedOperation");
  EXPECT_EQ(tag(bob, ""), "");
}

// ---- EC2's existing resources

TEST(Ec2Permissions, AVolumesKeysAreItsOwn) {
  TestPermissions t;
  sim::cloud::VolumeSpec spec;
  spec.availability_zone = "us-west-2b", spec.size_gib = 10, spec.type = "io2", spec.iops = 100,
  spec.encrypted = true;
  const std::string id = t.cloud.create_volume(spec).value;
  t.run(1min);
  const auto del = [&](const std::string& name, const std::string& condition) {
    return t.code(t.user(name, statement("Allow", "ec2:DeleteVolume", "*", condition)), "ec2",
                  "DeleteVolume", {{"VolumeId", id}});
  };
  EXPECT_EQ(del("ann", R"({"StringEquals":{"ec2:VolumeType":"gp2"}})"), "UnauthorizedOperation");
  EXPECT_EQ(del("bob", R"({"Bool":{"ec2:Encrypted":"false"}})"), "UnauthorizedOperation");
  EXPECT_EQ(del("cid", R"({"StringEquals":{"ec2:AvailabilityZone":"us-west-2b",)"
                       R"("ec2:VolumeType":"io2"},"Bool":{"ec2:Encrypted":"true"},)"
                       R"("NumericEquals":{"ec2:VolumeSize":"10"}})"),
            "");
}

TEST(Ec2Permissions, ASpotInstanceStaysOneInItsKeys) {
  TestPermissions t;
  const std::string id = t.call(kAdministrator, "ec2", "RunInstances",
                                {{"ImageId", kImage},
                                 {"InstanceType", "p3.2xlarge"},
                                 {"MinCount", "1"},
                                 {"MaxCount", "1"},
                                 {"Placement.AvailabilityZone", "us-west-2a"},
                                 {"InstanceMarketOptions.MarketType", "spot"}})
                             .at("instancesSet/item/instanceId");
  const auto terminate = [&](const std::string& name, const std::string& market) {
    const std::string condition =
        R"({"StringEquals":{"ec2:InstanceMarketType":")" + market + R"("}})";
    return t.code(t.user(name, statement("Allow", "ec2:TerminateInstances", "*", condition)), "ec2",
                  "TerminateInstances", {{"InstanceId.1", id}});
  };
  EXPECT_EQ(terminate("ann", "on-demand"), "UnauthorizedOperation");
  EXPECT_EQ(terminate("bob", "spot"), "");
}

struct TestSnapshots : TestPermissions {
  TestSnapshots() {
    instance = call(kAdministrator, "ec2", "RunInstances",
                    {{"ImageId", kImage},
                     {"InstanceType", "m4.xlarge"},
                     {"MinCount", "1"},
                     {"MaxCount", "1"},
                     {"Placement.AvailabilityZone", "us-west-2b"},
                     {"BlockDeviceMapping.1.DeviceName", "/dev/sdf"},
                     {"BlockDeviceMapping.1.Ebs.VolumeSize", "20"}})
                   .at("instancesSet/item/instanceId");
    run(2min);
    for (const auto& id : cloud.attached_to({instance}))
      (cloud.volume(id).root ? root : data) = id.value;
  }
  std::string snapshots(const Keys& keys, const Fields& more = {}) const {
    Fields fields{{"InstanceSpecification.InstanceId", instance}};
    fields.insert(fields.end(), more.begin(), more.end());
    return code(keys, "ec2", "CreateSnapshots", fields);
  }
  // May make snapshots, but not of these volumes.
  Keys all_but_volume(const std::string& name, const std::string& volume,
                      const std::string& condition = "{}") {
    return user(name, allow(R"("ec2:CreateSnapshots")") + "," +
                          statement("Deny", "ec2:CreateSnapshots",
                                    "arn:aws:ec2:*:*:volume/" + volume, condition));
  }
  std::string instance, root, data;
};

TEST(Ec2Permissions, SnapshotsOfAnInstanceNeedThePermissionForEachVolume) {
  TestSnapshots t;
  const Keys ann = t.all_but_volume("ann", t.data);
  EXPECT_EQ(t.snapshots(ann), "UnauthorizedOperation");
  EXPECT_EQ(t.snapshots(ann, {{"InstanceSpecification.ExcludeDataVolumeId.1", t.data}}), "");
  const Keys bob = t.all_but_volume("bob", t.root);
  EXPECT_EQ(t.snapshots(bob), "UnauthorizedOperation");
  EXPECT_EQ(t.snapshots(bob, {{"InstanceSpecification.ExcludeBootVolume", "true"}}), "");
  const std::string own = "arn:aws:ec2:us-west-2:123456789012:";
  const auto on = [&](const std::string& resource) {
    return allow(R"("ec2:CreateSnapshots")", resource);
  };
  const Keys cid =
      t.user("cid", on(own + "instance/" + t.instance) + "," + on("arn:aws:ec2:*::snapshot/*") +
                        "," + on(own + "volume/" + t.root) + "," + on(own + "volume/" + t.data));
  EXPECT_EQ(t.snapshots(cid), "");
  const Keys dan = t.all_but_volume("dan", "*", R"({"NumericEquals":{"ec2:VolumeSize":"20"}})");
  EXPECT_EQ(t.snapshots(dan), "UnauthorizedOperation") << "the size of the data volume";
  EXPECT_EQ(t.snapshots(dan, {{"InstanceSpecification.ExcludeDataVolumeId.1", t.data}}), "");
}

TEST(Ec2Permissions, CopiedTagsNeedThePermissionToTag) {
  TestSnapshots t;
  const Keys ann = t.user("ann", allow(R"("ec2:CreateSnapshots")"));
  const Fields copied{{"CopyTagsFromSource", "volume"}};
  EXPECT_EQ(t.snapshots(ann, copied), "") << "the volumes have no tags";
  t.call(kAdministrator, "ec2", "CreateTags",
         {{"ResourceId.1", t.data}, {"Tag.1.Key", "job"}, {"Tag.1.Value", "train"}});
  EXPECT_EQ(t.snapshots(ann), "");
  EXPECT_EQ(t.snapshots(ann, copied), "UnauthorizedOperation");
  EXPECT_EQ(t.denied(), "ec2:CreateTags implicit\n");
  const std::string condition = R"({"StringEquals":{"ec2:CreateAction":"CreateSnapshots"}})";
  const Keys bob = t.user(
      "bob", allow(R"("ec2:CreateSnapshots")") + "," +
                 statement("Allow", "ec2:CreateTags", "arn:aws:ec2:*::snapshot/*", condition));
  EXPECT_EQ(t.snapshots(bob, copied), "");
}

TEST(Ec2Permissions, AnAttachmentStandsForItsInterface) {
  TestPermissions t;
  const std::string instance = t.call(kAdministrator, "ec2", "RunInstances",
                                      {{"ImageId", kImage},
                                       {"InstanceType", "m4.xlarge"},
                                       {"MinCount", "1"},
                                       {"MaxCount", "1"},
                                       {"Placement.AvailabilityZone", "us-west-2b"}})
                                   .at("instancesSet/item/instanceId");
  t.run(2min);
  const auto all_but = [&](const std::string& name, const std::string& resource) {
    return t.user(name,
                  allow(R"("*")") + "," + statement("Deny", "*", "arn:aws:ec2:*:*:" + resource));
  };
  const auto* const interface = t.cloud.network().interfaces.table.first(
      [&](const auto& one) { return one.instance == instance; });
  ASSERT_NE(interface, nullptr);
  EXPECT_EQ(t.code(all_but("cid", "network-interface/" + interface->id), "ec2",
                   "DetachNetworkInterface", {{"AttachmentId", interface->attachment}}),
            "UnauthorizedOperation");
}

TEST(Ec2Permissions, AGroupOfALaunchIsAResource) {
  TestPermissions t;
  const Keys ann = t.all_but("ann", "placement-group/near");
  const std::string id = t.call(kAdministrator, "ec2", "CreatePlacementGroup",
                                {{"GroupName", "near"}, {"Strategy", "cluster"}})
                             .at("placementGroup/groupId");
  EXPECT_EQ(t.launch(ann, {}), "");
  EXPECT_EQ(t.launch(ann, {{"Placement.GroupName", "near"}}), "UnauthorizedOperation");
  EXPECT_EQ(t.launch(ann, {{"Placement.GroupId", id}}), "UnauthorizedOperation");
  const Keys bob = t.user("bob", allow(R"("ec2:DeletePlacementGroup")",
                                       "arn:aws:ec2:us-west-2:123456789012:placement-group/near"));
  EXPECT_EQ(t.code(bob, "ec2", "DeletePlacementGroup", {{"GroupName", "far"}}),
            "UnauthorizedOperation");
  EXPECT_EQ(t.code(bob, "ec2", "DeletePlacementGroup", {{"GroupName", "near"}}), "");
}

TEST(Ec2Permissions, AnExistingInterfaceOfALaunchIsAResource) {
  TestPermissions t;
  const auto& subnets = t.cloud.network().subnets;
  const std::string id = t.call(kAdministrator, "ec2", "CreateNetworkInterface",
                                {{"SubnetId", subnets.default_of("us-west-2b")->id}})
                             .at("networkInterface/networkInterfaceId");
  const Fields with{{"NetworkInterface.1.DeviceIndex", "0"},
                    {"NetworkInterface.1.NetworkInterfaceId", id}};
  EXPECT_EQ(t.launch(t.all_but("ann", "network-interface/" + id), with), "UnauthorizedOperation");
  EXPECT_EQ(t.launch(t.all_but("bob", "network-interface/eni-1"), with), "");
}

// ---- Fault Injection Service (Service Authorization Reference, "AWS Fault Injection Service")

TEST(FisPermissions, AnActionOfAnExperimentIsAResource) {
  TestPermissions t;
  const auto status = [&](const Keys& keys, const std::string& method, const std::string& path,
                          const std::string& body = "") {
    return t.send(t.signed_path(keys, "fis", method, path, body)).status();
  };
  const std::string terminate = "aws:ec2:terminate-instances", stop = "aws:ec2:stop-instances";
  const std::string action = "arn:aws:fis:us-west-2:123456789012:action/";
  const Keys ann =
      t.user("ann", allow(R"("*")") + "," + statement("Deny", "fis:*", action + terminate));
  EXPECT_EQ(status(ann, "GET", "/actions/" + stop), 200);
  EXPECT_EQ(status(ann, "GET", "/actions/" + terminate), 403) << "AccessDenied";
  EXPECT_EQ(status(ann, "GET", "/targetResourceTypes/aws:ec2:instance"), 200);
  const auto create = [&](const std::string& id) {
    const Json plan{
        {"clientToken", id},
        {"description", "d"},
        {"roleArn", "arn:aws:iam::123456789012:role/fis"},
        {"stopConditions", Json::array({{{"source", "none"}}})},
        {"targets",
         {{"them",
           {{"resourceType", "aws:ec2:instance"},
            {"selectionMode", "ALL"},
            {"resourceTags", {{"a", "b"}}}}}}},
        {"actions", {{"act", {{"actionId", id}, {"targets", {{"Instances", "them"}}}}}}}};
    return status(ann, "POST", "/experimentTemplates", plan.dump());
  };
  EXPECT_EQ(create(terminate), 403) << "AccessDenied";
  EXPECT_EQ(create(stop), 200);
}

// ---- the volumes of a launch

Fields mapping(const std::string& n, const std::string& device, const Fields& members) {
  const std::string item = "BlockDeviceMapping." + n + ".";
  Fields fields{{item + "DeviceName", device}};
  for (const auto& [name, value] : members) fields.emplace_back(item + name, value);
  return fields;
}

Fields operator+(Fields a, const Fields& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Ec2Permissions, TheRootIsAVolumeOfEachLaunch) {
  TestPermissions t;
  const Keys ann = t.all_but("ann", "volume/*", R"({"Bool":{"ec2:Encrypted":"false"}})");
  const Fields encrypted{{"Ebs.VolumeSize", "9"}, {"Ebs.Encrypted", "true"}};
  const Fields data = mapping("1", "/dev/sdf", encrypted);
  EXPECT_EQ(t.launch(ann, {}), "UnauthorizedOperation");
  EXPECT_EQ(t.launch(ann, data), "UnauthorizedOperation") << "of the root";
  EXPECT_EQ(t.launch(ann, data + mapping("2", "/dev/xvda", encrypted)), "");
  const Keys bob = t.all_but("bob", "volume/*", R"({"NumericLessThan":{"ec2:VolumeSize":"9"}})");
  EXPECT_EQ(t.launch(bob, {}), "UnauthorizedOperation") << "the root has 8 GiB";
  EXPECT_EQ(t.launch(bob, mapping("1", "/dev/sda1", {{"Ebs.VolumeSize", "9"}})), "");
}

TEST(Ec2Permissions, ADeviceWithoutAVolumeNeedsNoPermission) {
  TestPermissions t;
  const Keys ann = t.all_but("ann", "volume/*", R"({"StringEquals":{"ec2:VolumeType":"gp2"}})");
  const Fields root =
      mapping("1", "/dev/sda1", {{"Ebs.VolumeSize", "9"}, {"Ebs.VolumeType", "gp3"}});
  EXPECT_EQ(t.launch(ann, root + mapping("2", "/dev/sdb", {{"VirtualName", "ephemeral0"}})), "");
  EXPECT_EQ(t.launch(ann, root + mapping("2", "/dev/sdb", {{"NoDevice", ""}})), "");
  EXPECT_EQ(t.launch(ann, root + mapping("2", "/dev/sdb", {{"Ebs.VolumeSize", "9"}})),
            "UnauthorizedOperation");
}

TEST(Ec2Permissions, ALaunchTakesItsSnapshotsAndTheVolumesOfItsImage) {
  TestPermissions t;
  const auto run = [&](const char* action, const Fields& fields, const char* at) {
    const std::string id = t.call(kAdministrator, "ec2", action, fields).at(at);
    t.run(30min);
    return id;
  };
  const std::string instance = run("RunInstances",
                                   Fields{{"ImageId", kImage},
                                          {"InstanceType", "m4.xlarge"},
                                          {"MinCount", "1"},
                                          {"MaxCount", "1"}} +
                                       mapping("1", "/dev/sdf", {{"Ebs.VolumeSize", "20"}}),
                                   "instancesSet/item/instanceId");
  const std::string image =
      run("CreateImage", {{"InstanceId", instance}, {"Name", "own"}}, "imageId");
  const Keys ann = t.all_but("ann", "volume/*", R"({"NumericEquals":{"ec2:VolumeSize":"20"}})");
  EXPECT_EQ(t.launch(ann, {}), "");
  EXPECT_EQ(t.launch(ann, {}, image), "UnauthorizedOperation");
  EXPECT_EQ(t.launch(ann, mapping("1", "/dev/xvdf", {{"Ebs.VolumeSize", "30"}}), image), "");

  const std::string volume =
      run("CreateVolume", {{"AvailabilityZone", "us-west-2b"}, {"Size", "7"}}, "volumeId");
  const std::string snapshot = run("CreateSnapshot", {{"VolumeId", volume}}, "snapshotId");
  const Fields restored = mapping("1", "/dev/sdf", {{"Ebs.SnapshotId", snapshot}});
  EXPECT_EQ(t.launch(ann, restored), "");
  EXPECT_EQ(t.launch(t.all_but("bob", "snapshot/" + snapshot), restored), "UnauthorizedOperation");
  const std::string seven = R"({"NumericEquals":{"ec2:VolumeSize":"7"}})";
  EXPECT_EQ(t.launch(t.all_but("cid", "volume/*", seven), restored), "UnauthorizedOperation")
      << "the snapshot's size";
}

}  // namespace
}  // namespace fakes::authorisation
