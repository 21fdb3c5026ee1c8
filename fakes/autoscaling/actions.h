// The actions of Auto Scaling.
#pragma once

#include "api/autoscaling.h"
#include "fakes/action.h"

namespace fakes::autoscaling {

namespace op = api::autoscaling::op;

template <class Op>
using In = typename Op::Request;
template <class Op>
using Out = typename Op::Response;

// ---- launch_configurations.cpp
Out<op::CreateLaunchConfiguration> create_launch_configuration(
    Call&, const In<op::CreateLaunchConfiguration>&);
Out<op::DeleteLaunchConfiguration> delete_launch_configuration(
    Call&, const In<op::DeleteLaunchConfiguration>&);
Out<op::DescribeLaunchConfigurations> describe_launch_configurations(
    Call&, const In<op::DescribeLaunchConfigurations>&);

// ---- groups.cpp
Out<op::CreateAutoScalingGroup> create_group(Call&, const In<op::CreateAutoScalingGroup>&);
Out<op::UpdateAutoScalingGroup> update_group(Call&, const In<op::UpdateAutoScalingGroup>&);
Out<op::DeleteAutoScalingGroup> delete_group(Call&, const In<op::DeleteAutoScalingGroup>&);
Out<op::SetDesiredCapacity> set_desired_capacity(Call&, const In<op::SetDesiredCapacity>&);
Out<op::SuspendProcesses> suspend_processes(Call&, const In<op::SuspendProcesses>&);
Out<op::ResumeProcesses> resume_processes(Call&, const In<op::ResumeProcesses>&);

// ---- describe.cpp
Out<op::DescribeAutoScalingGroups> describe_groups(Call&, const In<op::DescribeAutoScalingGroups>&);
Out<op::DescribeAutoScalingInstances> describe_instances(
    Call&, const In<op::DescribeAutoScalingInstances>&);
Out<op::DescribeScalingActivities> describe_activities(Call&,
                                                       const In<op::DescribeScalingActivities>&);

// ---- instances.cpp
Out<op::TerminateInstanceInAutoScalingGroup> terminate_instance(
    Call&, const In<op::TerminateInstanceInAutoScalingGroup>&);
Out<op::SetInstanceHealth> set_instance_health(Call&, const In<op::SetInstanceHealth>&);
Out<op::SetInstanceProtection> set_instance_protection(Call&, const In<op::SetInstanceProtection>&);
Out<op::AttachInstances> attach_instances(Call&, const In<op::AttachInstances>&);
Out<op::DetachInstances> detach_instances(Call&, const In<op::DetachInstances>&);
Out<op::EnterStandby> enter_standby(Call&, const In<op::EnterStandby>&);
Out<op::ExitStandby> exit_standby(Call&, const In<op::ExitStandby>&);

// ---- tags.cpp
Out<op::CreateOrUpdateTags> create_or_update_tags(Call&, const In<op::CreateOrUpdateTags>&);
Out<op::DeleteTags> delete_tags(Call&, const In<op::DeleteTags>&);
Out<op::DescribeTags> describe_tags(Call&, const In<op::DescribeTags>&);

// ---- hooks.cpp
Out<op::PutLifecycleHook> put_lifecycle_hook(Call&, const In<op::PutLifecycleHook>&);
Out<op::DeleteLifecycleHook> delete_lifecycle_hook(Call&, const In<op::DeleteLifecycleHook>&);
Out<op::DescribeLifecycleHooks> describe_lifecycle_hooks(Call&,
                                                         const In<op::DescribeLifecycleHooks>&);
Out<op::RecordLifecycleActionHeartbeat> record_heartbeat(
    Call&, const In<op::RecordLifecycleActionHeartbeat>&);
Out<op::CompleteLifecycleAction> complete_lifecycle_action(Call&,
                                                           const In<op::CompleteLifecycleAction>&);

// ---- schedule.cpp
Out<op::PutScheduledUpdateGroupAction> put_scheduled_action(
    Call&, const In<op::PutScheduledUpdateGroupAction>&);
Out<op::BatchPutScheduledUpdateGroupAction> batch_put_scheduled_actions(
    Call&, const In<op::BatchPutScheduledUpdateGroupAction>&);
Out<op::BatchDeleteScheduledAction> batch_delete_scheduled_actions(
    Call&, const In<op::BatchDeleteScheduledAction>&);
Out<op::DeleteScheduledAction> delete_scheduled_action(Call&, const In<op::DeleteScheduledAction>&);
Out<op::DescribeScheduledActions> describe_scheduled_actions(
    Call&, const In<op::DescribeScheduledActions>&);

// ---- types.cpp
Out<op::DescribeAccountLimits> describe_account_limits(Call&, const In<op::DescribeAccountLimits>&);
Out<op::DescribeAdjustmentTypes> describe_adjustment_types(Call&,
                                                           const In<op::DescribeAdjustmentTypes>&);
Out<op::DescribeAutoScalingNotificationTypes> describe_notification_types(
    Call&, const In<op::DescribeAutoScalingNotificationTypes>&);
Out<op::DescribeLifecycleHookTypes> describe_lifecycle_hook_types(
    Call&, const In<op::DescribeLifecycleHookTypes>&);
Out<op::DescribeMetricCollectionTypes> describe_metric_collection_types(
    Call&, const In<op::DescribeMetricCollectionTypes>&);
Out<op::DescribeScalingProcessTypes> describe_process_types(
    Call&, const In<op::DescribeScalingProcessTypes>&);
Out<op::DescribeTerminationPolicyTypes> describe_termination_policy_types(
    Call&, const In<op::DescribeTerminationPolicyTypes>&);
Out<op::DescribePolicies> describe_policies(Call&, const In<op::DescribePolicies>&);
Out<op::DescribeNotificationConfigurations> describe_notification_configurations(
    Call&, const In<op::DescribeNotificationConfigurations>&);
Out<op::DescribeLoadBalancers> describe_load_balancers(Call&, const In<op::DescribeLoadBalancers>&);
Out<op::DescribeLoadBalancerTargetGroups> describe_target_groups(
    Call&, const In<op::DescribeLoadBalancerTargetGroups>&);
Out<op::DescribeTrafficSources> describe_traffic_sources(Call&,
                                                         const In<op::DescribeTrafficSources>&);
Out<op::DescribeInstanceRefreshes> describe_instance_refreshes(
    Call&, const In<op::DescribeInstanceRefreshes>&);
Out<op::DescribeWarmPool> describe_warm_pool(Call&, const In<op::DescribeWarmPool>&);
Out<op::StartInstanceRefresh> start_instance_refresh(Call&, const In<op::StartInstanceRefresh>&);
Out<op::PutScalingPolicy> put_scaling_policy(Call&, const In<op::PutScalingPolicy>&);

}  // namespace fakes::autoscaling
