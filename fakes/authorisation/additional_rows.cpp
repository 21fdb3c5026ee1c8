// Further permissions of requests, such as for tags and roles.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/authorisation/permissions.h"

namespace fakes::authorisation {
namespace {

constexpr std::string_view kPass = "iam:PassRole";

constexpr AdditionalRow kAdditional[] = {
    // ---- roles that requests give to services (IAM User Guide, "Grant a user permissions to pass
    // a role to an AWS service")
    {"ec2", "RequestSpotFleet", "SpotFleetRequestConfig.IamFleetRole",
     "{role:SpotFleetRequestConfig.IamFleetRole}", kPass, "spotfleet.amazonaws.com"},
    {"sagemaker", "CreateTrainingJob", "RoleArn", "{role:RoleArn}", kPass,
     "sagemaker.amazonaws.com"},
    {"iam", "AddRoleToInstanceProfile", "RoleName", "{role:RoleName}", kPass, "ec2.amazonaws.com"},
    {"cloudformation", "CreateStack", "RoleARN", "{role:RoleARN}", kPass,
     "cloudformation.amazonaws.com"},
    {"cloudformation", "UpdateStack", "RoleARN", "{role:RoleARN}", kPass,
     "cloudformation.amazonaws.com"},
    {"cloudformation", "DeleteStack", "RoleARN", "{role:RoleARN}", kPass,
     "cloudformation.amazonaws.com"},
    {"cloudformation", "CreateChangeSet", "RoleARN", "{role:RoleARN}", kPass,
     "cloudformation.amazonaws.com"},
    {"autoscaling", "PutLifecycleHook", "RoleARN", "{role:RoleARN}", kPass,
     "autoscaling.amazonaws.com"},
    {"autoscaling", "CreateAutoScalingGroup", "LifecycleHookSpecificationList.RoleARN",
     "{role:LifecycleHookSpecificationList.RoleARN}", kPass, "autoscaling.amazonaws.com"},
    {"events", "PutRule", "RoleArn", "{role:RoleArn}", kPass, "events.amazonaws.com"},
    {"events", "PutTargets", "Targets.RoleArn", "{role:Targets.RoleArn}", kPass,
     "events.amazonaws.com"},
    {"fis", "CreateExperimentTemplate", "roleArn", "{role:roleArn}", kPass, "fis.amazonaws.com"},
    {"fis", "UpdateExperimentTemplate", "roleArn", "{role:roleArn}", kPass, "fis.amazonaws.com"},
    // ---- sessions (IAM User Guide, "Pass session tags in AWS STS", "Monitor and control actions
    // taken with assumed roles")
    {"sts", "AssumeRole", "Tags", "{RoleArn}", "sts:TagSession"},
    {"sts", "AssumeRole", "SourceIdentity", "{RoleArn}", "sts:SetSourceIdentity"},
    // ---- tags of new resources (API references: the member with the tags; IAM User Guide, "Tags
    // for IAM resources"; Systems Manager User Guide, "Tagging parameters")
    {"iam", "CreateRole", "Tags", "{role:RoleName}", "iam:TagRole"},
    {"iam", "CreateUser", "Tags", "{user:UserName}", "iam:TagUser"},
    {"iam", "CreatePolicy", "Tags", "{policy:PolicyName}", "iam:TagPolicy"},
    {"iam", "CreateInstanceProfile", "Tags", "{profile:InstanceProfileName}",
     "iam:TagInstanceProfile"},
    {"iam", "CreateOpenIDConnectProvider", "Tags", "{provider:Url}",
     "iam:TagOpenIDConnectProvider"},
    {"ssm", "PutParameter", "Tags", "{parameter:Name}", "ssm:AddTagsToResource"},
    {"logs", "CreateLogGroup", "tags", "log-group:{logGroupName}", "logs:TagResource", "",
     "logs:TagLogGroup", "log-group:{logGroupName}:log-stream:"},
    {"sns", "CreateTopic", "Tags", "{Name}", "sns:TagResource"},
    {"sqs", "CreateQueue", "tags|Tag|Tags", "{QueueName}", "sqs:TagQueue"},
    {"events", "PutRule", "Tags", "rule/{rule:Name}", "events:TagResource"},
    {"cloudwatch", "PutMetricAlarm", "Tags", "alarm:{AlarmName}", "cloudwatch:TagResource"},
    {"sagemaker", "CreateTrainingJob", "Tags", "training-job/{TrainingJobName}",
     "sagemaker:AddTags"},
    // ---- S3 (API reference, "Permissions" of each operation)
    {"s3", "PutObject", "Tagging|x-amz-tagging", "{Bucket}/{Key}", "s3:PutObjectTagging"},
    {"s3", "CreateMultipartUpload", "Tagging", "{Bucket}/{Key}", "s3:PutObjectTagging"},
    {"s3", "CopyObject", "Tagging", "{Bucket}/{Key}", "s3:PutObjectTagging"},
    {"s3", "PutObject", "ACL|x-amz-acl", "{Bucket}/{Key}", "s3:PutObjectAcl"},
    {"s3", "CreateMultipartUpload", "ACL|x-amz-acl", "{Bucket}/{Key}", "s3:PutObjectAcl"},
    {"s3", "CopyObject", "ACL|x-amz-acl", "{Bucket}/{Key}", "s3:PutObjectAcl"},
    {"s3", "CreateBucket", "x-amz-acl!private", "{Bucket}", "s3:PutBucketAcl"},
    {"s3", "CreateBucket", "x-amz-object-ownership", "{Bucket}", "s3:PutBucketOwnershipControls"},
    // ---- others (CloudFormation API reference, DescribeStacks without a name)
    {"cloudformation", "DescribeStacks", "!StackName", "*", "cloudformation:ListStacks"}};

bool has_given(const Asked& asked, std::string_view name) {
  if (name.starts_with("x-amz-")) {
    const auto mark = std::min(name.find('!'), name.size());
    const std::string* const value =
        asked.http == nullptr ? nullptr : asked.http->headers.find(name.substr(0, mark));
    return value != nullptr && (mark == name.size() || *value != name.substr(mark + 1));
  }
  return std::ranges::any_of(asked.parameters, [&](const api::Parameter& one) {
    return begins_with(one.name, name) && !one.value.empty();
  });
}

bool needs(const Asked& asked, std::string_view parameters) {
  if (parameters.starts_with('!')) return !has_given(asked, parameters.substr(1));
  while (!parameters.empty()) {
    const auto bar = std::min(parameters.find('|'), parameters.size());
    if (has_given(asked, parameters.substr(0, bar))) return true;
    parameters.remove_prefix(std::min(bar + 1, parameters.size()));
  }
  return false;
}

}  // namespace

std::span<const AdditionalRow> every_additional_row() { return kAdditional; }

std::vector<AdditionalRow> additional_rows(const Asked& asked) {
  std::vector<AdditionalRow> needed;
  for (const AdditionalRow& row : kAdditional)
    if (row.operation == asked.operation.name && row.service == asked.service.model.name &&
        needs(asked, row.parameters))
      needed.push_back(row);
  return needed;
}

}  // namespace fakes::authorisation
