// Condition keys, each from a request through a service's API to the decision.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"
#include "fakes/ec2/image_catalogue.h"

namespace fakes::authorisation {
namespace {

const std::string kAccount = "arn:aws:iam::123456789012:";

std::string denial(const std::string& action, const std::string& resource,
                   const std::string& condition) {
  return R"({"Effect":"Deny","Action":")" + action + R"(","Resource":")" + resource +
         R"(","Condition":)" + condition + "}";
}

// A request, a key with its value, and another value. The request is denied to a user if a
// statement Deny has `differs` (such as StringNotEquals) and the other value.
struct KeyCase {
  std::string key, differs, value, other;
  std::string action;    // "ec2:RunInstances"
  std::string resource;  // a launch: the resource that has the key
  Fields request;
};

struct ConditionKeys : testing::Test {
  ConditionKeys() {
    t.backend.iam->begin_with({"train"});
    t.call(kAdministrator, "ec2", "CreateKeyPair", {{"KeyName", "mine"}, {"KeyType", "ed25519"}});
    volume = made("CreateVolume",
                  zone({{"Size", "1"},
                        {"TagSpecification.1.ResourceType", "volume"},
                        {"TagSpecification.1.Tag.1.Key", "team"},
                        {"TagSpecification.1.Tag.1.Value", "ml"}}),
                  "volumeId");
    snapshot = made("CreateSnapshot", {{"VolumeId", volume}}, "snapshotId");
    for (const auto& [id, one] : ec2::public_images(t.backend))
      if (one.owner == "amazon") amazons_image = id;
  }

  std::string made(const char* action, const Fields& fields, const char* at) {
    const std::string id = t.call(kAdministrator, "ec2", action, fields).at(at);
    EXPECT_NE(id, "") << action;
    t.run(5min);
    return id;
  }
  static Fields zone(Fields fields) {
    fields.emplace_back("AvailabilityZone", "us-west-2b");
    return fields;
  }
  static Fields launch(const Fields& more = {}, const std::string& image = "") {
    Fields fields{{"ImageId", image.empty() ? "ami-0123456789abcdef0" : image},
                  {"InstanceType", "m4.xlarge"},
                  {"MinCount", "1"},
                  {"MaxCount", "1"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  }
  // A launch with a key of the instance.
  static KeyCase of_instance(const std::string& key, const std::string& value,
                             const std::string& other, const Fields& more) {
    return {key, "StringNotEquals", value, other, "ec2:RunInstances", "instance/*", launch(more)};
  }
  static KeyCase of_volume(const std::string& key, const std::string& value,
                           const std::string& other, const Fields& more) {
    return {key, "StringNotEquals", value, other, "ec2:CreateVolume", "volume/*", zone(more)};
  }
  static KeyCase of_interface(const std::string& key, const std::string& value,
                              const std::string& other, const Fields& more) {
    return {key,         "StringNotEquals", value, other, "ec2:RunInstances", "network-interface/*",
            launch(more)};
  }
  KeyCase of_image(const std::string& key, const std::string& value,
                   const std::string& other) const {
    return {key,       "StringNotEquals",        value, other, "ec2:RunInstances",
            "image/*", launch({}, amazons_image)};
  }

  // The error of a user who may do all except what the condition denies.
  std::string code(const KeyCase& one, const std::string& user, const std::string& value) {
    const std::string resource = one.resource.empty() ? "*" : "arn:aws:ec2:*:*:" + one.resource;
    const std::string condition =
        R"({")" + one.differs + R"(":{")" + one.key + R"(":")" + value + R"("}})";
    const Keys keys = t.user(user, allow(R"("*")") + "," + denial(one.action, resource, condition));
    const auto colon = one.action.find(':');
    const std::string service = one.action.substr(0, colon);
    Fields fields = one.request;
    if (service == "ec2") fields.emplace_back("DryRun", "true");
    return t.code(keys, service, one.action.substr(colon + 1), fields);
  }
  void check(const KeyCase& one) {
    const bool is_ec2 = one.action.starts_with("ec2:");
    const std::string name = std::to_string(++users);
    EXPECT_EQ(code(one, "other" + name, one.other),
              is_ec2 ? "UnauthorizedOperation" : "AccessDenied")
        << one.key;
    EXPECT_EQ(code(one, "same" + name, one.value), is_ec2 ? "DryRunOperation" : "") << one.key;
  }

  TestIam t;
  std::string volume, snapshot, amazons_image;
  int users = 0;
};

TEST_F(ConditionKeys, OfTheRequestAndTheCaller) {
  const std::string describe = "ec2:DescribeVolumes";
  const std::string boundary = "arn:aws:iam::aws:policy/AmazonS3FullAccess";
  const KeyCase cases[] = {
      {"aws:SourceIp", "NotIpAddress", "127.0.0.0/8", "10.0.0.0/8", describe, "", {}},
      {"aws:RequestedRegion", "StringNotEquals", "us-west-2", "us-east-1", describe, "", {}},
      {"aws:RequestedRegion", "StringNotEquals", "us-east-1", "us-west-2", "iam:ListUsers", "", {}},
      {"aws:PrincipalArn",
       "ArnNotLike",
       kAccount + "user/same*",
       kAccount + "user/x",
       describe,
       "",
       {}},
      {"aws:SecureTransport", "Bool", "false", "true", describe, "", {}},
      {"aws:ResourceTag/Team",
       "StringNotEquals",
       "ml",
       "web",
       "ec2:DeleteVolume",
       "",
       {{"VolumeId", volume}}},
      {"ec2:Region", "StringNotEquals", "us-west-2", "us-east-1", describe, "", {}},
      {"iam:PolicyARN",
       "ArnNotEquals",
       boundary,
       "arn:aws:iam::aws:policy/AdministratorAccess",
       "iam:AttachRolePolicy",
       "",
       {{"RoleName", "train"}, {"PolicyArn", boundary}}},
      {"iam:PermissionsBoundary",
       "StringNotEquals",
       boundary,
       kAccount + "policy/own",
       "iam:CreateUser",
       "",
       {{"UserName", "eve"}, {"PermissionsBoundary", boundary}}}};
  for (const KeyCase& one : cases) check(one);
}

TEST_F(ConditionKeys, OfEc2sRequests) {
  const auto* const subnet = t.cloud.network().subnets.default_of("us-west-2b");
  const std::string own = "arn:aws:ec2:us-west-2:123456789012:";
  const std::string snapshots = "arn:aws:ec2:us-west-2::snapshot/";
  const KeyCase cases[] = {
      of_instance("ec2:InstanceProfile", kAccount + "instance-profile/train",
                  kAccount + "instance-profile/x", {{"IamInstanceProfile.Name", "train"}}),
      of_instance("ec2:Tenancy", "default", "dedicated", {}),
      of_instance("ec2:MetadataHttpTokens", "required", "optional",
                  {{"MetadataOptions.HttpTokens", "required"}}),
      of_instance("ec2:MetadataHttpPutResponseHopLimit", "2", "1",
                  {{"MetadataOptions.HttpPutResponseHopLimit", "2"}}),
      of_instance("ec2:RootDeviceType", "ebs", "instance-store", {}),
      of_image("ec2:RootDeviceType", "ebs", "instance-store"),
      of_image("ec2:ImageType", "machine", "kernel"),
      of_image("ec2:Owner", "amazon", "123456789012"),
      {"ec2:KeyPairName", "StringNotEquals", "mine", "x", "ec2:RunInstances", "key-pair/*",
       launch({{"KeyName", "mine"}})},
      of_volume("ec2:ParentSnapshot", snapshots + snapshot, snapshots + "snap-1",
                {{"SnapshotId", snapshot}}),
      of_volume("ec2:VolumeIops", "4000", "3000",
                {{"Size", "100"}, {"VolumeType", "gp3"}, {"Iops", "4000"}}),
      of_volume("ec2:VolumeThroughput", "250", "125",
                {{"Size", "100"}, {"VolumeType", "gp3"}, {"Throughput", "250"}}),
      of_interface("ec2:Subnet", own + "subnet/" + subnet->id, own + "subnet/x",
                   {{"SubnetId", subnet->id}}),
      of_interface("ec2:Vpc", own + "vpc/" + subnet->vpc, own + "vpc/x",
                   {{"SubnetId", subnet->id}}),
      of_interface("ec2:AssociatePublicIpAddress", "true", "false",
                   {{"NetworkInterface.1.DeviceIndex", "0"},
                    {"NetworkInterface.1.SubnetId", subnet->id},
                    {"NetworkInterface.1.AssociatePublicIpAddress", "true"}})};
  for (const KeyCase& one : cases) check(one);
}

// An existing instance's keys are its own, whatever the request says.
TEST_F(ConditionKeys, OfAnExistingInstance) {
  const std::string id = made("RunInstances", launch({{"MetadataOptions.HttpTokens", "required"}}),
                              "instancesSet/item/instanceId");
  check({"ec2:MetadataHttpTokens",
         "StringNotEquals",
         "required",
         "optional",
         "ec2:ModifyInstanceMetadataOptions",
         "",
         {{"InstanceId", id}, {"HttpTokens", "optional"}}});
}

TEST_F(ConditionKeys, TheUserAgentIsTheHeader) {
  const Keys ann =
      t.user("ann", allow(R"("*")") + "," +
                        denial("*", "*", R"({"StringNotLike":{"aws:UserAgent":"spot-tool/*"}})"));
  const auto status = [&](const char* agent) {
    Request request = t.signed_request(ann, "ec2", "Action=DescribeVolumes&Version=2016-11-15");
    request.set(http::field::user_agent, agent);
    return t.send(request).status();
  };
  EXPECT_EQ(status("spot-tool/1.0"), 200);
  EXPECT_EQ(status("curl/8.0"), 403);
}

// The credentials in an answer of STS.
Keys session_in(const Answer& answer, const std::string& action) {
  const auto part = [&](const char* name) {
    return answer.at(action + "Result/Credentials/" + name);
  };
  return {part("AccessKeyId"), part("SecretAccessKey"), part("SessionToken")};
}

// IAM User Guide, "Revoke IAM role temporary security credentials".
TEST_F(ConditionKeys, OlderSessionsAreRevokedByTheirIssueTime) {
  const Keys ann = t.user(
      "ann", allow(R"("*")") + "," +
                 denial("ec2:*", "*",
                        R"({"DateLessThan":{"aws:TokenIssueTime":"2019-11-05T11:00:00Z"}})"));
  const auto session = [&] {
    return session_in(t.call(ann, "sts", "GetSessionToken"), "GetSessionToken");
  };
  EXPECT_EQ(t.code(ann, "ec2", "DescribeVolumes"), "") << "no session";
  const Keys early = session();
  t.run(2h);
  EXPECT_EQ(t.code(early, "ec2", "DescribeVolumes"), "UnauthorizedOperation");
  EXPECT_EQ(t.code(session(), "ec2", "DescribeVolumes"), "");
}

TEST_F(ConditionKeys, ARoleChoosesTheNamesOfItsSessions) {
  const Keys ann = t.user("ann", allow(R"("sts:AssumeRole")"));
  t.backend.iam->set_trust_policy(
      "train",
      R"({"Statement":{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"AWS":"*"},)"
      R"("Condition":{"StringEquals":{"sts:RoleSessionName":"ann"}}}})");
  const auto code = [&](const char* name) {
    return t.code(ann, "sts", "AssumeRole",
                  {{"RoleArn", kAccount + "role/train"}, {"RoleSessionName", name}});
  };
  EXPECT_EQ(code("ann"), "");
  EXPECT_EQ(code("bob"), "AccessDenied");
}

// An instance acts only on itself (IAM User Guide, "AWS global condition context keys").
TEST_F(ConditionKeys, TheSourceInstanceIsTheOneOfTheCredentials) {
  const std::string id = made("RunInstances", launch({{"IamInstanceProfile.Name", "train"}}),
                              "instancesSet/item/instanceId");
  Request metadata{http::verb::get, "/latest/meta-data/iam/security-credentials/train", 11};
  const auto json = nlohmann::json::parse(imds(t.backend, {id})(metadata).response.body());
  const Keys role{json["AccessKeyId"], json["SecretAccessKey"], json["Token"]};
  const auto code = [&](const std::string& instance) {
    t.backend.iam->put_policy(
        sim::iam::Owner::kRole, "train", "p",
        R"({"Statement":{"Effect":"Allow","Action":"ec2:DescribeVolumes","Resource":"*",)"
        R"("Condition":{"ArnEquals":{"ec2:SourceInstanceARN":)"
        R"("arn:aws:ec2:us-west-2:123456789012:instance/)" +
            instance + R"("}}}})");
    return t.code(role, "ec2", "DescribeVolumes");
  };
  EXPECT_EQ(code(id), "");
  EXPECT_EQ(code("i-0"), "UnauthorizedOperation");
}

// S3 User Guide, "Controlling access to a bucket with user policies".
TEST_F(ConditionKeys, APrefixLimitsTheListOfABucket) {
  const auto ask = [&](const Keys& keys, http::verb method, const std::string& target) {
    Request request{method, target, 11};
    request.set(http::field::host, "s3.us-west-2.amazonaws.com");
    const std::string now = t.signing_time();
    request.set("X-Amz-Date", now);
    request.set("x-amz-content-sha256", sha256_hex(""));
    TestIam::sign(request, keys, "s3", "us-west-2", now, sha256_hex(""));
    return t.send(request).status();
  };
  t.backend.objects.create_bucket("data", "us-west-2");
  const Keys ann =
      t.user("ann", R"({"Effect":"Allow","Action":"s3:ListBucket","Resource":"arn:aws:s3:::data",)"
                    R"("Condition":{"StringLike":{"s3:prefix":"home/ann/*"}}})");
  EXPECT_EQ(ask(ann, http::verb::get, "/data?list-type=2&prefix=home%2Fann%2F"), 200);
  EXPECT_EQ(ask(ann, http::verb::get, "/data?prefix=home%2Fann%2F"), 200);
  EXPECT_EQ(ask(ann, http::verb::get, "/data?list-type=2&prefix=home%2Fbob%2F"), 403);
  EXPECT_EQ(ask(ann, http::verb::get, "/data?list-type=2"), 403);
}

TEST_F(ConditionKeys, AnInstanceTypeLimitsTrainingJobs) {
  const Keys ann = t.user(
      "ann", R"({"Effect":"Allow","Action":"sagemaker:CreateTrainingJob","Resource":"*",)"
             R"("Condition":{"ForAllValues:StringLike":{"sagemaker:InstanceTypes":"ml.m5.*"}}},)" +
                 allow(R"("iam:PassRole")"));
  const auto is_denied = [&](const char* type) {
    const nlohmann::json job{
        {"TrainingJobName", "j"},
        {"RoleArn", kAccount + "role/train"},
        {"AlgorithmSpecification", {{"TrainingInputMode", "File"}, {"TrainingImage", "own"}}},
        {"OutputDataConfig", {{"S3OutputPath", "s3://data/out"}}},
        {"ResourceConfig", {{"InstanceType", type}, {"InstanceCount", 1}, {"VolumeSizeInGB", 10}}},
        {"StoppingCondition", {{"MaxRuntimeInSeconds", 60}}}};
    const Answer answer =
        t.send(t.signed_request(ann, "sagemaker", job.dump(), "SageMaker.CreateTrainingJob"));
    return answer.body().find("AccessDenied") != std::string::npos;
  };
  EXPECT_FALSE(is_denied("ml.m5.xlarge"));
  EXPECT_TRUE(is_denied("ml.p3.2xlarge"));
}

}  // namespace
}  // namespace fakes::authorisation
