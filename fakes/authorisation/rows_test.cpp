// Every served action has the resources that AWS decides on.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/authorisation/permissions.h"
#include "fakes/front.h"

namespace fakes::authorisation {
namespace {

// Actions without a resource type in the Service Authorization Reference, which AWS decides on "*".
const std::set<std::string> kOnAll{"autoscaling:DescribeAccountLimits",
                                   "autoscaling:DescribeAdjustmentTypes",
                                   "autoscaling:DescribeAutoScalingGroups",
                                   "autoscaling:DescribeAutoScalingInstances",
                                   "autoscaling:DescribeAutoScalingNotificationTypes",
                                   "autoscaling:DescribeInstanceRefreshes",
                                   "autoscaling:DescribeLaunchConfigurations",
                                   "autoscaling:DescribeLifecycleHookTypes",
                                   "autoscaling:DescribeLifecycleHooks",
                                   "autoscaling:DescribeLoadBalancerTargetGroups",
                                   "autoscaling:DescribeLoadBalancers",
                                   "autoscaling:DescribeMetricCollectionTypes",
                                   "autoscaling:DescribeNotificationConfigurations",
                                   "autoscaling:DescribePolicies",
                                   "autoscaling:DescribeScalingActivities",
                                   "autoscaling:DescribeScalingProcessTypes",
                                   "autoscaling:DescribeScheduledActions",
                                   "autoscaling:DescribeTags",
                                   "autoscaling:DescribeTerminationPolicyTypes",
                                   "autoscaling:DescribeTrafficSources",
                                   "autoscaling:DescribeWarmPool",
                                   "cloudformation:ListExports",
                                   "cloudformation:ListImports",
                                   "cloudformation:ListStacks",
                                   "cloudformation:ValidateTemplate",
                                   "cloudwatch:DescribeAlarmsForMetric",
                                   "cloudwatch:GetMetricData",
                                   "cloudwatch:GetMetricStatistics",
                                   "cloudwatch:ListMetrics",
                                   "cloudwatch:PutMetricData",
                                   "ec2:CreateDefaultSubnet",
                                   "ec2:CreateDefaultVpc",
                                   "ec2:DescribeAccountAttributes",
                                   "ec2:DescribeAddresses",
                                   "ec2:DescribeAvailabilityZones",
                                   "ec2:DescribeDhcpOptions",
                                   "ec2:DescribeFleets",
                                   "ec2:DescribeIamInstanceProfileAssociations",
                                   "ec2:DescribeImages",
                                   "ec2:DescribeInstanceCreditSpecifications",
                                   "ec2:DescribeInstanceStatus",
                                   "ec2:DescribeInstanceTypeOfferings",
                                   "ec2:DescribeInstanceTypes",
                                   "ec2:DescribeInstances",
                                   "ec2:DescribeInternetGateways",
                                   "ec2:DescribeKeyPairs",
                                   "ec2:DescribeLaunchTemplateVersions",
                                   "ec2:DescribeLaunchTemplates",
                                   "ec2:DescribeNetworkAcls",
                                   "ec2:DescribeNetworkInterfaceAttribute",
                                   "ec2:DescribeNetworkInterfaces",
                                   "ec2:DescribePlacementGroups",
                                   "ec2:DescribeRegions",
                                   "ec2:DescribeRouteTables",
                                   "ec2:DescribeSecurityGroupRules",
                                   "ec2:DescribeSecurityGroups",
                                   "ec2:DescribeSnapshots",
                                   "ec2:DescribeSpotFleetRequests",
                                   "ec2:DescribeSpotInstanceRequests",
                                   "ec2:DescribeSpotPriceHistory",
                                   "ec2:DescribeSubnets",
                                   "ec2:DescribeTags",
                                   "ec2:DescribeVolumeStatus",
                                   "ec2:DescribeVolumes",
                                   "ec2:DescribeVolumesModifications",
                                   "ec2:DescribeVpcs",
                                   "ec2:GetInstanceTypesFromInstanceRequirements",
                                   "ec2:GetSpotPlacementScores",
                                   "ecr:GetAuthorizationToken",
                                   "events:ListEventBuses",
                                   "events:ListRuleNamesByTarget",
                                   "events:ListRules",
                                   "events:TestEventPattern",
                                   "fis:GetTargetResourceType",
                                   "fis:ListActions",
                                   "fis:ListExperimentTemplates",
                                   "fis:ListExperiments",
                                   "fis:ListTargetResourceTypes",
                                   "iam:CreateAccountAlias",
                                   "iam:DeleteAccountAlias",
                                   "iam:GenerateCredentialReport",
                                   "iam:GetAccountAuthorizationDetails",
                                   "iam:GetAccountSummary",
                                   "iam:GetCredentialReport",
                                   "iam:ListAccountAliases",
                                   "iam:ListGroups",
                                   "iam:ListInstanceProfiles",
                                   "iam:ListOpenIDConnectProviders",
                                   "iam:ListPolicies",
                                   "iam:ListRoles",
                                   "iam:ListUsers",
                                   "iam:SimulateCustomPolicy",
                                   "pricing:DescribeServices",
                                   "pricing:GetAttributeValues",
                                   "pricing:GetProducts",
                                   "sagemaker:ListTrainingJobs",
                                   "sns:GetSubscriptionAttributes",
                                   "sns:ListSubscriptions",
                                   "sns:ListTopics",
                                   "sns:SetSubscriptionAttributes",
                                   "sns:Unsubscribe",
                                   "sqs:ListQueues",
                                   "ssm:DescribeParameters",
                                   "sts:AssumeRoleWithWebIdentity",
                                   "sts:DecodeAuthorizationMessage",
                                   "sts:GetAccessKeyInfo",
                                   "sts:GetCallerIdentity",
                                   "sts:GetSessionToken"};

// Whether a request can name an entity of IAM.
bool names_entity(const api::Operation& operation) {
  constexpr std::string_view kNames[] = {
      "InstanceProfileName",     "RoleName", "UserName", "GroupName", "PolicyArn", "PolicyName",
      "OpenIDConnectProviderArn"};
  return std::ranges::any_of(operation.input.shape->members, [&](const api::Member& member) {
    return std::ranges::count(kNames, std::string_view(member.name)) != 0;
  });
}

TEST(PermissionRows, AreThereForEachActionThatIsNotDecidedOnAll) {
  std::set<std::string> on_all;
  for (const Service* const service : served_services())
    for (const ActionRow& action : service->actions) {
      const std::string_view name = service->model.name, operation = action.operation->name;
      const auto* const row = find_row(name, operation);
      if (row != nullptr && row->resources != "*") continue;
      if (row == nullptr && name == "iam" && names_entity(*action.operation)) continue;
      if (name == "s3" && row != nullptr) continue;  // ListBuckets, whose action has another name
      on_all.insert(std::string(name) + ":" + std::string(operation));
    }
  std::vector<std::string> without_row, with_row;
  std::ranges::set_difference(on_all, kOnAll, std::back_inserter(without_row));
  std::ranges::set_difference(kOnAll, on_all, std::back_inserter(with_row));
  EXPECT_EQ(without_row, std::vector<std::string>{});
  EXPECT_EQ(with_row, std::vector<std::string>{});
}

}  // namespace
}  // namespace fakes::authorisation
