// Resource types over the services that they need.
#include "base/files/whole_file.h"
#include "fakes/cloudformation/stacks_for_test.h"
#include "fakes/cloudformation/types/table.h"
#include "fakes/cloudwatch/monitoring.h"
#include "fakes/messaging.h"

namespace fakes {
namespace {

constexpr const char* kGroup = R"(
{"Parameters": {"SpotPrice": {"Type": "Number", "Default": 1.0}},
 "Resources": {
  "Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"AccessControl": "Private"}},
  "Role": {"Type": "AWS::IAM::Role", "Properties": {
    "Path": "/",
    "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
      "Principal": {"Service": ["ec2.amazonaws.com"]}, "Action": ["sts:AssumeRole"]}]}}},
  "Policy": {"Type": "AWS::IAM::Policy", "Properties": {
    "PolicyName": "root", "Roles": [{"Ref": "Role"}],
    "PolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*",
      "Resource": {"Fn::Join": ["", ["arn:aws:s3:::", {"Ref": "Bucket"}, "/*"]]}}]}}},
  "Profile": {"Type": "AWS::IAM::InstanceProfile", "Properties": {
    "Path": "/", "Roles": [{"Ref": "Role"}]}},
  "Launch": {"Type": "AWS::AutoScaling::LaunchConfiguration", "Properties": {
    "ImageId": "ami-0123456789abcdef0", "InstanceType": "p3.2xlarge",
    "IamInstanceProfile": {"Ref": "Profile"}, "SpotPrice": {"Ref": "SpotPrice"},
    "InstanceMonitoring": false,
    "UserData": {"Fn::Base64": {"Fn::Join": ["", ["#!/bin/bash -xe\n", "aws s3 cp s3://",
      {"Ref": "Bucket"}, "/train.sh .\n"]]}}}},
  "Group": {"Type": "AWS::AutoScaling::AutoScalingGroup", "Properties": {
    "AvailabilityZones": ["us-west-2b"], "LaunchConfigurationName": {"Ref": "Launch"},
    "MinSize": 1, "MaxSize": "1", "DesiredCapacity": 1, "Cooldown": "60",
    "Tags": [{"Key": "Name", "Value": "trainer", "PropagateAtLaunch": "true"}]}},
  "Hook": {"Type": "AWS::AutoScaling::LifecycleHook", "Properties": {
    "AutoScalingGroupName": {"Ref": "Group"}, "HeartbeatTimeout": 60,
    "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING"}}}}
)";

TEST(CloudFormationTypes, RunAnAutoScalingGroupOfSpotInstances) {
  TestStacks t;
  const Answer refused = t.ask("CreateStack", {{"StackName", "caffe"}, {"TemplateBody", kGroup}});
  EXPECT_EQ(refused.at("Error/Code"), "InsufficientCapabilitiesException");
  t.ask("CreateStack", {{"StackName", "caffe"},
                        {"TemplateBody", kGroup},
                        {"Capabilities.member.1", "CAPABILITY_IAM"}});
  t.run(15min);
  ASSERT_EQ(t.status("caffe"), "CREATE_COMPLETE")
      << t.ask("DescribeStackEvents", {{"StackName", "caffe"}}).body();
  ASSERT_EQ(t.cloud.instances().size(), 1u);
  const auto& instance = t.cloud.instances().begin()->second;
  EXPECT_EQ(instance.lifecycle, sim::cloud::Lifecycle::kSpot);
  EXPECT_EQ(instance.tags.at("Name"), "trainer");
  EXPECT_EQ(instance.tags.at("aws:cloudformation:stack-name"), "caffe");
  EXPECT_NE(instance.spec.user_data.find("s3://caffe-bucket-"), std::string::npos);

  EXPECT_EQ(t.remove("caffe"), "DELETE_COMPLETE");
  EXPECT_TRUE(t.backend.objects.buckets().empty());
  EXPECT_EQ(instance.state, sim::cloud::InstanceState::kTerminated);
}

TEST(CloudFormationTypes, ReplaceALaunchConfigurationUnderItsGroup) {
  TestStacks t;
  const Fields first{
      {"StackName", "s"}, {"TemplateBody", kGroup}, {"Capabilities.member.1", "CAPABILITY_IAM"}};
  t.ask("CreateStack", first);
  t.run(15min);
  const std::string before = t.physical("s", "Launch");
  Fields second = first;
  second.push_back({"Parameters.member.1.ParameterKey", "SpotPrice"});
  second.push_back({"Parameters.member.1.ParameterValue", "2"});
  t.ask("UpdateStack", second);
  t.run(15min);
  EXPECT_EQ(t.status("s"), "UPDATE_COMPLETE") << t.failure("s");
  EXPECT_NE(t.physical("s", "Launch"), before);
}

TEST(CloudFormationTypes, NameAGroupOfTheDefaultVpc) {
  TestStacks t;
  EXPECT_EQ(t.create("s", R"(
Resources:
  Group: {Type: AWS::EC2::SecurityGroup, Properties: {GroupName: web, GroupDescription: d}}
  Rule:
    Type: AWS::EC2::SecurityGroupIngress
    Properties: {GroupName: !Ref Group, IpProtocol: -1, CidrIp: 10.0.0.0/8}
Outputs: {Name: {Value: !Ref Group}}
)"),
            "CREATE_COMPLETE")
      << t.failure("s");
  EXPECT_EQ(t.output("s", "Name"), "web");
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
}

constexpr const char* kAlerts = R"(
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: Spot}}
  Dead: {Type: AWS::SQS::Queue}
  Queue:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 60
      RedrivePolicy: {deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: 3}
      Tags: [{Key: a, Value: b}]
  Policy:
    Type: AWS::SQS::QueuePolicy
    Properties:
      Queues: [!Ref Queue]
      PolicyDocument:
        Version: '2012-10-17'
        Statement:
          - {Effect: Allow, Principal: {Service: events.amazonaws.com}, Action: 'sqs:SendMessage',
             Resource: !GetAtt Queue.Arn}
  Subscription:
    Type: AWS::SNS::Subscription
    Properties: {TopicArn: !Ref Topic, Protocol: sqs, Endpoint: !GetAtt Queue.Arn}
  Rule:
    Type: AWS::Events::Rule
    Properties:
      EventPattern: {source: [aws.ec2], detail-type: [EC2 Instance State-change Notification]}
      Targets: [{Id: '1', Arn: !GetAtt Queue.Arn}]
  Alarm:
    Type: AWS::CloudWatch::Alarm
    Properties:
      Namespace: own
      MetricName: loss
      Statistic: Average
      Period: 60
      EvaluationPeriods: 2
      Threshold: 1.5
      ComparisonOperator: GreaterThanThreshold
      AlarmActions: [!Ref Topic]
Outputs:
  Queue: {Value: !Ref Queue}
  Alarm: {Value: !GetAtt Alarm.Arn}
  Rule: {Value: !GetAtt Rule.Arn}
)";

TEST(CloudFormationTypes, SendEventsAndAlarmsToAQueue) {
  TestStacks t;
  ASSERT_EQ(t.create("s", kAlerts), "CREATE_COMPLETE") << t.failure("s");
  EXPECT_TRUE(t.output("s", "Alarm")
                  .starts_with("arn:aws:cloudwatch:us-west-2:123456789012:alarm:s-Alarm-"));
  EXPECT_TRUE(
      t.output("s", "Rule").starts_with("arn:aws:events:us-west-2:123456789012:rule/s-Rule-"));
  t.instance();
  t.run(1min);
  const std::string url = t.output("s", "Queue");
  auto& all = messaging(t.backend);
  const auto& queue = all.queues.queue(url.substr(url.rfind('/') + 1));
  EXPECT_EQ(all.queues.attributes(queue.name).at("ApproximateNumberOfMessages"), "2")
      << "pending and running";
  EXPECT_EQ(all.queues.attributes(queue.name).at("VisibilityTimeout"), "60");
  EXPECT_EQ(all.topics.subscriptions().size(), 1u);
  const auto& alarms = cloudwatch::monitoring(t.backend).alarms.all();
  ASSERT_EQ(alarms.size(), 1u);
  EXPECT_EQ(alarms.begin()->second.settings.rule.threshold, 1.5);

  std::string second = kAlerts;
  second.replace(second.find("Threshold: 1.5"), 14, "Threshold: 2.5");
  second.replace(second.find("VisibilityTimeout: 60"), 21, "VisibilityTimeout: 90");
  second.replace(second.find("Id: '1'"), 7, "Id: '2'");
  t.ask("UpdateStack", {{"StackName", "s"}, {"TemplateBody", second}});
  t.run(5min);
  EXPECT_EQ(t.status("s"), "UPDATE_COMPLETE") << t.failure("s");
  EXPECT_EQ(alarms.begin()->second.settings.rule.threshold, 2.5);
  EXPECT_EQ(all.queues.attributes(queue.name).at("VisibilityTimeout"), "90");

  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  EXPECT_TRUE(alarms.empty());
  EXPECT_TRUE(all.topics.all().empty());
}

// A row must be complete: a property that is updated in place needs an update.
TEST(CloudFormationTypes, HaveCompleteRows) {
  for (const auto* type : cloudformation::all_types()) {
    EXPECT_TRUE(type->create && type->remove) << type->traits.type;
    EXPECT_EQ(type->changes.empty(), type->update == nullptr) << type->traits.type;
    EXPECT_TRUE(type->traits.attributes.empty() || type->attribute) << type->traits.type;
    for (const auto property : type->changes)
      EXPECT_NE(std::ranges::find(type->traits.updated, property), type->traits.updated.end())
          << type->traits.type << " " << property;
  }
}

TEST(CloudFormationTypes, AreAllOnThePage) {
  const std::string page = base::read_bytes(SPOTSIM_SOURCE_DIR "/docs/cloudformation.md");
  for (const auto* type : cloudformation::all_types())
    EXPECT_NE(page.find("`" + std::string(type->traits.type) + "`"), std::string::npos)
        << type->traits.type;
}

}  // namespace
}  // namespace fakes
