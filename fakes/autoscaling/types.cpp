// Actions whose answer is the same in every account, empty lists, and refused actions.
#include <iterator>

#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"
#include "sim/autoscaling/termination.h"

namespace fakes::autoscaling {

Out<op::DescribeAccountLimits> describe_account_limits(Call& call,
                                                       const In<op::DescribeAccountLimits>&) {
  const auto& groups = call.backend.groups;
  return {.max_number_of_auto_scaling_groups = model::kMostGroups,
          .max_number_of_launch_configurations = model::kMostConfigurations,
          .number_of_auto_scaling_groups = std::ssize(groups.groups()),
          .number_of_launch_configurations = std::ssize(groups.launch_configurations())};
}

Out<op::DescribeAdjustmentTypes> describe_adjustment_types(Call&,
                                                           const In<op::DescribeAdjustmentTypes>&) {
  Out<op::DescribeAdjustmentTypes> response;
  for (const char* name : {"ChangeInCapacity", "ExactCapacity", "PercentChangeInCapacity"})
    response.adjustment_types.push_back({.adjustment_type = name});
  return response;
}

Out<op::DescribeAutoScalingNotificationTypes> describe_notification_types(
    Call&, const In<op::DescribeAutoScalingNotificationTypes>&) {
  return {.auto_scaling_notification_types = {
              "autoscaling:EC2_INSTANCE_LAUNCH", "autoscaling:EC2_INSTANCE_LAUNCH_ERROR",
              "autoscaling:EC2_INSTANCE_TERMINATE", "autoscaling:EC2_INSTANCE_TERMINATE_ERROR",
              "autoscaling:TEST_NOTIFICATION"}};
}

Out<op::DescribeLifecycleHookTypes> describe_lifecycle_hook_types(
    Call&, const In<op::DescribeLifecycleHookTypes>&) {
  return {.lifecycle_hook_types = {"autoscaling:EC2_INSTANCE_LAUNCHING",
                                   "autoscaling:EC2_INSTANCE_TERMINATING"}};
}

Out<op::DescribeMetricCollectionTypes> describe_metric_collection_types(
    Call&, const In<op::DescribeMetricCollectionTypes>&) {
  Out<op::DescribeMetricCollectionTypes> response;
  for (const char* name :
       {"GroupMinSize", "GroupMaxSize", "GroupDesiredCapacity", "GroupInServiceInstances",
        "GroupPendingInstances", "GroupStandbyInstances", "GroupTerminatingInstances",
        "GroupTotalInstances", "GroupInServiceCapacity", "GroupPendingCapacity",
        "GroupStandbyCapacity", "GroupTerminatingCapacity", "GroupTotalCapacity"})
    response.metrics.push_back({.metric = name});
  response.granularities.push_back({.granularity = "1Minute"});
  return response;
}

Out<op::DescribeScalingProcessTypes> describe_process_types(
    Call&, const In<op::DescribeScalingProcessTypes>&) {
  Out<op::DescribeScalingProcessTypes> response;
  for (const auto& name : process_types()) response.processes.push_back({.process_name = name});
  return response;
}

Out<op::DescribeTerminationPolicyTypes> describe_termination_policy_types(
    Call&, const In<op::DescribeTerminationPolicyTypes>&) {
  return {.termination_policy_types = model::termination_policy_types()};
}

Out<op::DescribePolicies> describe_policies(Call& call, const In<op::DescribePolicies>& request) {
  if (request.auto_scaling_group_name) call.backend.groups.group(*request.auto_scaling_group_name);
  Out<op::DescribePolicies> response;
  response.scaling_policies.give();
  return response;
}

Out<op::DescribeNotificationConfigurations> describe_notification_configurations(
    Call&, const In<op::DescribeNotificationConfigurations>&) {
  Out<op::DescribeNotificationConfigurations> response;
  response.notification_configurations.give();
  return response;
}

// An action for a resource that no group has here. It returns an empty list if the group exists.
template <class Op, auto kList>
Out<Op> describe_none(Call& call, const In<Op>& request) {
  call.backend.groups.group(request.auto_scaling_group_name.value());
  Out<Op> response;
  (response.*kList).give();
  return response;
}

Out<op::DescribeLoadBalancers> describe_load_balancers(
    Call& call, const In<op::DescribeLoadBalancers>& request) {
  using Op = op::DescribeLoadBalancers;
  return describe_none<Op, &Out<Op>::load_balancers>(call, request);
}

Out<op::DescribeLoadBalancerTargetGroups> describe_target_groups(
    Call& call, const In<op::DescribeLoadBalancerTargetGroups>& request) {
  using Op = op::DescribeLoadBalancerTargetGroups;
  return describe_none<Op, &Out<Op>::load_balancer_target_groups>(call, request);
}

Out<op::DescribeTrafficSources> describe_traffic_sources(
    Call& call, const In<op::DescribeTrafficSources>& request) {
  using Op = op::DescribeTrafficSources;
  return describe_none<Op, &Out<Op>::traffic_sources>(call, request);
}

Out<op::DescribeInstanceRefreshes> describe_instance_refreshes(
    Call& call, const In<op::DescribeInstanceRefreshes>& request) {
  using Op = op::DescribeInstanceRefreshes;
  return describe_none<Op, &Out<Op>::instance_refreshes>(call, request);
}

Out<op::DescribeWarmPool> describe_warm_pool(Call& call, const In<op::DescribeWarmPool>& request) {
  using Op = op::DescribeWarmPool;
  return describe_none<Op, &Out<Op>::instances>(call, request);
}

Out<op::StartInstanceRefresh> start_instance_refresh(Call& call,
                                                     const In<op::StartInstanceRefresh>& request) {
  call.backend.groups.group(request.auto_scaling_group_name.value());
  throw ApiError(
      "UnsupportedOperation",
      "Instance refresh is not part of this simulated AWS. To replace instances one by "
      "one, call TerminateInstanceInAutoScalingGroup with ShouldDecrementDesiredCapacity "
      "false for each.");
}

Out<op::PutScalingPolicy> put_scaling_policy(Call& call, const In<op::PutScalingPolicy>& request) {
  call.backend.groups.group(request.auto_scaling_group_name.value());
  throw ApiError("UnsupportedOperation",
                 "Scaling policies are not part of this simulated AWS, which has no alarms. Call "
                 "SetDesiredCapacity, or PutScheduledUpdateGroupAction for a change at a time.");
}

}  // namespace fakes::autoscaling
