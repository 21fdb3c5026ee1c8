#include "fakes/autoscaling/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& autoscaling_service() {
  using namespace autoscaling;
  static const ActionRow rows[] = {
      action<op::AttachInstances, attach_instances>(),
      action<op::BatchDeleteScheduledAction, batch_delete_scheduled_actions>(),
      action<op::BatchPutScheduledUpdateGroupAction, batch_put_scheduled_actions>(),
      action<op::CompleteLifecycleAction, complete_lifecycle_action>(),
      action<op::CreateAutoScalingGroup, create_group>(),
      action<op::CreateLaunchConfiguration, create_launch_configuration>(),
      action<op::CreateOrUpdateTags, create_or_update_tags>(),
      action<op::DeleteAutoScalingGroup, delete_group>(),
      action<op::DeleteLaunchConfiguration, delete_launch_configuration>(),
      action<op::DeleteLifecycleHook, delete_lifecycle_hook>(),
      action<op::DeleteScheduledAction, delete_scheduled_action>(),
      action<op::DeleteTags, delete_tags>(),
      action<op::DescribeAccountLimits, describe_account_limits>(),
      action<op::DescribeAdjustmentTypes, describe_adjustment_types>(),
      action<op::DescribeAutoScalingGroups, describe_groups>(),
      action<op::DescribeAutoScalingInstances, describe_instances>(),
      action<op::DescribeAutoScalingNotificationTypes, describe_notification_types>(),
      action<op::DescribeInstanceRefreshes, describe_instance_refreshes>(),
      action<op::DescribeLaunchConfigurations, describe_launch_configurations>(),
      action<op::DescribeLifecycleHookTypes, describe_lifecycle_hook_types>(),
      action<op::DescribeLifecycleHooks, describe_lifecycle_hooks>(),
      action<op::DescribeLoadBalancerTargetGroups, describe_target_groups>(),
      action<op::DescribeLoadBalancers, describe_load_balancers>(),
      action<op::DescribeMetricCollectionTypes, describe_metric_collection_types>(),
      action<op::DescribeNotificationConfigurations, describe_notification_configurations>(),
      action<op::DescribePolicies, describe_policies>(),
      action<op::DescribeScalingActivities, describe_activities>(),
      action<op::DescribeScalingProcessTypes, describe_process_types>(),
      action<op::DescribeScheduledActions, describe_scheduled_actions>(),
      action<op::DescribeTags, describe_tags>(),
      action<op::DescribeTerminationPolicyTypes, describe_termination_policy_types>(),
      action<op::DescribeTrafficSources, describe_traffic_sources>(),
      action<op::DescribeWarmPool, describe_warm_pool>(),
      action<op::DetachInstances, detach_instances>(),
      action<op::EnterStandby, enter_standby>(),
      action<op::ExitStandby, exit_standby>(),
      action<op::PutLifecycleHook, put_lifecycle_hook>(),
      action<op::PutScalingPolicy, put_scaling_policy>(),
      action<op::PutScheduledUpdateGroupAction, put_scheduled_action>(),
      action<op::RecordLifecycleActionHeartbeat, record_heartbeat>(),
      action<op::ResumeProcesses, resume_processes>(),
      action<op::SetDesiredCapacity, set_desired_capacity>(),
      action<op::SetInstanceHealth, set_instance_health>(),
      action<op::SetInstanceProtection, set_instance_protection>(),
      action<op::StartInstanceRefresh, start_instance_refresh>(),
      action<op::SuspendProcesses, suspend_processes>(),
      action<op::TerminateInstanceInAutoScalingGroup, terminate_instance>(),
      action<op::UpdateAutoScalingGroup, update_group>(),
  };
  static const Service service{.model = api::autoscaling::kService, .actions = rows};
  return service;
}

}  // namespace fakes
