"""serve_autoscaling.py SPOTSIM SCENARIO: boto3 and aws-cli drive Auto Scaling at `spotsim serve`.
Each answer is held against botocore's output shape: no element that the shape does not know, all
required members, values of enumerations. Each paginator collects what one call gives."""
import pathlib
import sys

from aws_cli import AwsCli
from response_shapes import QueryWitness
from serve_ec2 import Service, served_actions
from serve_support import Served
from support import expect, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

AMI = "ami-0123456789abcdef0"
XMLNS = "http://autoscaling.amazonaws.com/doc/2011-01-01/"
# A group has none of these here.
EMPTY = {"DescribeInstanceRefreshes", "DescribeLoadBalancerTargetGroups", "DescribeLoadBalancers",
         "DescribeNotificationConfigurations", "DescribePolicies", "DescribeTrafficSources",
         "DescribeWarmPool"}
GROUP = {"AutoScalingGroupName": "g-0"}


def refusal(call, **parameters):
    try:
        call(**parameters)
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]
    return None


def make(ec2, groups, wait):
    data = {"ImageId": AMI, "InstanceType": "p3.2xlarge"}
    ec2.create_launch_template(LaunchTemplateName="template", LaunchTemplateData=data)
    for number in range(3):
        groups.create_launch_configuration(
            LaunchConfigurationName=f"lc-{number}", SpotPrice="3.06", UserData="#!/bin/bash\n",
            BlockDeviceMappings=[{"DeviceName": "/dev/sdf", "Ebs": {"VolumeSize": 8}}],
            SecurityGroups=["default"], IamInstanceProfile="job", **data)
        groups.create_auto_scaling_group(
            AutoScalingGroupName=f"g-{number}", MinSize=0, MaxSize=4, DesiredCapacity=2,
            LaunchConfigurationName="lc-0", AvailabilityZones=["us-west-2a", "us-west-2b"],
            LifecycleHookSpecificationList=[
                {"LifecycleHookName": "save", "HeartbeatTimeout": 60, "DefaultResult": "CONTINUE",
                 "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING"}],
            Tags=[{"Key": f"k{number}", "Value": "grün & <blau>", "PropagateAtLaunch": True}])
    subnets = [subnet["SubnetId"] for subnet in ec2.describe_subnets()["Subnets"]]
    groups.create_auto_scaling_group(
        AutoScalingGroupName="mixed", MinSize=1, MaxSize=4, VPCZoneIdentifier=",".join(subnets),
        CapacityRebalance=True, MixedInstancesPolicy={
            "LaunchTemplate": {
                "LaunchTemplateSpecification": {"LaunchTemplateName": "template", "Version": "1"},
                "Overrides": [{"InstanceType": "p3.2xlarge", "WeightedCapacity": "1"}]},
            "InstancesDistribution": {"OnDemandPercentageAboveBaseCapacity": 0,
                                      "SpotAllocationStrategy": "capacity-optimized"}})
    wait("2m")


def call_all(groups, wait):
    one, two = [member["InstanceId"] for member in groups.describe_auto_scaling_groups(
        AutoScalingGroupNames=["g-0"])["AutoScalingGroups"][0]["Instances"]]
    groups.set_instance_protection(InstanceIds=[one], ProtectedFromScaleIn=True, **GROUP)
    groups.set_instance_health(InstanceId=one, HealthStatus="Healthy")
    groups.enter_standby(InstanceIds=[one], ShouldDecrementDesiredCapacity=True, **GROUP)
    groups.exit_standby(InstanceIds=[one], **GROUP)
    wait("1m")
    groups.detach_instances(InstanceIds=[one], ShouldDecrementDesiredCapacity=True, **GROUP)
    groups.attach_instances(InstanceIds=[one], **GROUP)
    wait("1m")
    ended = groups.terminate_instance_in_auto_scaling_group(
        InstanceId=two, ShouldDecrementDesiredCapacity=True)["Activity"]
    expect(ended["StatusCode"], "MidLifecycleAction", "an activity with a hook")
    hook = {"LifecycleHookName": "save", "InstanceId": two, **GROUP}
    groups.record_lifecycle_action_heartbeat(**hook)
    groups.complete_lifecycle_action(LifecycleActionResult="CONTINUE", **hook)
    groups.put_lifecycle_hook(LifecycleHookName="more", HeartbeatTimeout=30, LifecycleTransition=(
        "autoscaling:EC2_INSTANCE_LAUNCHING"), **GROUP)
    groups.describe_lifecycle_hooks(**GROUP)
    groups.delete_lifecycle_hook(LifecycleHookName="more", **GROUP)
    groups.update_auto_scaling_group(HealthCheckGracePeriod=60, **GROUP)
    groups.set_desired_capacity(DesiredCapacity=2, **GROUP)
    groups.suspend_processes(ScalingProcesses=["AZRebalance"], **GROUP)
    groups.describe_auto_scaling_groups()
    groups.resume_processes(**GROUP)
    tag = {"ResourceId": "g-0", "ResourceType": "auto-scaling-group", "Key": "more"}
    groups.create_or_update_tags(Tags=[tag | {"Value": "x"}])
    groups.delete_tags(Tags=[tag])
    for number in range(3):
        groups.put_scheduled_update_group_action(
            ScheduledActionName=f"s-{number}", Recurrence="0 0 * * *", DesiredCapacity=1, **GROUP)
    groups.batch_put_scheduled_update_group_action(ScheduledUpdateGroupActions=[
        {"ScheduledActionName": "bad", "Recurrence": "x", "MinSize": 0}], **GROUP)
    for action in ("account_limits", "adjustment_types", "auto_scaling_notification_types",
                   "lifecycle_hook_types", "metric_collection_types", "scaling_process_types",
                   "termination_policy_types"):
        getattr(groups, f"describe_{action}")()
    groups.describe_instance_refreshes(**GROUP)
    groups.describe_warm_pool(**GROUP)


def check_pages(groups, aws):
    for name in groups.meta.service_model.operation_names:
        method = botocore.xform_name(name)
        if not groups.can_paginate(method):
            continue
        paginator = groups.get_paginator(method)
        key = paginator.result_keys[0].expression
        required = groups.meta.service_model.operation_model(name).input_shape.required_members
        parameters = GROUP if "AutoScalingGroupName" in required else {}
        whole = getattr(groups, method)(**parameters)[key]
        pages = list(paginator.paginate(**parameters, PaginationConfig={"PageSize": 2}))
        expect([item for page in pages for item in page[key]], whole, f"the pages of {name}")
        expect(len(pages), max(-(-len(whole) // 2), 1), f"the number of pages of {name}")
        if aws.installed:
            shown = aws.pages("autoscaling", method, parameters, key, 2)
            expect(len(shown), len(whole), f"aws-cli's items of {name}")
        expect(refusal(getattr(groups, method), NextToken="x", **parameters) if whole else
               "InvalidNextToken", "InvalidNextToken", f"{name} with a bad token")


def check_refusals(groups):
    for wanted, action, parameters in (
            ("ValidationError", "set_desired_capacity", {"DesiredCapacity": 9}),
            ("ResourceInUse", "delete_launch_configuration", {"LaunchConfigurationName": "lc-0"}),
            ("ScalingActivityInProgress", "delete_auto_scaling_group", {}),
            ("UnsupportedOperation", "start_instance_refresh", {}),
            ("UnsupportedOperation", "put_scaling_policy", {"PolicyName": "p"})):
        group = {} if "configuration" in action else GROUP
        expect(refusal(getattr(groups, action), **parameters, **group), wanted, action)


def check_the_end(groups, wait):
    groups.delete_scheduled_action(ScheduledActionName="s-0", **GROUP)
    groups.batch_delete_scheduled_action(ScheduledActionNames=["s-1", "none"], **GROUP)
    for name in ("g-0", "g-1", "g-2", "mixed"):
        groups.delete_auto_scaling_group(AutoScalingGroupName=name, ForceDelete=True)
    expect(groups.describe_auto_scaling_groups()["AutoScalingGroups"][0]["Status"],
           "Delete in progress", "the status of a group that is being deleted")
    wait("3m")
    expect(groups.describe_auto_scaling_groups()["AutoScalingGroups"], [], "the groups in the end")
    groups.describe_scaling_activities(IncludeDeletedGroups=True)
    groups.delete_launch_configuration(LaunchConfigurationName="lc-0")


spotsim, scenario = sys.argv[1:]
actions = served_actions(pathlib.Path(scenario).parent.parent, "autoscaling")
witness = QueryWitness(XMLNS)
with Served(spotsim, scenario, "--speed", "manual") as served, AwsCli(served.url) as cli:
    def wait(duration):
        status, text = served.control("clock", {"by": duration})
        expect(status, 200, text)

    def client(service):
        return boto3.client(service, endpoint_url=served.url, region_name="us-west-2",
                            aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret",
                            config=botocore.config.Config(retries={"total_max_attempts": 1}))

    autoscaling = client("autoscaling")
    autoscaling.meta.events.register("after-call", witness.after_call)
    make(client("ec2"), autoscaling, wait)
    call_all(autoscaling, wait)
    check_pages(autoscaling, cli)
    autoscaling.describe_traffic_sources(TrafficSourceType="elb", **GROUP)
    check_refusals(autoscaling)
    if cli.installed:
        found = cli("autoscaling", "describe-auto-scaling-instances",
                    "--query", "AutoScalingInstances[0].AutoScalingGroupName")
        expect(found, "g-0", "the first instance's group by aws-cli")
    check_the_end(autoscaling, wait)
    form_service = Service(served.port, witness, "autoscaling")
    for action in actions:
        form_service.refused(action, {"Version": "2010-01-01"})
witness.finish(actions, refused={"StartInstanceRefresh", "PutScalingPolicy"}, empty=EMPTY)
