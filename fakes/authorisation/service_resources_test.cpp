// The resources of requests for other services than EC2.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

using Json = nlohmann::json;

const std::string kPlace = ":us-west-2:123456789012:";

struct ServiceResources : testing::Test {
  Answer form(const Keys& keys, const std::string& service, const std::string& action,
              const Fields& fields) const {
    const std::map<std::string, std::string> versions{{"autoscaling", "2011-01-01"},
                                                      {"cloudformation", "2010-05-15"},
                                                      {"iam", "2010-05-08"},
                                                      {"sns", "2010-03-31"}};
    std::string body = "Action=" + action + "&Version=" + versions.at(service);
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return t.send(t.signed_request(keys, service, body));
  }
  Answer target(const Keys& keys, const std::string& service, const std::string& operation,
                const Json& body) const {
    const std::map<std::string, std::string> prefixes{{"logs", "Logs_20140328."},
                                                      {"ssm", "AmazonSSM."}};
    return t.send(t.signed_request(keys, service, body.dump(), prefixes.at(service) + operation));
  }
  // The resources on which the action was denied.
  std::string denied_on(const std::string& action) const {
    std::string all;
    for (const sim::Event& event : t.events)
      if (event.kind == "iam.denied" && event.fields.at("action").get<std::string>() == action)
        all += event.fields.at("resource").get<std::string>() + "\n";
    return all;
  }
  // Asks as a user without permissions, and returns the resource of the refusal.
  template <class Ask>
  std::string resource_of(const std::string& action, const Ask& ask) {
    t.events.clear();
    ask(t.user("nobody" + std::to_string(++users), ""));
    const std::string all = denied_on(action);
    return all.substr(0, all.find('\n'));
  }
  std::string resource_of_form(const std::string& service, const std::string& action,
                               const Fields& fields) {
    return resource_of(service + ":" + action,
                       [&](const Keys& keys) { form(keys, service, action, fields); });
  }
  std::string resource_of_target(const std::string& service, const std::string& action,
                                 const Json& body) {
    return resource_of(service + ":" + action,
                       [&](const Keys& keys) { target(keys, service, action, body); });
  }

  TestIam t;
  int users = 0;
};

// ---- Auto Scaling

struct GroupResources : ServiceResources {
  GroupResources() {
    form(kAdministrator, "autoscaling", "CreateLaunchConfiguration",
         {{"LaunchConfigurationName", "big"},
          {"ImageId", "ami-0123456789abcdef0"},
          {"InstanceType", "p3.2xlarge"}});
    const Answer made = form(kAdministrator, "autoscaling", "CreateAutoScalingGroup",
                             {{"AutoScalingGroupName", "web"},
                              {"LaunchConfigurationName", "big"},
                              {"MinSize", "0"},
                              {"MaxSize", "2"},
                              {"DesiredCapacity", "1"},
                              {"AvailabilityZones.member.1", "us-west-2b"},
                              {"Tags.member.1.Key", "team"},
                              {"Tags.member.1.Value", "ml"}});
    EXPECT_EQ(made.status(), 200) << made.body();
    t.run(5min);
    arn = t.backend.groups.group("web").arn;
    EXPECT_EQ(t.backend.groups.group("web").members.size(), 1U);
    instance = t.backend.groups.group("web").members.at(0).id.value;
  }
  std::string arn, instance;
};

TEST_F(GroupResources, HaveTheirOwnArns) {
  const std::string group = "AutoScalingGroupName";
  EXPECT_EQ(resource_of_form("autoscaling", "SetDesiredCapacity",
                             {{group, "web"}, {"DesiredCapacity", "1"}}),
            arn);
  const Keys ann = t.user("ann", allow(R"("autoscaling:SetDesiredCapacity")", arn));
  EXPECT_EQ(
      form(ann, "autoscaling", "SetDesiredCapacity", {{group, "web"}, {"DesiredCapacity", "1"}})
          .status(),
      200);
  const Fields scheduled{{group, "web"}, {"ScheduledActionName", "a"}};
  EXPECT_EQ(resource_of_form("autoscaling", "DeleteScheduledAction", scheduled), arn);
  EXPECT_EQ(resource_of_form("autoscaling", "EnterStandby",
                             {{group, "web"},
                              {"InstanceIds.member.1", instance},
                              {"ShouldDecrementDesiredCapacity", "true"}}),
            arn);
  EXPECT_EQ(resource_of_form("autoscaling", "DeleteTags",
                             {{"Tags.member.1.Key", "team"},
                              {"Tags.member.1.ResourceId", "web"},
                              {"Tags.member.1.ResourceType", "auto-scaling-group"}}),
            arn);
  EXPECT_EQ(resource_of_form("autoscaling", "DeleteLaunchConfiguration",
                             {{"LaunchConfigurationName", "big"}}),
            t.backend.groups.launch_configuration("big").arn);
}

TEST_F(GroupResources, AreThoseOfTheirInstances) {
  EXPECT_EQ(
      resource_of_form("autoscaling", "TerminateInstanceInAutoScalingGroup",
                       {{"InstanceId", instance}, {"ShouldDecrementDesiredCapacity", "true"}}),
      arn);
  EXPECT_EQ(resource_of_form("autoscaling", "SetInstanceHealth",
                             {{"InstanceId", instance}, {"HealthStatus", "Unhealthy"}}),
            arn);
  EXPECT_EQ(resource_of_form("autoscaling", "SetInstanceHealth",
                             {{"InstanceId", "i-1"}, {"HealthStatus", "Unhealthy"}}),
            "arn:aws:autoscaling" + kPlace + "autoScalingGroup:*:autoScalingGroupName/*");
}

TEST_F(GroupResources, ThatDoNotExistHaveAnyId) {
  EXPECT_EQ(resource_of_form("autoscaling", "CreateAutoScalingGroup",
                             {{"AutoScalingGroupName", "other"},
                              {"LaunchConfigurationName", "big"},
                              {"MinSize", "0"},
                              {"MaxSize", "0"},
                              {"AvailabilityZones.member.1", "us-west-2b"}}),
            "arn:aws:autoscaling" + kPlace + "autoScalingGroup:*:autoScalingGroupName/other");
}

// ---- CloudFormation

TEST_F(ServiceResources, OfStacksHaveTheirIds) {
  const Answer made = form(kAdministrator, "cloudformation", "CreateStack",
                           {{"StackName", "net"},
                            {"TemplateBody", R"({"Resources":{"Vpc":{"Type":"AWS::EC2::VPC",)"
                                             R"("Properties":{"CidrBlock":"10.0.0.0/16"}}}})"}});
  const std::string id = made.at("CreateStackResult/StackId");
  t.run(10min);
  for (const std::string& name : {std::string("net"), id})
    for (const char* action : {"DescribeStacks", "DescribeStackEvents", "ListStackResources",
                               "ListChangeSets", "GetTemplateSummary", "CancelUpdateStack"})
      EXPECT_EQ(resource_of_form("cloudformation", action, {{"StackName", name}}), id) << action;
  EXPECT_EQ(resource_of_form("cloudformation", "SignalResource",
                             {{"StackName", "net"},
                              {"LogicalResourceId", "Vpc"},
                              {"UniqueId", "1"},
                              {"Status", "SUCCESS"}}),
            id);
  EXPECT_EQ(resource_of_form("cloudformation", "UpdateTerminationProtection",
                             {{"StackName", "net"}, {"EnableTerminationProtection", "true"}}),
            id);
  const std::string stack = "arn:aws:cloudformation" + kPlace + "stack/";
  EXPECT_EQ(resource_of_form("cloudformation", "DeleteStack", {{"StackName", "other"}}),
            stack + "other/*");
  EXPECT_EQ(resource_of_form("cloudformation", "GetTemplateSummary", {{"TemplateBody", "{}"}}),
            "*");
  const std::string set =
      form(kAdministrator, "cloudformation", "CreateChangeSet",
           {{"StackName", "net"}, {"ChangeSetName", "more"}, {"TemplateBody", R"({"Resources":{
             "Vpc":{"Type":"AWS::EC2::VPC","Properties":{"CidrBlock":"10.0.0.0/16",
             "Tags":[{"Key":"a","Value":"b"}]}}}})"}})
          .at("CreateChangeSetResult/Id");
  EXPECT_NE(set, "");
  for (const char* action :
       {"DescribeChangeSet", "DeleteChangeSet", "ExecuteChangeSet", "GetTemplate"}) {
    EXPECT_EQ(resource_of_form("cloudformation", action, {{"ChangeSetName", set}}), id) << action;
    EXPECT_EQ(resource_of_form("cloudformation", action,
                               {{"ChangeSetName", set}, {"StackName", "other"}}),
              id)
        << action;
    EXPECT_EQ(resource_of_form("cloudformation", action,
                               {{"ChangeSetName", "more"}, {"StackName", "net"}}),
              id)
        << action;
  }
}

// CloudFormation API reference, DescribeStacks: without a name it needs ListStacks as well.
TEST_F(ServiceResources, OfAllStacksNeedThePermissionToListThem) {
  const Keys ann = t.user("ann", allow(R"("cloudformation:DescribeStacks")"));
  EXPECT_EQ(form(ann, "cloudformation", "DescribeStacks", {}).status(), 403);
  EXPECT_EQ(resource_of_form("cloudformation", "DescribeStacks", {}), "*");
  const Keys bob =
      t.user("bob", allow(R"(["cloudformation:DescribeStacks","cloudformation:ListStacks"])"));
  EXPECT_EQ(form(bob, "cloudformation", "DescribeStacks", {}).status(), 200);
}

// ---- IAM

TEST_F(ServiceResources, OfCallsWithoutAUserAreTheCaller) {
  const std::string own = "arn:aws:iam::123456789012:user/ann";
  const Keys ann = t.user("ann", allow(R"(["iam:GetUser","iam:*AccessKey*"])", own));
  EXPECT_EQ(form(ann, "iam", "GetUser", {}).status(), 200);
  EXPECT_EQ(form(ann, "iam", "ListAccessKeys", {}).status(), 200);
  EXPECT_EQ(form(ann, "iam", "CreateAccessKey", {}).status(), 200);
  EXPECT_EQ(form(ann, "iam", "GetAccessKeyLastUsed", {{"AccessKeyId", ann.id}}).status(), 200);
  EXPECT_EQ(form(ann, "iam", "ListMFADevices", {}).status(), 403);
  EXPECT_EQ(form(ann, "iam", "GetUser", {{"UserName", "bob"}}).status(), 403);
  EXPECT_EQ(denied_on("iam:ListMFADevices"), own + "\n");
}

TEST_F(ServiceResources, OfIamHaveTheTypeThatAwsDecidesOn) {
  const std::string iam = "arn:aws:iam::123456789012:";
  EXPECT_EQ(resource_of_form("iam", "SimulatePrincipalPolicy",
                             {{"PolicySourceArn", iam + "user/ann"},
                              {"ActionNames.member.1", "ec2:RunInstances"}}),
            iam + "user/ann");
  EXPECT_EQ(resource_of_form("iam", "CreateServiceLinkedRole",
                             {{"AWSServiceName", "spot.amazonaws.com"}}),
            iam + "role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot");
  EXPECT_EQ(resource_of_form("iam", "GetServiceLinkedRoleDeletionStatus",
                             {{"DeletionTaskId",
                               "task/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot/"
                               "3f2c1a00-0000-4000-8000-000000000000"}}),
            iam + "role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot");
  for (const char* action : {"AddUserToGroup", "RemoveUserFromGroup"})
    EXPECT_EQ(resource_of_form("iam", action, {{"UserName", "ann"}, {"GroupName", "team"}}),
              iam + "group/team");
}

// ---- CloudWatch Logs

// CloudWatch Logs User Guide, "Identity-based policies": the ARN of a log group in a policy ends in
// ":*", but for the calls about tags.
TEST_F(ServiceResources, OfLogGroupsEndInTheirStreams) {
  const std::string group = "arn:aws:logs" + kPlace + "log-group:train";
  const Keys ann = t.user(
      "ann", allow(R"(["logs:Create*","logs:Put*","logs:Delete*","logs:Filter*","logs:Get*",)"
                   R"("logs:DescribeLogStreams"])",
                   group + ":*"));
  const auto status = [&](const char* operation, Json body) {
    body["logGroupName"] = "train";
    return target(ann, "logs", operation, body).status();
  };
  EXPECT_EQ(status("CreateLogGroup", Json::object()), 200);
  EXPECT_EQ(status("CreateLogStream", {{"logStreamName", "s"}}), 200);
  EXPECT_EQ(status("DescribeLogStreams", Json::object()), 200);
  EXPECT_EQ(status("PutRetentionPolicy", {{"retentionInDays", 7}}), 200);
  EXPECT_EQ(status("DeleteRetentionPolicy", Json::object()), 200);
  EXPECT_EQ(status("FilterLogEvents", Json::object()), 200);
  EXPECT_EQ(
      status("PutLogEvents", {{"logStreamName", "s"},
                              {"logEvents", {{{"timestamp", 1572948000000}, {"message", "m"}}}}}),
      200);
  EXPECT_EQ(status("GetLogEvents", {{"logStreamName", "s"}}), 200);
  EXPECT_EQ(status("DeleteLogStream", {{"logStreamName", "s"}}), 200);
  EXPECT_EQ(status("DeleteLogGroup", Json::object()), 200);
  EXPECT_EQ(resource_of_target("logs", "DescribeLogGroups", Json::object()),
            "arn:aws:logs" + kPlace + "log-group::log-stream:");
  EXPECT_EQ(resource_of_target("logs", "CreateLogGroup", {{"logGroupName", "train"}}),
            group + ":log-stream:");
  EXPECT_EQ(resource_of_target("logs", "ListTagsLogGroup", {{"logGroupName", "train"}}),
            group + ":log-stream:");
}

// ---- Systems Manager

TEST_F(ServiceResources, OfPublicParametersHaveNoAccount) {
  const std::string name = "/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2";
  const std::string public_ones = "arn:aws:ssm:*::parameter/aws/service/*";
  const Keys ann = t.user("ann", allow(R"("ssm:Get*")", public_ones));
  EXPECT_EQ(target(ann, "ssm", "GetParameter", {{"Name", name}}).status(), 200);
  EXPECT_EQ(
      target(ann, "ssm", "GetParametersByPath", {{"Path", "/aws/service/canonical"}}).status(),
      200);
  EXPECT_EQ(resource_of_target("ssm", "GetParameter", {{"Name", name + ":1"}}),
            "arn:aws:ssm:us-west-2::parameter" + name);
  const Keys bob =
      t.user("bob", allow(R"("ec2:*")") + "," + allow(R"("ssm:GetParameters")", public_ones));
  EXPECT_EQ(t.code(bob, "ec2", "RunInstances",
                   {{"ImageId", "resolve:ssm:" + name},
                    {"InstanceType", "p3.2xlarge"},
                    {"MinCount", "1"},
                    {"MaxCount", "1"}}),
            "");
}

// ---- SNS

TEST_F(ServiceResources, OfAMessageWithoutATopicAreAll) {
  EXPECT_EQ(resource_of_form("sns", "Publish", {{"Message", "m"}}), "*");
}

}  // namespace
}  // namespace fakes::authorisation
