// IAM without a socket, and aws-cli and boto3 against it.
#include "api/fuzz/fuzz.h"
#include "api/http.h"
#include "fakes/client_programs_for_test.h"

namespace fakes {
namespace {

constexpr const char* kSignedForIam =
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-east-1/iam/aws4_request, "
    "SignedHeaders=host, Signature=0";
const std::string kEc2Trust =
    R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":)"
    R"({"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]})";
const std::string kAnyDocument =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}})";

struct TestIam : TestBackend {
  Answer iam(const std::string& action, const Fields& fields = {}) const {
    std::string body = "Action=" + action + "&Version=2010-05-08";
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return send(post(body, kSignedForIam));
  }
  std::string code(const std::string& action, const Fields& fields) const {
    return iam(action, fields).at("Error/Code");
  }
  void profile(const std::string& name, bool with_role = true) const {
    iam("CreateRole", {{"RoleName", name}, {"AssumeRolePolicyDocument", kEc2Trust}});
    iam("CreateInstanceProfile", {{"InstanceProfileName", name}});
    if (with_role)
      iam("AddRoleToInstanceProfile", {{"InstanceProfileName", name}, {"RoleName", name}});
  }
  Answer launch(const std::string& profile) const {
    return ec2("RunInstances", {{"ImageId", "ami-0123456789abcdef0"},
                                {"InstanceType", "m4.xlarge"},
                                {"MinCount", "1"},
                                {"MaxCount", "1"},
                                {"IamInstanceProfile.Name", profile}});
  }
  std::string metadata(const std::string& instance, const std::string& path) {
    Request request{boost::beast::http::verb::get, "/latest/meta-data/iam/" + path, 11};
    const auto reply = imds(backend, {instance})(request);
    return reply.response.result_int() == 200 ? reply.response.body() : "";
  }
};

TEST(Iam, AnExpiredCredentialReportIsMadeAgain) {
  TestIam t;
  const std::string result = "GenerateCredentialReportResult/";
  const Answer first = t.iam("GenerateCredentialReport");
  EXPECT_TRUE(first.at(result + "Description").starts_with("No report exists."));
  t.run(4h);
  EXPECT_EQ(t.code("GetCredentialReport", {}), "ReportExpired");
  const Answer again = t.iam("GenerateCredentialReport");
  EXPECT_EQ(again.at(result + "State"), "STARTED");
  EXPECT_EQ(again.at(result + "Description"), "") << "a report exists";
}

TEST(Iam, DetailsAndPoliciesComeInPagesOfAnySize) {
  const TestIam t;
  const std::string s3 = "arn:aws:iam::aws:policy/AmazonS3FullAccess";
  for (const char* name : {"b", "A", "c"}) {
    t.iam("CreateUser", {{"UserName", name}});
    t.iam("CreateGroup", {{"GroupName", name}});
    t.iam("CreatePolicy", {{"PolicyName", name}, {"PolicyDocument", kAnyDocument}});
  }
  t.profile("r");
  t.iam("AttachGroupPolicy", {{"GroupName", "b"}, {"PolicyArn", s3}});
  t.iam("AttachUserPolicy", {{"UserName", "b"}, {"PolicyArn", s3}});
  t.iam("PutUserPermissionsBoundary", {{"UserName", "c"}, {"PermissionsBoundary", s3}});
  const std::string result = "GetAccountAuthorizationDetailsResult/";
  const auto names = [&](const Answer& answer) {
    std::string all;
    for (const char* path : {"UserDetailList/member/UserName", "GroupDetailList/member/GroupName",
                             "RoleDetailList/member/RoleName", "Policies/member/PolicyName"})
      for (const std::string& name : answer.all(result + path)) all += name + " ";
    return all;
  };
  for (const int size : {1, 3, 4, 20}) {
    std::string all, marker;
    do {
      Fields fields{{"MaxItems", std::to_string(size)}};
      if (!marker.empty()) fields.emplace_back("Marker", marker);
      const Answer page = t.iam("GetAccountAuthorizationDetails", fields);
      all += names(page);
      marker = page.at(result + "Marker");
    } while (!marker.empty());
    EXPECT_EQ(all, "A b c A b c r A b c AmazonS3FullAccess ") << size;
  }
  const Answer attached = t.iam("ListPolicies", {{"OnlyAttached", "true"}});
  const std::string listed = "ListPoliciesResult/Policies/member/";
  EXPECT_EQ(attached.all(listed + "Arn"), std::vector{s3});
  EXPECT_EQ(attached.at(listed + "AttachmentCount"), "2");
  EXPECT_EQ(attached.at(listed + "PermissionsBoundaryUsageCount"), "1");
  EXPECT_EQ(t.iam("GetAccountSummary")
                .at("GetAccountSummaryResult/SummaryMap/entry[key="
                    "'PolicyVersionsInUse']/value"),
            "1");
}

TEST(Iam, DocumentsComePercentEncoded) {
  const TestIam t;
  const Answer made =
      t.iam("CreateRole", {{"RoleName", "train"}, {"AssumeRolePolicyDocument", kEc2Trust}});
  EXPECT_EQ(made.at("CreateRoleResult/Role/Arn"), "arn:aws:iam::123456789012:role/train");
  EXPECT_EQ(made.at("CreateRoleResult/Role/CreateDate"), "2019-11-05T10:00:00.000Z");
  EXPECT_EQ(made.at("CreateRoleResult/Role/AssumeRolePolicyDocument").substr(0, 20),
            "%7B%22Version%22%3A%");
}

TEST(Iam, RefusalsHaveAwsCodes) {
  const TestIam t;
  t.profile("train");
  const Fields role{{"RoleName", "train"}, {"AssumeRolePolicyDocument", kEc2Trust}};
  EXPECT_EQ(t.code("CreateRole", role), "EntityAlreadyExists");
  EXPECT_EQ(t.code("CreateRole", {{"RoleName", "a b"}, {"AssumeRolePolicyDocument", kEc2Trust}}),
            "ValidationError");
  EXPECT_EQ(t.code("CreateRole", {{"RoleName", "a"}, {"AssumeRolePolicyDocument", "{"}}),
            "MalformedPolicyDocument");
  EXPECT_EQ(t.code("GetRole", {}), "ValidationError");
  EXPECT_EQ(t.code("GetRole", {{"RoleName", "none"}}), "NoSuchEntity");
  EXPECT_EQ(t.code("DeleteRole", {{"RoleName", "train"}}), "DeleteConflict");
  EXPECT_EQ(t.code("ListRoles", {{"Marker", "?"}}), "ValidationError");
  EXPECT_EQ(t.code("ListRoles", {{"PathPrefix", "a"}}), "ValidationError");
  EXPECT_EQ(t.code("ListPolicies", {{"PathPrefix", "a"}, {"Scope", "Local"}}), "ValidationError")
      << "also without policies";
  const auto version = [&](const std::string& id) {
    return t.code("GetPolicyVersion", {{"PolicyArn",
                                        "arn:aws:iam::aws:policy/service-role/"
                                        "AWSFaultInjectionSimulatorEC2Access"},
                                       {"VersionId", id}});
  };
  EXPECT_EQ(version("v9"), "NoSuchEntity");
  EXPECT_EQ(version("nine"), "ValidationError");
  EXPECT_EQ(t.code("TagRole", {{"RoleName", "train"},
                               {"Tags.member.1.Key", "a"},
                               {"Tags.member.1.Value", "1"},
                               {"Tags.member.2.Key", "A"},
                               {"Tags.member.2.Value", "2"}}),
            "InvalidInput");
  EXPECT_EQ(t.code("UntagRole", {{"RoleName", "train"}, {"TagKeys.member.1", "no!"}}),
            "ValidationError");
  EXPECT_EQ(t.iam("GetRole", {{"RoleName", "none"}}).status(), 404);
  EXPECT_EQ(t.code("CreateSAMLProvider", {{"Name", "me"}}), "InvalidAction");
}

TEST(Iam, ATrustPolicyNamesPrincipalsThatExist) {
  const TestIam t;
  t.iam("CreateUser", {{"UserName", "ann"}, {"Path", "/team/"}});
  t.profile("train");
  const std::string own = "arn:aws:iam::123456789012:";
  const auto trust = [](const std::string& principal) {
    return R"({"Statement":{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"AWS":")" +
           principal + R"("}}})";
  };
  const auto update = [&](const std::string& principal) {
    return t.iam("UpdateAssumeRolePolicy",
                 {{"RoleName", "train"}, {"PolicyDocument", trust(principal)}});
  };
  for (const std::string& good :
       {own + "user/team/ann", own + "role/train", own + "role/operator", own + "root",
        std::string("123456789012"), std::string("*"), std::string("AIDAIOSFODNN7EXAMPLE"),
        std::string("arn:aws:iam::111122223333:role/elsewhere"),
        std::string("arn:aws:sts::123456789012:assumed-role/train/i-0")})
    EXPECT_EQ(update(good).at("Error/Message"), "") << good;
  for (const std::string& bad :
       {own + "user/ann", own + "user/bob", own + "role/none", own + "role/*", own + "group/g",
        std::string("bob"), std::string("arn:aws::iam::123456789012:root")})
    EXPECT_EQ(update(bad).at("Error/Message"),
              "Invalid principal in policy: \"AWS\":\"" + bad + '"');
  EXPECT_EQ(t.code("CreateRole",
                   {{"RoleName", "self"}, {"AssumeRolePolicyDocument", trust(own + "role/self")}}),
            "MalformedPolicyDocument");
}

TEST(Iam, EveryPageHasWhatTheLastHadNot) {
  const TestIam t;
  for (const char* name : {"b", "A", "c"}) t.profile(name);
  std::string names;
  Fields fields{{"MaxItems", "1"}};
  for (;;) {
    const Answer page = t.iam("ListRoles", fields);
    names += page.at("ListRolesResult/Roles/member/RoleName");
    if (page.at("ListRolesResult/IsTruncated") == "false") break;
    fields = {{"MaxItems", "1"}, {"Marker", page.at("ListRolesResult/Marker")}};
  }
  EXPECT_EQ(names, "Abc");
}

TEST(Iam, AnInstanceGetsTheRoleOfItsProfile) {
  TestIam t;
  t.profile("train");
  const std::string id = t.launch("train").at("instancesSet/item/instanceId");
  EXPECT_EQ(t.metadata(id, "security-credentials/"), "train");
  EXPECT_NE(t.metadata(id, "security-credentials/train").find("AccessKeyId"), std::string::npos);
  t.iam("RemoveRoleFromInstanceProfile", {{"InstanceProfileName", "train"}, {"RoleName", "train"}});
  EXPECT_EQ(t.metadata(id, "security-credentials/train"), "");
  t.iam("DeleteInstanceProfile", {{"InstanceProfileName", "train"}});
  EXPECT_NE(t.metadata(id, "info").find("InstanceProfileNotFound"), std::string::npos);
}

TEST(Iam, ARoleIsUsedByTheCallsOfItsInstances) {
  TestIam t;
  t.profile("train");
  const std::string id = t.launch("train").at("instancesSet/item/instanceId");
  const auto region = [&] {
    return t.iam("GetRole", {{"RoleName", "train"}}).at("GetRoleResult/Role/RoleLastUsed/Region");
  };
  EXPECT_EQ(region(), "");
  t.api = aws(t.backend, id);
  t.ec2("DescribeVolumes", {});
  t.api = aws(t.backend, "operator");
  EXPECT_EQ(region(), "us-west-2");
}

TEST(Iam, LaunchesWithAnUnknownProfileAreRefused) {
  const TestIam t;
  EXPECT_EQ(t.launch("made-by-somebody").code(), "") << "before any client made a profile";
  t.profile("bare", false);
  const Answer unknown = t.launch("nope");
  EXPECT_EQ(unknown.code(), "InvalidParameterValue");
  EXPECT_EQ(unknown.message(),
            "Value (nope) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance "
            "Profile name");
  EXPECT_EQ(t.launch("bare").message(),
            "IAM Instance Profile \"arn:aws:iam::123456789012:instance-profile/bare\" has no "
            "associated IAM Roles");
  const std::string spec = "SpotFleetRequestConfig.LaunchSpecifications.1.";
  EXPECT_EQ(t.ec2("RequestSpotFleet", {{"SpotFleetRequestConfig.IamFleetRole", "r"},
                                       {"SpotFleetRequestConfig.TargetCapacity", "1"},
                                       {spec + "ImageId", "ami-0123456789abcdef0"},
                                       {spec + "InstanceType", "p3.2xlarge"},
                                       {spec + "IamInstanceProfile.Name", "nope"}})
                .code(),
            "InvalidParameterValue");
  EXPECT_EQ(t.ec2("RequestSpotInstances", {{"LaunchSpecification.ImageId", "ami-0123456789abcdef0"},
                                           {"LaunchSpecification.InstanceType", "p3.2xlarge"},
                                           {"LaunchSpecification.IamInstanceProfile.Name", "nope"}})
                .code(),
            "InvalidParameterValue");
}

TEST(Iam, AnInstancesProfileCanBeTakenAndReplaced) {
  TestIam t;
  t.profile("a");
  t.profile("b");
  const std::string id = t.launch("a").at("instancesSet/item/instanceId");
  const auto described = [&](const std::string& path) {
    return t
        .ec2("DescribeIamInstanceProfileAssociations",
             {{"Filter.1.Name", "instance-id"}, {"Filter.1.Value.1", id}})
        .at("iamInstanceProfileAssociationSet/item/" + path);
  };
  EXPECT_EQ(described("state"), "associated");
  const std::string first = described("associationId");
  EXPECT_EQ(
      t.ec2("AssociateIamInstanceProfile", {{"InstanceId", id}, {"IamInstanceProfile.Name", "b"}})
          .code(),
      "IncorrectState");
  t.ec2("ReplaceIamInstanceProfileAssociation",
        {{"AssociationId", first}, {"IamInstanceProfile.Name", "b"}});
  EXPECT_EQ(t.metadata(id, "security-credentials/"), "b");
  EXPECT_NE(described("associationId"), first);
  EXPECT_EQ(t.ec2("DisassociateIamInstanceProfile", {{"AssociationId", first}}).code(),
            "InvalidAssociationID.NotFound");
  t.ec2("DisassociateIamInstanceProfile", {{"AssociationId", described("associationId")}});
  EXPECT_EQ(described("associationId"), "");
  EXPECT_EQ(t.metadata(id, "info"), "");
  EXPECT_EQ(t.ec2("AssociateIamInstanceProfile",
                  {{"InstanceId", id}, {"IamInstanceProfile.Name", "nope"}})
                .code(),
            "InvalidParameterValue");
  EXPECT_EQ(
      t.ec2("AssociateIamInstanceProfile", {{"InstanceId", id}, {"IamInstanceProfile.Name", "a"}})
          .at("iamInstanceProfileAssociation/state"),
      "associating");
}

// ---- real clients

using IamClients = ClientPrograms;

TEST_F(IamClients, AwsCliMakesAProfileAndLaunchesWithIt) {
  EXPECT_EQ(run(R"(
cat >trust.json <<'EOF'
)" + kEc2Trust + R"(
EOF
aws iam create-role --role-name train --assume-role-policy-document file://trust.json \
  --tags Key=job,Value=1 --query Role.AssumeRolePolicyDocument.Version --output text
aws iam attach-role-policy --role-name train \
  --policy-arn arn:aws:iam::aws:policy/AmazonS3FullAccess
aws iam list-attached-role-policies --role-name train \
  --query 'AttachedPolicies[].PolicyName' --output text
aws iam create-instance-profile --instance-profile-name train >/dev/null
aws iam wait instance-profile-exists --instance-profile-name train
aws iam add-role-to-instance-profile --instance-profile-name train --role-name train
aws iam create-service-linked-role --aws-service-name spot.amazonaws.com \
  --query Role.RoleName --output text
aws ec2 run-instances --image-id ami-0123456789abcdef0 --instance-type m4.xlarge \
  --iam-instance-profile Name=train --query 'Instances[0].IamInstanceProfile.Arn' --output text
)"),
            "2012-10-17\nAmazonS3FullAccess\nAWSServiceRoleForEC2Spot\n"
            "arn:aws:iam::123456789012:instance-profile/train\n");
  const std::string refused = run("aws iam delete-role --role-name train 2>&1", 254);
  EXPECT_NE(refused.find("(DeleteConflict) when calling the DeleteRole operation"),
            std::string::npos)
      << refused;
}

TEST_F(IamClients, Boto3PagesAndWaits) {
  python(R"(
import json, os, boto3
iam = boto3.client("iam", endpoint_url=os.environ["ENDPOINT"])
trust = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}]})
for name in ("a", "b", "c"):
    iam.create_role(RoleName=name, AssumeRolePolicyDocument=trust, Path="/ml/")
iam.get_waiter("role_exists").wait(RoleName="c")
pages = iam.get_paginator("list_roles").paginate(PaginationConfig={"PageSize": 2})
assert [[r["RoleName"] for r in p["Roles"]] for p in pages] == [["a", "b"], ["c"]]
own = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::bucket/*"}]}
iam.put_role_policy(RoleName="a", PolicyName="read", PolicyDocument=json.dumps(own))
assert iam.get_role_policy(RoleName="a", PolicyName="read")["PolicyDocument"] == own
arn = iam.create_policy(PolicyName="own", PolicyDocument=json.dumps(own))["Policy"]["Arn"]
iam.get_waiter("policy_exists").wait(PolicyArn=arn)
assert iam.get_policy_version(PolicyArn=arn, VersionId="v1")["PolicyVersion"]["Document"] == own
try:
    iam.get_role(RoleName="none")
    raise SystemExit("found")
except iam.exceptions.NoSuchEntityException:
    pass
aws = [p["Arn"] for page in iam.get_paginator("list_policies").paginate(
    Scope="AWS", PaginationConfig={"PageSize": 50}) for p in page["Policies"]]
assert len(aws) > 80 and len(set(aws)) == len(aws), aws
role = iam.create_service_linked_role(AWSServiceName="spot.amazonaws.com")["Role"]["RoleName"]
task = iam.delete_service_linked_role(RoleName=role)["DeletionTaskId"]
assert iam.get_service_linked_role_deletion_status(DeletionTaskId=task)["Status"] == "SUCCEEDED"
iam.create_user(UserName="ann")
for action, members in (("list_mfa_devices", "MFADevices"),
                        ("list_ssh_public_keys", "SSHPublicKeys"),
                        ("list_signing_certificates", "Certificates"),
                        ("list_service_specific_credentials", "ServiceSpecificCredentials")):
    assert getattr(iam, action)(UserName="ann")[members] == [], action
)");
}

// ---- anything else

const std::string kConditions =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","NotAction":"iam:*",)"
    R"("Resource":"arn:${aws:username, 'x'}*","Condition":{"IpAddress":{"aws:SourceIp":)"
    R"(["10.0.0.0/8","2001:db8::/32"]},"ForAllValues:StringLike":{"aws:TagKeys":"a*"},)"
    R"("DateLessThanIfExists":{"aws:CurrentTime":"2030-01-01T00:00:00Z"},)"
    R"("NumericLessThanIfExists":{"s3:max-keys":"10"}}}})";
const std::string kIamSeeds[] = {
    "CreateRole&RoleName=b&Path=%2Fml%2F&AssumeRolePolicyDocument=" + url_encode(kEc2Trust) +
        "&Tags.member.1.Key=k&Tags.member.1.Value=v",
    "CreateServiceLinkedRole&AWSServiceName=spot.amazonaws.com",
    "DeleteServiceLinkedRole&RoleName=AWSServiceRoleForEC2Spot",
    "GetServiceLinkedRoleDeletionStatus&DeletionTaskId=task%2Faws-service-role%2Fx",
    "ListMFADevices&UserName=ann",
    "UpdateAssumeRolePolicy&RoleName=a&PolicyDocument=" + url_encode(kEc2Trust),
    "PutRolePolicy&RoleName=a&PolicyName=p&PolicyDocument=" + url_encode(kAnyDocument),
    "AttachRolePolicy&RoleName=a&PolicyArn=arn%3Aaws%3Aiam%3A%3Aaws%3Apolicy%2FAmazonS3FullAccess",
    "ListPolicies&Scope=AWS&MaxItems=2&PathPrefix=%2F",
    "CreatePolicy&PolicyName=own&PolicyDocument=" + url_encode(kAnyDocument),
    "GetPolicyVersion&VersionId=v1&PolicyArn=" +
        url_encode("arn:aws:iam::aws:policy/IAMFullAccess"),
    "RemoveRoleFromInstanceProfile&InstanceProfileName=a&RoleName=a",
    "ListRoles&MaxItems=1&Marker=YQ%3D%3D",
    "UntagRole&RoleName=a&TagKeys.member.1=k",
    "DeleteInstanceProfile&InstanceProfileName=a",
    "CreateUser&UserName=ann&Path=%2Fml%2F&Tags.member.1.Key=k&Tags.member.1.Value=v",
    "CreateAccessKey&UserName=ann",
    "AddUserToGroup&UserName=ann&GroupName=g",
    "PutGroupPolicy&GroupName=g&PolicyName=p&PolicyDocument=" + url_encode(kAnyDocument),
    "GetAccountAuthorizationDetails&Filter.member.1=Role&MaxItems=1&Marker=M2E%3D",
    "GenerateCredentialReport",
    "GetCredentialReport",
    "SimulatePrincipalPolicy&PolicySourceArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fa"
    "&ActionNames.member.1=s3%3AGetObject",
    "SimulateCustomPolicy&ActionNames.member.1=s3%3AGetObject&ResourceArns.member.1=arn%3Ax"
    "&ContextEntries.member.1.ContextKeyName=aws%3ASourceIp"
    "&ContextEntries.member.1.ContextKeyValues.member.1=10.0.0.1&PolicyInputList.member.1=" +
        url_encode(kConditions)};

TEST(IamFuzz, AnswersAnyFormWithWhatIamHas) {
  std::mt19937 random(3);
  std::unique_ptr<TestIam> t;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    if (round % 200 == 0) {
      t = std::make_unique<TestIam>();
      t->profile("a");
    }
    const std::string seed =
        "Version=2010-05-08&Action=" + kIamSeeds[random() % std::size(kIamSeeds)];
    const std::string form = random() % 4 == 0 ? seed : api::damaged(seed, random);
    const Answer answer = t->send(TestBackend::post(form, kSignedForIam));
    const auto status = answer.response.result_int();
    ASSERT_TRUE(status == 200 || (status >= 400 && status < 500)) << form << "\n" << answer.body();
    ASSERT_TRUE(answer.xml.document_element()) << form << "\n" << answer.body();
    ++(status == 200 ? done : refused);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 10);
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace
}  // namespace fakes
