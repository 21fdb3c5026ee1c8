#include "fakes/authorisation/authorisation.h"

#include <gtest/gtest.h>

#include "api/ec2.h"
#include "api/value.h"
#include "fakes/authorisation/signing_for_test.h"
#include "fakes/direct.h"
#include "fakes/http/http_date.h"

namespace fakes::authorisation {
namespace {

const Fields kLaunch{{"ImageId", "ami-0123456789abcdef0"},
                     {"InstanceType", "m4.xlarge"},
                     {"MinCount", "1"},
                     {"MaxCount", "1"},
                     {"Placement.AvailabilityZone", "us-west-2b"}};

TEST(Authorisation, AMissingPermissionIsNamedInAwssWords) {
  TestIam t;
  const Keys ann = t.user("ann", allow(R"("ec2:Describe*")"));
  EXPECT_EQ(t.call(ann, "ec2", "DescribeVolumes").status(), 200);
  const Answer refused = t.call(ann, "ec2", "AttachVolume",
                                {{"VolumeId", "vol-1"}, {"InstanceId", "i-1"}, {"Device", "f"}});
  EXPECT_EQ(refused.status(), 403);
  EXPECT_EQ(refused.code(), "UnauthorizedOperation");
  EXPECT_TRUE(refused.message().starts_with(
      "You are not authorized to perform this operation. User: "
      "arn:aws:iam::123456789012:user/ann is not authorized to perform: ec2:AttachVolume on "
      "resource: arn:aws:ec2:us-west-2:123456789012:instance/i-1 because no identity-based policy "
      "allows the ec2:AttachVolume action. Encoded authorization failure message: "))
      << refused.message();
  EXPECT_EQ(t.denied(), "ec2:AttachVolume implicit\n");
  const Answer iam = t.call(ann, "iam", "CreateUser", {{"UserName", "eve"}});
  EXPECT_EQ(iam.at("Error/Code"), "AccessDenied");
  EXPECT_EQ(iam.at("Error/Message"),
            "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: iam:CreateUser "
            "on resource: arn:aws:iam::123456789012:user/eve because no identity-based policy "
            "allows the iam:CreateUser action");
}

TEST(Authorisation, WrongSignaturesHaveEachServicesErrors) {
  TestIam t;
  const Keys wrong{kAdministrator.id, "another"}, unknown{"AKIAUNKNOWN", "x"};
  EXPECT_EQ(t.code(wrong, "ec2", "DescribeVolumes"), "AuthFailure");
  EXPECT_EQ(t.code(unknown, "ec2", "DescribeVolumes"), "AuthFailure");
  EXPECT_EQ(t.code(wrong, "iam", "ListUsers"), "SignatureDoesNotMatch");
  EXPECT_EQ(t.code(unknown, "iam", "ListUsers"), "InvalidClientTokenId");
  const auto json = [&](const Keys& keys) {
    return t.send(t.signed_request(keys, "logs", "{}", "Logs_20140328.DescribeLogGroups")).body();
  };
  EXPECT_NE(json(wrong).find("InvalidSignatureException"), std::string::npos) << json(wrong);
  EXPECT_NE(json(unknown).find("UnrecognizedClientException"), std::string::npos);
  EXPECT_EQ(json(kAdministrator).find("Exception"), std::string::npos) << json(kAdministrator);
  const Keys off = t.user("off", allow(R"("*")"));
  t.backend.iam->set_access_key_active("off", off.id, false);
  EXPECT_EQ(t.code(off, "iam", "ListUsers"), "InvalidClientTokenId");
}

TEST(Authorisation, RequestsWithoutAVersion4SignatureHaveEachServicesErrors) {
  TestIam t;
  const auto form = [&](const std::string& fields) {
    const Answer answer = t.send(TestBackend::post(fields, nullptr));
    return answer.code().empty() ? answer.at("Error/Code") : answer.code();
  };
  EXPECT_EQ(form("Action=DescribeVolumes&Version=2016-11-15"), "MissingAuthenticationToken");
  const std::string older =
      "Action=DescribeVolumes&Version=2016-11-15&AWSAccessKeyId=AKIDEXAMPLE&SignatureVersion=2&"
      "SignatureMethod=HmacSHA256&Signature=a";
  EXPECT_EQ(form(older), "AuthFailure");
  Request json = TestBackend::post("{}", nullptr);
  json.set("Content-Type", "application/x-amz-json-1.0");
  json.set("X-Amz-Target", "AmazonSQS.ListQueues");
  const auto answer = t.api(json).response;
  EXPECT_EQ(answer.result_int(), 400U);
  EXPECT_EQ(answer.body(), R"({"__type":"MissingAuthenticationTokenException",)"
                           R"("message":"Missing Authentication Token"})");
}

TEST(Authorisation, ASignaturesTimeMustBeNow) {
  TestIam t;
  const char* const old = "20191105T095400Z";
  const char* const early = "20191105T100600Z";
  EXPECT_EQ(t.code(kAdministrator, "ec2", "DescribeVolumes", {}, old), "RequestExpired");
  EXPECT_EQ(t.code(kAdministrator, "iam", "ListUsers", {}, early), "SignatureDoesNotMatch");
  EXPECT_EQ(t.call(kAdministrator, "iam", "ListUsers", {}, old).at("Error/Message"),
            "Signature expired: 20191105T095400Z is now earlier than 2019-11-05T09:55:00Z "
            "(2019-11-05T10:00:00Z - 5 min.)");
  t.backend.iam->set_deciding({.policies = true, .clients_time = false});
  EXPECT_EQ(t.code(kAdministrator, "ec2", "DescribeVolumes", {}, old), "");
}

TEST(Authorisation, ADryRunNeedsThePermission) {
  TestIam t;
  const Keys ann = t.user("ann", allow(R"("ec2:CreateVolume")"));
  const Fields volume{{"AvailabilityZone", "us-west-2b"}, {"Size", "1"}, {"DryRun", "true"}};
  EXPECT_EQ(t.code(ann, "ec2", "CreateVolume", volume), "DryRunOperation");
  EXPECT_EQ(t.code(t.user("bob", ""), "ec2", "CreateVolume", volume), "UnauthorizedOperation");
}

TEST(Authorisation, ResourcesAndTagsLimitPermissions) {
  TestIam t;
  const Keys tagged = t.user(
      "ann",
      R"({"Effect":"Allow","Action":"ec2:DeleteVolume","Resource":"arn:aws:ec2:*:*:volume/*",)"
      R"("Condition":{"StringEquals":{"ec2:ResourceTag/owner":"${aws:username}"}}},)"
      R"({"Effect":"Allow","Action":["ec2:CreateVolume","ec2:CreateTags"],"Resource":"*",)"
      R"("Condition":{"StringEquals":{"aws:RequestTag/owner":"ann"},)"
      R"("ForAllValues:StringEquals":{"aws:TagKeys":["owner"]}}})");
  const auto create = [&](const std::string& owner) {
    return t.call(tagged, "ec2", "CreateVolume",
                  {{"AvailabilityZone", "us-west-2b"},
                   {"Size", "1"},
                   {"TagSpecification.1.ResourceType", "volume"},
                   {"TagSpecification.1.Tag.1.Key", "owner"},
                   {"TagSpecification.1.Tag.1.Value", owner}});
  };
  EXPECT_EQ(create("bob").code(), "UnauthorizedOperation");
  const std::string own = create("ann").at("volumeId");
  t.run(1min);
  sim::cloud::VolumeSpec spec;
  spec.availability_zone = "us-west-2b", spec.size_gib = 1;
  const std::string other = t.cloud.create_volume(spec).value;
  t.run(1min);
  EXPECT_EQ(t.code(tagged, "ec2", "DeleteVolume", {{"VolumeId", other}}), "UnauthorizedOperation");
  EXPECT_EQ(t.code(tagged, "ec2", "DeleteVolume", {{"VolumeId", own}}), "");
}

TEST(Authorisation, ALaunchNeedsThePermissionToPassTheRole) {
  TestIam t;
  t.backend.iam->begin_with({"train"});
  const Keys launcher = t.user("ann", allow(R"("ec2:*")"));
  Fields launch = kLaunch;
  launch.emplace_back("IamInstanceProfile.Name", "train");
  EXPECT_EQ(t.code(launcher, "ec2", "RunInstances", kLaunch), "");
  EXPECT_EQ(t.code(launcher, "ec2", "RunInstances", launch), "UnauthorizedOperation");
  EXPECT_EQ(t.denied(), "iam:PassRole implicit\n");
  const auto put = [&](const char* service) {
    t.backend.iam->put_policy(
        sim::iam::Owner::kUser, "ann", "pass",
        std::string(R"({"Statement":{"Effect":"Allow","Action":"iam:PassRole","Resource":)") +
            R"("arn:aws:iam::123456789012:role/train","Condition":{"StringEquals":)" +
            R"({"iam:PassedToService":")" + service + R"("}}}})");
  };
  put("sagemaker.amazonaws.com");
  EXPECT_EQ(t.code(launcher, "ec2", "RunInstances", launch), "UnauthorizedOperation");
  put("ec2.amazonaws.com");
  EXPECT_EQ(t.code(launcher, "ec2", "RunInstances", launch), "");
}

// Service Authorization Reference: an instance has ec2:InstanceType, its image and volumes do not.
TEST(Authorisation, AKeyOfALaunchBelongsToSomeOfItsResources) {
  TestIam t;
  const auto statement = [](const char* effect, const std::string& resource,
                            const std::string& condition) {
    return std::string(R"({"Effect":")") + effect + R"(","Action":"ec2:RunInstances","Resource":)" +
           R"("arn:aws:ec2:*:*:)" + resource + R"(","Condition":)" + condition + "}";
  };
  const std::string small = R"({"StringEquals":{"ec2:InstanceType":"m4.xlarge"}})";
  EXPECT_EQ(t.code(t.user("ann", statement("Allow", "*", small)), "ec2", "RunInstances", kLaunch),
            "UnauthorizedOperation")
      << "an image has no instance type";
  const Keys bob = t.user(
      "bob",
      allow(R"("ec2:RunInstances")") + "," +
          statement("Deny", "volume/*", R"({"NumericGreaterThan":{"ec2:VolumeSize":"50"}})") + "," +
          statement("Deny", "instance/*", R"({"StringNotEquals":{"aws:RequestTag/a":"1"}})") + "," +
          allow(R"("ec2:CreateTags")"));
  const auto code = [&](const char* second_size, const char* tagged) {
    Fields launch = kLaunch;
    const std::pair<std::string, const char*> sizes[] = {{"1", "8"}, {"2", second_size}};
    for (const auto& [n, size] : sizes) {
      launch.emplace_back("BlockDeviceMapping." + n + ".DeviceName", "/dev/sdf" + n);
      launch.emplace_back("BlockDeviceMapping." + n + ".Ebs.VolumeSize", size);
    }
    launch.emplace_back("TagSpecification.1.ResourceType", tagged);
    launch.emplace_back("TagSpecification.1.Tag.1.Key", "a");
    launch.emplace_back("TagSpecification.1.Tag.1.Value", "1");
    return t.code(bob, "ec2", "RunInstances", launch);
  };
  EXPECT_EQ(code("8", "instance"), "");
  EXPECT_EQ(code("80", "instance"), "UnauthorizedOperation") << "each volume has its own size";
  EXPECT_EQ(code("8", "volume"), "UnauthorizedOperation") << "the tag is the volume's";
}

TEST(Authorisation, ALaunchTemplatesParametersAreThoseOfTheLaunch) {
  TestIam t;
  const std::string id = t.call(kAdministrator, "ec2", "CreateLaunchTemplate",
                                {{"LaunchTemplateName", "big"},
                                 {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                 {"LaunchTemplateData.InstanceType", "p3.2xlarge"}})
                             .at("launchTemplate/launchTemplateId");
  const auto user = [&](const char* name, const std::string& resource) {
    return t.user(name, allow(R"("ec2:RunInstances")") +
                            R"(,{"Effect":"Deny","Action":"ec2:RunInstances","Resource":")" +
                            resource + R"(","Condition":{"StringEquals":)" +
                            R"({"ec2:InstanceType":"p3.2xlarge"}}})");
  };
  const Fields launch{{"LaunchTemplate.LaunchTemplateName", "big"},
                      {"MinCount", "1"},
                      {"MaxCount", "1"},
                      {"Placement.AvailabilityZone", "us-west-2b"}};
  EXPECT_EQ(t.code(user("ann", "*"), "ec2", "RunInstances", launch), "UnauthorizedOperation");
  const Keys bob =
      t.user("bob", allow(R"("ec2:RunInstances")") +
                        R"(,{"Effect":"Deny","Action":"ec2:RunInstances","Resource":)" +
                        R"("arn:aws:ec2:us-west-2:123456789012:launch-template/)" + id + R"("})");
  EXPECT_EQ(t.code(bob, "ec2", "RunInstances", launch), "UnauthorizedOperation")
      << "a template that the request names by its name";
}

TEST(Authorisation, AGroupsTemplateNeedsThePermissionToLaunch) {
  TestIam t;
  t.call(kAdministrator, "ec2", "CreateLaunchTemplate",
         {{"LaunchTemplateName", "one"},
          {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
          {"LaunchTemplateData.InstanceType", "m4.xlarge"}});
  const auto create = [&](const Keys& keys) {
    const std::string body =
        "Action=CreateAutoScalingGroup&Version=2011-01-01&AutoScalingGroupName=g&MinSize=0&"
        "MaxSize=1&AvailabilityZones.member.1=us-west-2b&LaunchTemplate.LaunchTemplateName=one";
    return t.send(t.signed_request(keys, "autoscaling", body));
  };
  const Keys ann = t.user("ann", allow(R"("autoscaling:*")"));
  EXPECT_EQ(create(ann).at("Error/Code"), "AccessDenied");
  EXPECT_TRUE(create(ann)
                  .at("Error/Message")
                  .starts_with("You are not authorized to use launch template: lt-"));
  EXPECT_TRUE(t.denied().starts_with("ec2:RunInstances implicit\n")) << t.denied();
  EXPECT_EQ(create(t.user("bob", allow(R"(["autoscaling:*","ec2:RunInstances"])"))).status(), 200);
}

TEST(Authorisation, AnInstanceActsAsItsRoleUntilItsCredentialsExpire) {
  TestIam t;
  t.backend.iam->begin_with_policies(
      {{"train", R"({"Statement":)" + allow(R"("ec2:Describe*")") + "}"}});
  Fields launch = kLaunch;
  launch.emplace_back("IamInstanceProfile.Name", "train");
  const std::string id =
      t.call(kAdministrator, "ec2", "RunInstances", launch).at("instancesSet/item/instanceId");
  t.run(1min);
  const auto credentials = [&] {
    Request request{http::verb::get, "/latest/meta-data/iam/security-credentials/train", 11};
    const auto json = sim::Json::parse(imds(t.backend, {id})(request).response.body());
    return Keys{json["AccessKeyId"], json["SecretAccessKey"], json["Token"]};
  };
  const Keys first = credentials();
  EXPECT_EQ(t.call(first, "sts", "GetCallerIdentity").at("GetCallerIdentityResult/Arn"),
            "arn:aws:sts::123456789012:assumed-role/train/" + id);
  EXPECT_EQ(t.code(first, "ec2", "DescribeVolumes"), "");
  EXPECT_EQ(t.code(first, "ec2", "CreateVolume", {{"AvailabilityZone", "us-west-2b"}}),
            "UnauthorizedOperation");
  EXPECT_EQ(t.code({first.id, first.secret}, "ec2", "DescribeVolumes"), "AuthFailure")
      << "without the token";
  t.run(6h);
  EXPECT_EQ(t.code(first, "ec2", "DescribeVolumes"), "RequestExpired");
  EXPECT_EQ(t.code(first, "sts", "GetCallerIdentity"), "ExpiredToken");
  EXPECT_EQ(t.code(credentials(), "ec2", "DescribeVolumes"), "");
}

TEST(Authorisation, ARoleThatDoesNotTrustEc2GivesNoCredentials) {
  TestIam t;
  t.backend.iam->begin_with({"train"});
  t.backend.iam->set_trust_policy(
      "train", R"({"Statement":{"Effect":"Allow","Principal":{"Service":"ecs.amazonaws.com"},)"
               R"("Action":"sts:AssumeRole"}})");
  Fields launch = kLaunch;
  launch.emplace_back("IamInstanceProfile.Name", "train");
  const std::string id =
      t.call(kAdministrator, "ec2", "RunInstances", launch).at("instancesSet/item/instanceId");
  Request request{http::verb::get, "/latest/meta-data/iam/security-credentials/train", 11};
  EXPECT_NE(imds(t.backend, {id})(request).response.body().find("AssumeRoleUnauthorizedAccess"),
            std::string::npos);
}

TEST(Authorisation, RolesAreAssumedByTrustedCallersOnly) {
  TestIam t;
  const Keys ann = t.user("ann", ""), bob = t.user("bob", allow(R"("*")"));
  sim::iam::Role role;
  role.name = "train";
  role.trust_policy = R"({"Statement":{"Effect":"Allow","Action":"sts:AssumeRole","Principal":)"
                      R"({"AWS":"arn:aws:iam::123456789012:user/ann"},"Condition":{"StringEquals":)"
                      R"({"sts:ExternalId":"team"}}}})";
  const std::string arn = t.backend.iam->create_role(role).arn;
  t.backend.iam->attach_policy(sim::iam::Owner::kRole, "train",
                               "arn:aws:iam::aws:policy/AdministratorAccess");
  const Fields plain{{"RoleArn", arn}, {"RoleSessionName", "night"}};
  Fields with_id = plain;
  with_id.emplace_back("ExternalId", "team");
  EXPECT_EQ(t.code(ann, "sts", "AssumeRole", plain), "AccessDenied");
  EXPECT_EQ(t.code(bob, "sts", "AssumeRole", with_id), "AccessDenied");
  EXPECT_EQ(t.denied(), "sts:AssumeRole trust\nsts:AssumeRole trust\n");
  Fields limited = with_id;
  limited.emplace_back("Policy", R"({"Statement":)" + allow(R"("ec2:Describe*")") + "}");
  const Answer assumed = t.call(ann, "sts", "AssumeRole", limited);
  const auto part = [&](const char* name) {
    return assumed.at(std::string("AssumeRoleResult/Credentials/") + name);
  };
  const Keys session{part("AccessKeyId"), part("SecretAccessKey"), part("SessionToken")};
  EXPECT_EQ(part("Expiration"), "2019-11-05T11:00:00.000Z");
  EXPECT_EQ(t.code(session, "ec2", "DescribeVolumes"), "");
  EXPECT_EQ(t.code(session, "iam", "ListUsers"), "AccessDenied") << "not in the session policy";
  t.run(1h);
  EXPECT_EQ(t.code(session, "ec2", "DescribeVolumes"), "RequestExpired");
}

// The credentials in an answer of STS.
Keys credentials_in(const Answer& answer, const std::string& action) {
  const auto part = [&](const char* name) {
    return answer.at(action + "Result/Credentials/" + name);
  };
  return {part("AccessKeyId"), part("SecretAccessKey"), part("SessionToken")};
}

// IAM User Guide, "Pass session tags in AWS STS".
TEST(Authorisation, ARolesSessionHasTagsAndHandsOnTheTransitiveOnes) {
  TestIam t;
  const Keys ann = t.user("ann", allow(R"("*")"));
  const auto role = [&](const std::string& name, const std::string& actions) {
    sim::iam::Role made;
    made.name = name;
    made.tags = {{"team", "of the role"}};
    made.trust_policy =
        R"({"Statement":{"Effect":"Allow","Action":)" + actions + R"(,"Principal":{"AWS":"*"}}})";
    const std::string arn = t.backend.iam->create_role(made).arn;
    t.backend.iam->put_policy(
        sim::iam::Owner::kRole, name, "by-tag",
        R"({"Statement":[{"Effect":"Allow","Action":"sts:*","Resource":"*"},)"
        R"({"Effect":"Allow","Action":"ec2:Describe*","Resource":"*","Condition":)"
        R"({"StringEquals":{"aws:PrincipalTag/Team":"blue","aws:SourceIdentity":"ann"}}}]})");
    return arn;
  };
  const std::string tagged = role("tagged", R"("sts:*")"),
                    plain = role("plain", R"("sts:AssumeRole")");
  const auto asked = [&](const std::string& arn, const Fields& more) {
    Fields fields{{"RoleArn", arn}, {"RoleSessionName", "night"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  };
  const Fields blue{{"Tags.member.1.Key", "TEAM"},
                    {"Tags.member.1.Value", "blue"},
                    {"TransitiveTagKeys.member.1", "team"},
                    {"SourceIdentity", "ann"}};
  EXPECT_EQ(t.code(ann, "sts", "AssumeRole", asked(plain, blue)), "AccessDenied");
  EXPECT_EQ(t.denied(), "sts:TagSession trust\n");
  const Keys session =
      credentials_in(t.call(ann, "sts", "AssumeRole", asked(tagged, blue)), "AssumeRole");
  EXPECT_EQ(t.code(session, "ec2", "DescribeVolumes"), "");
  const Keys next =
      credentials_in(t.call(session, "sts", "AssumeRole", asked(plain, {})), "AssumeRole");
  EXPECT_EQ(t.code(next, "ec2", "DescribeVolumes"), "") << "both are handed on";
  EXPECT_EQ(t.code(session, "sts", "AssumeRole", asked(tagged, blue)), "InvalidParameterValue");
  EXPECT_EQ(t.code(session, "sts", "AssumeRole", asked(tagged, {{"SourceIdentity", "bob"}})),
            "ValidationError");
  const Keys bare =
      credentials_in(t.call(ann, "sts", "AssumeRole", asked(tagged, {})), "AssumeRole");
  EXPECT_EQ(t.code(bare, "ec2", "DescribeVolumes"), "UnauthorizedOperation");
  EXPECT_EQ(
      t.code(ann, "sts", "AssumeRole", {{"RoleArn", tagged}, {"RoleSessionName", "two words"}}),
      "ValidationError");
}

TEST(Authorisation, AFederatedUserHasWhatBothTheUserAndTheSessionPolicyAllow) {
  TestIam t;
  const Keys ann = t.user("ann", allow(R"(["ec2:*","s3:*"])") + "," +
                                     allow(R"("sts:GetFederationToken")",
                                           "arn:aws:sts::123456789012:federated-user/guest"));
  const Fields guest{{"Name", "guest"}};
  Fields limited = guest;
  limited.emplace_back("Policy", R"({"Statement":)" + allow(R"(["ec2:Describe*","iam:*"])") + "}");
  EXPECT_EQ(t.code(ann, "sts", "GetFederationToken", {{"Name", "other"}}), "AccessDenied");
  const Keys session =
      credentials_in(t.call(ann, "sts", "GetFederationToken", limited), "GetFederationToken");
  EXPECT_EQ(t.code(session, "ec2", "DescribeVolumes"), "");
  EXPECT_EQ(t.code(session, "ec2", "CreateVolume", {{"AvailabilityZone", "us-west-2b"}}),
            "UnauthorizedOperation");
  EXPECT_EQ(t.code(session, "sts", "GetSessionToken"), "AccessDenied");
  const Keys bare =
      credentials_in(t.call(ann, "sts", "GetFederationToken", guest), "GetFederationToken");
  EXPECT_EQ(t.code(bare, "ec2", "DescribeVolumes"), "UnauthorizedOperation")
      << "without a session policy";
  EXPECT_EQ(t.code(bare, "sts", "GetCallerIdentity"), "");
  t.run(12h);
  EXPECT_EQ(t.code(session, "ec2", "DescribeVolumes"), "RequestExpired");
}

TEST(Authorisation, ASessionThatAUserOpenedCallsFewActionsOfSts) {
  TestIam t;
  const Keys ann = t.user("ann", allow(R"("*")"));
  sim::iam::Role role;
  role.name = "train";
  role.trust_policy = R"({"Statement":{"Effect":"Allow","Action":"sts:AssumeRole","Principal":)"
                      R"({"AWS":"arn:aws:iam::123456789012:root"}}})";
  const Fields assume{{"RoleArn", t.backend.iam->create_role(role).arn},
                      {"RoleSessionName", "night"}};
  t.backend.iam->put_policy(sim::iam::Owner::kRole, "train", "all",
                            R"({"Statement":)" + allow(R"("*")") + "}");
  const Fields federation{{"Name", "guest"},
                          {"Policy", R"({"Statement":)" + allow(R"("*")") + "}"}};
  const Keys guest =
      credentials_in(t.call(ann, "sts", "GetFederationToken", federation), "GetFederationToken");
  const Keys session = credentials_in(t.call(ann, "sts", "GetSessionToken"), "GetSessionToken");
  const Keys assumed = credentials_in(t.call(ann, "sts", "AssumeRole", assume), "AssumeRole");
  const auto codes = [&](const Keys& keys) {
    return t.code(keys, "sts", "AssumeRole", assume) + "," +
           t.code(keys, "sts", "DecodeAuthorizationMessage", {{"EncodedMessage", "x"}}) + "," +
           t.code(keys, "sts", "GetCallerIdentity") + "," +
           t.code(keys, "sts", "GetFederationToken", federation) + "," +
           t.code(keys, "sts", "GetSessionToken");
  };
  const std::string kInvalid = "InvalidAuthorizationMessageException";
  EXPECT_EQ(codes(guest), "AccessDenied,AccessDenied,,AccessDenied,AccessDenied");
  EXPECT_EQ(codes(session), ",AccessDenied,,AccessDenied,AccessDenied");
  EXPECT_EQ(codes(assumed), "," + kInvalid + ",,AccessDenied,AccessDenied");
  EXPECT_EQ(codes(ann), "," + kInvalid + ",,,");
}

TEST(Authorisation, ASessionThatAUserOpenedCannotCallIam) {
  TestIam t;
  const Keys ann = t.user("ann", allow(R"("*")"));
  EXPECT_EQ(t.code(ann, "iam", "ListUsers"), "");
  const Keys session = credentials_in(t.call(ann, "sts", "GetSessionToken"), "GetSessionToken");
  EXPECT_EQ(t.code(session, "ec2", "DescribeVolumes"), "");
  EXPECT_EQ(t.code(session, "iam", "ListUsers"), "InvalidClientTokenId");
}

// ---- S3

TEST(Authorisation, ObjectsAreReadByCallersThatAPolicyOrTheBucketNames) {
  TestIam t;
  const Keys reader = t.user("ann", allow(R"("s3:GetObject")", "arn:aws:s3:::data/own/*"));
  const auto ask = [&](const Keys* keys, http::verb method, const std::string& target,
                       const std::string& body = "") {
    Request request{method, target, 11};
    request.set(http::field::host, "s3.us-west-2.amazonaws.com");
    request.body() = body;
    const std::string now = t.signing_time();
    request.set("X-Amz-Date", now);
    request.set("x-amz-content-sha256", sha256_hex(body));
    if (keys != nullptr) TestIam::sign(request, *keys, "s3", "us-west-2", now, sha256_hex(body));
    return t.send(request);
  };
  ask(&kAdministrator, http::verb::put, "/data",
      "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
      "</CreateBucketConfiguration>");
  ask(&kAdministrator, http::verb::put, "/data/own/a", "1");
  ask(&kAdministrator, http::verb::put, "/data/other", "2");
  EXPECT_EQ(ask(&reader, http::verb::get, "/data/own/a").status(), 200);
  const Answer refused = ask(&reader, http::verb::get, "/data/other");
  EXPECT_EQ(refused.status(), 403);
  EXPECT_EQ(refused.at("Code"), "AccessDenied");
  EXPECT_EQ(refused.at("Message"),
            "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: s3:GetObject "
            "on resource: \"arn:aws:s3:::data/other\" because no identity-based policy allows the "
            "s3:GetObject action");
  EXPECT_EQ(ask(&reader, http::verb::put, "/data/own/a", "3").status(), 403);
  EXPECT_EQ(ask(&reader, http::verb::get, "/data").status(), 403) << "ListBucket";
  const Keys wrong{reader.id, "x"};
  EXPECT_EQ(ask(&wrong, http::verb::get, "/data/own/a").at("Code"), "SignatureDoesNotMatch");
  const Keys unknown{"AKIAUNKNOWN", "x"};
  EXPECT_EQ(ask(&unknown, http::verb::get, "/data/own/a").at("Code"), "InvalidAccessKeyId");

  const std::string policy =
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":)"
      R"({"AWS":"arn:aws:iam::123456789012:user/ann"},"Action":"s3:GetObject","Resource":)"
      R"("arn:aws:s3:::data/other"}})";
  EXPECT_EQ(ask(&kAdministrator, http::verb::put, "/data?policy", policy).status(), 204);
  EXPECT_EQ(ask(&reader, http::verb::get, "/data/other").status(), 200);
}

// ---- requests that are structs

TEST(Authorisation, ProgramsInThisProcessHaveTheRoleOfTheirInstance) {
  TestIam t;
  t.backend.iam->begin_with_policies(
      {{"train", R"({"Statement":)" + allow(R"("ec2:DescribeVolumes")") + "}"}});
  Fields launch = kLaunch;
  launch.emplace_back("IamInstanceProfile.Name", "train");
  const std::string id =
      t.call(kAdministrator, "ec2", "RunInstances", launch).at("instancesSet/item/instanceId");
  const auto code = [&](const std::string& caller, const char* action) {
    const api::Service& ec2 = api::ec2::kService;
    const api::Operation& operation = *ec2.find(action);
    const api::Object request(*operation.input.shape);
    return direct_aws(t.backend, caller)({ec2, operation, request.get(), "us-west-2"}).error.code;
  };
  EXPECT_EQ(code(id, "DescribeVolumes"), "");
  EXPECT_EQ(code(id, "DescribeInstances"), "UnauthorizedOperation");
  EXPECT_EQ(code("operator", "DescribeInstances"), "");
}

}  // namespace
}  // namespace fakes::authorisation
