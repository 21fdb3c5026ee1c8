// The permissions that CloudFormation needs for a stack's resources: its caller's, or its role's.
#include "fakes/authorisation/signing_for_test.h"
#include "fakes/cloudformation/stacks_for_test.h"

namespace fakes {
namespace {

using authorisation::allow;
using authorisation::kAdministrator;
using authorisation::Keys;

constexpr const char* kStackRole = "arn:aws:iam::123456789012:role/stacks";
constexpr const char* kOtherStackRole = "arn:aws:iam::123456789012:role/other";
constexpr const char* kStackOfAVolume = R"(
Parameters: {Zone: {Type: String, Default: us-west-2b}}
Resources:
  Data: {Type: AWS::EC2::Volume, Properties: {AvailabilityZone: !Ref Zone, Size: 10}}
)";
constexpr const char* kVolumeAndMachine = R"(
Resources:
  Data: {Type: AWS::EC2::Volume, Properties: {AvailabilityZone: us-west-2b, Size: 10}}
  Machine:
    Type: AWS::EC2::Instance
    DependsOn: Data
    Properties: {ImageId: ami-0123456789abcdef0, InstanceType: m4.xlarge}
)";

Fields update_of_zone() {
  return {{"UsePreviousTemplate", "true"},
          {"Parameters.member.1.ParameterKey", "Zone"},
          {"Parameters.member.1.ParameterValue", "us-west-2a"}};
}

// CloudFormation API reference, RoleARN: without one, the role that was previously associated with
// the stack.
TEST(StackRoles, ARoleRemainsUntilARequestNamesAnother) {
  TestStacks t;
  t.ask("CreateStack",
        {{"StackName", "s"}, {"TemplateBody", kStackOfAVolume}, {"RoleARN", kStackRole}});
  t.run(10min);
  Fields update = update_of_zone();
  update.emplace_back("StackName", "s");
  t.ask("UpdateStack", update);
  t.run(10min);
  EXPECT_EQ(t.status("s"), "UPDATE_COMPLETE");
  EXPECT_EQ(t.described("s", "RoleARN"), kStackRole);
  const std::string id = t.described("s", "StackId");
  t.ask("DeleteStack", {{"StackName", "s"}, {"RoleARN", kOtherStackRole}});
  t.run(10min);
  EXPECT_EQ(t.status(id), "DELETE_COMPLETE");
  EXPECT_EQ(t.described(id, "RoleARN"), kOtherStackRole);
}

struct StackPermissions : testing::Test {
  // An action on the stack `s`. Returns the error's message, if any.
  std::string ask(const Keys& keys, const std::string& action, Fields fields = {}) {
    fields.emplace_back("StackName", "s");
    const Answer answer = t.call(keys, "cloudformation", action, fields);
    t.run(20min);
    return answer.status() == 200 ? "" : answer.at("Error/Message");
  }
  std::string create(const Keys& keys, const std::string& text, Fields more = {}) {
    more.emplace_back("TemplateBody", text);
    more.emplace_back("Capabilities.member.1", "CAPABILITY_NAMED_IAM");
    return ask(keys, "CreateStack", more);
  }
  std::string status(const std::string& name = "s") const {
    return t.call(kAdministrator, "cloudformation", "DescribeStacks", {{"StackName", name}})
        .at("DescribeStacksResult/Stacks/member/StackStatus");
  }
  // The reasons of failed steps of a resource, the latest first.
  std::vector<std::string> failures(const std::string& resource) const {
    return t.call(kAdministrator, "cloudformation", "DescribeStackEvents", {{"StackName", "s"}})
        .all("DescribeStackEventsResult/StackEvents/member[LogicalResourceId='" + resource +
             "' and contains(ResourceStatus,'_FAILED')]/ResourceStatusReason");
  }
  void make_role(const std::string& name, const std::string& statements,
                 const std::string& service = "cloudformation.amazonaws.com") {
    t.service_role(name, service, statements);
  }

  authorisation::TestIam t;
};

TEST_F(StackPermissions, AStackFailsWithTheServicesReasonWhereItsCallerLacksOne) {
  const Keys ann = t.user("ann", allow(R"(["cloudformation:*","ec2:*Volume*"])"));
  EXPECT_EQ(create(ann, kVolumeAndMachine), "");
  EXPECT_EQ(status(), "ROLLBACK_COMPLETE");
  const auto reasons = failures("Machine");
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_TRUE(reasons[0].starts_with(
      "API: ec2:RunInstances You are not authorized to perform this operation. User: "
      "arn:aws:iam::123456789012:user/ann is not authorized to perform: ec2:RunInstances"))
      << reasons[0];
  EXPECT_EQ(t.denied(), "ec2:RunInstances implicit\n");
  const auto denied = std::ranges::find(t.events, "iam.denied", &sim::Event::kind);
  EXPECT_EQ(denied->fields.at("caller"), "cloudformation");
  EXPECT_EQ(denied->fields.at("principal"), "arn:aws:iam::123456789012:user/ann");
}

TEST_F(StackPermissions, ARollbackNeedsPermissionsToo) {
  const Keys ann =
      t.user("ann", allow(R"(["cloudformation:*","ec2:CreateVolume","ec2:DescribeVolumes"])"));
  create(ann, kVolumeAndMachine);
  EXPECT_EQ(status(), "ROLLBACK_FAILED");
  const auto reasons = failures("Data");
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_TRUE(reasons[0].starts_with("API: ec2:DeleteVolume You are not authorized")) << reasons[0];
  ask(kAdministrator, "DeleteStack");
  EXPECT_EQ(t.call(kAdministrator, "cloudformation", "ListStacks")
                .at("ListStacksResult/StackSummaries/member/StackStatus"),
            "DELETE_COMPLETE")
      << "another caller has the permission";
}

// The rollback removes the role that has no policy yet.
TEST_F(StackPermissions, ACreationThatCannotBeUndoneLeavesItsResourceToTheRollback) {
  const Keys ann = t.user("ann", allow(R"(["cloudformation:*","iam:CreateRole"])"));
  create(ann, R"(
Resources:
  Node:
    Type: AWS::IAM::Role
    Properties:
      RoleName: node
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - {Effect: Allow, Principal: {Service: ec2.amazonaws.com}, Action: "sts:AssumeRole"}
      ManagedPolicyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"]
)");
  EXPECT_EQ(status(), "ROLLBACK_FAILED");
  const auto reasons = failures("Node");
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_TRUE(reasons[1].starts_with("API: iam:AttachRolePolicy User: ")) << reasons[1];
  EXPECT_TRUE(t.backend.iam->roles().contains("node"));
}

TEST_F(StackPermissions, AnUpdateNeedsThoseOfItsOwnCaller) {
  create(kAdministrator, kStackOfAVolume);
  const Keys ann = t.user("ann", allow(R"(["cloudformation:*","ec2:Describe*"])"));
  EXPECT_EQ(ask(ann, "UpdateStack", update_of_zone()), "");
  EXPECT_EQ(status(), "UPDATE_ROLLBACK_COMPLETE");
  EXPECT_EQ(t.denied(), "ec2:CreateVolume implicit\n");
  EXPECT_EQ(ask(kAdministrator, "UpdateStack", update_of_zone()), "");
  EXPECT_EQ(status(), "UPDATE_COMPLETE");
}

TEST_F(StackPermissions, AChangeSetNeedsThoseOfItsExecutor) {
  const Keys ann = t.user("ann", allow(R"("cloudformation:*")"));
  EXPECT_EQ(
      ask(kAdministrator, "CreateChangeSet",
          {{"ChangeSetName", "c"}, {"ChangeSetType", "CREATE"}, {"TemplateBody", kStackOfAVolume}}),
      "");
  EXPECT_EQ(ask(ann, "ExecuteChangeSet", {{"ChangeSetName", "c"}}), "");
  EXPECT_EQ(status(), "ROLLBACK_COMPLETE");
  EXPECT_EQ(t.denied(), "ec2:CreateVolume implicit\n");
}

TEST_F(StackPermissions, ARoleReplacesTheCallersInAllOperations) {
  const Keys ann = t.user("ann", allow(R"(["cloudformation:*","iam:PassRole"])"));
  make_role("stacks", allow(R"("ec2:*")"));
  EXPECT_EQ(create(ann, kStackOfAVolume, {{"RoleARN", kStackRole}}), "");
  EXPECT_EQ(status(), "CREATE_COMPLETE");
  EXPECT_EQ(ask(ann, "UpdateStack", update_of_zone()), "");
  EXPECT_EQ(status(), "UPDATE_COMPLETE");
  t.permit(sim::iam::Owner::kRole, "stacks", allow(R"("ec2:Describe*")"));
  EXPECT_EQ(ask(ann, "DeleteStack"), "");
  EXPECT_EQ(status(), "DELETE_FAILED");
  const auto reasons = failures("Data");
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].find("User: arn:aws:sts::123456789012:assumed-role/stacks/AWSCloudFormation "
                            "is not authorized to perform: ec2:DeleteVolume"),
            std::string::npos)
      << reasons[0];
  EXPECT_TRUE(t.backend.iam->roles().at("stacks").last_used);
}

TEST_F(StackPermissions, ARoleMustTrustCloudFormation) {
  const std::string refusal =
      std::string("Role ") + kStackRole + " is invalid or cannot be assumed";
  EXPECT_EQ(create(kAdministrator, kStackOfAVolume, {{"RoleARN", kStackRole}}), refusal);
  make_role("stacks", allow(R"("*")"), "ec2.amazonaws.com");
  EXPECT_EQ(create(kAdministrator, kStackOfAVolume, {{"RoleARN", kStackRole}}), refusal);
  EXPECT_EQ(t.denied(), "sts:AssumeRole trust\nsts:AssumeRole trust\n");
}

TEST_F(StackPermissions, AStackWhoseRoleIsGoneIsDeletedWithAnother) {
  make_role("stacks", allow(R"("ec2:*")"));
  make_role("other", allow(R"("ec2:*")"));
  EXPECT_EQ(create(kAdministrator, kStackOfAVolume, {{"RoleARN", kStackRole}}), "");
  t.call(kAdministrator, "iam", "DeleteRolePolicy", {{"RoleName", "stacks"}, {"PolicyName", "p"}});
  t.call(kAdministrator, "iam", "DeleteRole", {{"RoleName", "stacks"}});
  EXPECT_EQ(ask(kAdministrator, "DeleteStack"),
            std::string("Role ") + kStackRole + " is invalid or cannot be assumed");
  EXPECT_EQ(ask(kAdministrator, "DeleteStack", {{"RoleARN", kOtherStackRole}}), "");
  EXPECT_TRUE(t.cloud.volumes().empty() ||
              t.cloud.volumes().begin()->second.state == sim::cloud::VolumeState::kDeleted);
}

TEST_F(StackPermissions, RolesArePassed) {
  make_role("stacks", allow(R"("ec2:*")"));
  make_role("node", allow(R"("s3:*")"), "ec2.amazonaws.com");
  const Fields profile{{"InstanceProfileName", "node"}, {"RoleName", "node"}};
  t.call(kAdministrator, "iam", "CreateInstanceProfile", {profile[0]});
  t.call(kAdministrator, "iam", "AddRoleToInstanceProfile", profile);
  const Keys ann = t.user("ann", allow(R"(["cloudformation:*","ec2:*"])"));
  const std::string missing =
      "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: iam:PassRole on "
      "resource: ";
  EXPECT_TRUE(
      create(ann, kStackOfAVolume, {{"RoleARN", kStackRole}}).starts_with(missing + kStackRole));
  EXPECT_EQ(create(ann, std::string(kVolumeAndMachine)
                            .replace(std::string(kVolumeAndMachine).find("{ImageId"), 1,
                                     "{IamInstanceProfile: node, ")),
            "");
  EXPECT_EQ(status(), "ROLLBACK_COMPLETE");
  const auto reasons = failures("Machine");
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_TRUE(reasons[0].starts_with("API: ec2:RunInstances You are not authorized")) << reasons[0];
  EXPECT_NE(reasons[0].find(missing + "arn:aws:iam::123456789012:role/node"), std::string::npos);
}

// IAM User Guide, "Forward access sessions".
TEST_F(StackPermissions, ConditionsKnowThatCloudFormationCalls) {
  const Keys ann = t.user("ann", "");
  const Fields volume{{"AvailabilityZone", "us-west-2b"}, {"Size", "1"}};
  const auto created = [&](const std::string& condition, const Fields& role = {}) {
    const std::string all = allow(R"(["cloudformation:*","iam:PassRole","ec2:Describe*"])");
    const std::string ec2 =
        R"({"Effect":"Allow","Action":"ec2:*","Resource":"*","Condition":)" + condition + "}";
    t.permit(sim::iam::Owner::kUser, "ann", all + "," + ec2);
    if (!role.empty()) t.permit(sim::iam::Owner::kRole, "stacks", ec2);
    EXPECT_EQ(create(ann, kStackOfAVolume, role), "");
    const std::string made = status();
    ask(kAdministrator, "DeleteStack", role);
    return made;
  };
  const std::string via = R"({"ForAnyValue:StringEquals":{"aws:CalledVia":)"
                          R"("cloudformation.amazonaws.com"}})";
  EXPECT_EQ(created(via), "CREATE_COMPLETE");
  EXPECT_EQ(t.code(ann, "ec2", "CreateVolume", volume), "UnauthorizedOperation");
  EXPECT_EQ(created(R"({"Bool":{"aws:ViaAWSService":"true"}})"), "CREATE_COMPLETE");
  EXPECT_EQ(created(R"({"Bool":{"aws:ViaAWSService":"false"}})"), "ROLLBACK_COMPLETE");
  EXPECT_EQ(t.code(ann, "ec2", "CreateVolume", volume), "");
  EXPECT_EQ(created(R"({"StringEquals":{"aws:CalledViaFirst":"cloudformation.amazonaws.com",)"
                    R"("aws:CalledViaLast":"cloudformation.amazonaws.com"}})"),
            "CREATE_COMPLETE");
  EXPECT_EQ(created(R"({"IpAddress":{"aws:SourceIp":"127.0.0.1/32"}})"), "ROLLBACK_COMPLETE")
      << "CloudFormation has another address";
  make_role("stacks", allow(R"("s3:*")"));
  EXPECT_EQ(created(via, {{"RoleARN", kStackRole}}), "CREATE_COMPLETE");
}

TEST_F(StackPermissions, AGroupLaunchesWithThoseOfItsStacksCaller) {
  constexpr const char* kGroup = R"(
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties: {LaunchTemplateData: {ImageId: ami-0123456789abcdef0, InstanceType: m4.xlarge}}
  Group:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties:
      MinSize: "1"
      MaxSize: "1"
      AvailabilityZones: [us-west-2b]
      LaunchTemplate:
        LaunchTemplateId: !Ref Template
        Version: !GetAtt Template.LatestVersionNumber
)";
  const std::string some = R"(["cloudformation:*","autoscaling:*","ec2:*LaunchTemplate*")";
  const Keys ann = t.user("ann", allow(some + "]"));
  EXPECT_EQ(create(ann, kGroup), "");
  EXPECT_EQ(status(), "ROLLBACK_COMPLETE");
  EXPECT_EQ(t.denied(), "ec2:RunInstances implicit\n");
  ask(ann, "DeleteStack");
  t.permit(sim::iam::Owner::kUser, "ann", allow(some + R"(,"ec2:RunInstances"])"));
  EXPECT_EQ(create(ann, kGroup), "");
  EXPECT_EQ(status(), "CREATE_COMPLETE");
  EXPECT_EQ(t.cloud.instances().size(), 1U);
}

TEST_F(StackPermissions, ParametersAreReadWithThoseOfTheCaller) {
  t.backend.parameters.put("/zone", {.type = "String", .value = "us-west-2b"});
  constexpr const char* kText = R"(
Parameters: {Zone: {Type: "AWS::SSM::Parameter::Value<String>", Default: /zone}}
Resources:
  Data: {Type: AWS::EC2::Volume, Properties: {AvailabilityZone: !Ref Zone, Size: 10}}
)";
  const std::string some = R"(["cloudformation:*","ec2:*","iam:PassRole")";
  const Keys ann = t.user("ann", allow(some + "]"));
  make_role("stacks", allow(R"("*")"));
  const std::string refusal = create(ann, kText, {{"RoleARN", kStackRole}});
  EXPECT_NE(refusal.find("is not authorized to perform: ssm:GetParameters"), std::string::npos)
      << refusal;
  t.permit(sim::iam::Owner::kUser, "ann", allow(some + R"(,"ssm:GetParameters"])"));
  EXPECT_EQ(create(ann, kText), "");
  EXPECT_EQ(status(), "CREATE_COMPLETE");
}

TEST_F(StackPermissions, CloudFormationsOwnTagsNeedNone) {
  const Keys ann = t.user("ann", allow(R"(["cloudformation:*","s3:*Bucket"])"));
  EXPECT_EQ(create(ann, "Resources: {B: {Type: AWS::S3::Bucket}}"), "");
  EXPECT_EQ(status(), "CREATE_COMPLETE");
  ask(ann, "DeleteStack");
  EXPECT_EQ(create(ann, "Resources: {B: {Type: AWS::S3::Bucket}}",
                   {{"Tags.member.1.Key", "team"}, {"Tags.member.1.Value", "x"}}),
            "");
  EXPECT_EQ(status(), "ROLLBACK_COMPLETE");
  EXPECT_EQ(t.denied(), "s3:PutBucketTagging implicit\n");
}

// CloudFormation stores the private key with the caller's permissions.
TEST_F(StackPermissions, AKeyPairNeedsThoseOfItsParameter) {
  constexpr const char* kPair =
      "Resources: {K: {Type: AWS::EC2::KeyPair, Properties: {KeyName: k}}}";
  const std::string some = R"(["cloudformation:*","ec2:*KeyPair*")";
  const Keys ann = t.user("ann", allow(some + "]"));
  EXPECT_EQ(create(ann, kPair), "");
  EXPECT_EQ(status(), "ROLLBACK_COMPLETE");
  EXPECT_EQ(t.denied(), "ssm:PutParameter implicit\n");
  EXPECT_TRUE(t.cloud.network().key_pairs.table.all().empty());
  ask(ann, "DeleteStack");
  t.permit(sim::iam::Owner::kUser, "ann", allow(some + R"(,"ssm:*Parameter"])"));
  EXPECT_EQ(create(ann, kPair), "");
  EXPECT_EQ(status(), "CREATE_COMPLETE");
  EXPECT_EQ(t.backend.parameters.all().size(), 1U);
}

TEST_F(StackPermissions, ATemplateIsReadWithThoseOfTheCaller) {
  t.backend.objects.create_bucket("templates");
  sim::objects::Object object;
  object.body = sim::objects::Body(std::make_shared<const sim::objects::Blob>(
      std::string("Resources: {L: {Type: AWS::Logs::LogGroup}}")));
  t.backend.objects.put("templates", "a.yaml", object);
  const std::string some = R"(["cloudformation:*")";
  const Keys ann = t.user("ann", allow(some + "]"));
  const Fields url{{"TemplateURL", "https://templates.s3.us-west-2.amazonaws.com/a.yaml"}};
  EXPECT_TRUE(ask(ann, "CreateStack", url).starts_with("S3 error: Access Denied"));
  EXPECT_EQ(t.denied(), "s3:GetObject implicit\n");
  t.permit(sim::iam::Owner::kUser, "ann", allow(some + R"(,"s3:GetObject"])"));
  EXPECT_EQ(ask(ann, "CreateStack", url), "");
}

}  // namespace
}  // namespace fakes
