"""serve_queue_handler.py SPOTSIM SCENARIO [FOLDER]: tests a handler of interruptions in queue mode
with `spotsim serve`. Interruption, rebalance recommendation and lifecycle action reach the handler
through EventBridge and SQS. After its answer the group replaces the instance.

The handler is queue_handler.py. With a folder, where the compiler's cache is, it is the Go program
go/queue_handler instead."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import go_program
from serve_support import Served, aws_environment
from support import fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

AMI, ZONE = "ami-0123456789abcdef0", "us-west-2b"
RULES = {"spot": ("aws.ec2", "EC2 Spot Instance Interruption Warning"),
         "rebalance": ("aws.ec2", "EC2 Instance Rebalance Recommendation"),
         "state": ("aws.ec2", "EC2 Instance State-change Notification"),
         "hook": ("aws.autoscaling", "EC2 Instance-terminate Lifecycle Action")}
PATIENCE = 60  # seconds of real time


def make(sqs, events, groups, ec2):
    """Makes the queue with its rules, and a group whose hook waits for an hour."""
    url = sqs.create_queue(QueueName="interruptions")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]
    for name, (source, kind) in RULES.items():
        events.put_rule(Name=name, EventPattern=f'{{"source": ["{source}"], '
                                                f'"detail-type": ["{kind}"]}}')
        events.put_targets(Rule=name, Targets=[{"Id": "1", "Arn": arn["QueueArn"]}])
    ec2.create_launch_template(LaunchTemplateName="node", LaunchTemplateData={
        "ImageId": AMI, "InstanceType": "p3.2xlarge",
        "InstanceMarketOptions": {"MarketType": "spot"}})
    groups.create_auto_scaling_group(
        AutoScalingGroupName="nodes", MinSize=1, MaxSize=2, DesiredCapacity=1,
        AvailabilityZones=[ZONE], LaunchTemplate={"LaunchTemplateName": "node"},
        Tags=[{"Key": "aws-node-termination-handler/managed", "Value": "",
               "PropagateAtLaunch": True}],
        LifecycleHookSpecificationList=[{
            "LifecycleHookName": "drain", "HeartbeatTimeout": 3600, "DefaultResult": "CONTINUE",
            "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING"}])
    return url


def until(what, look):
    """Calls look() until it returns a true value, and returns that value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    fail(f"{what} has not happened in {PATIENCE} s; the handler's lines: {lines()}")


def lines():
    return output.read_text().splitlines()


def in_service(groups, other_than=None):
    shown = groups.describe_auto_scaling_instances()["AutoScalingInstances"]
    ids = [each["InstanceId"] for each in shown if each["LifecycleState"] == "InService"]
    return next((each for each in ids if each != other_than), None)


spotsim, scenario, *cache = sys.argv[1:]
command = ([go_program.compiled("queue_handler", cache[0])] if cache else
           ["/usr/bin/python3", pathlib.Path(__file__).with_name("queue_handler.py")])
with tempfile.TemporaryDirectory() as folder, \
        Served(spotsim, scenario, "--speed", "60x") as served:
    output, stop = pathlib.Path(folder) / "output", pathlib.Path(folder) / "stop"
    environment = aws_environment(ENDPOINT=served.url, STOP=str(stop))
    os.environ.update({name: value for name, value in environment.items() if "AWS" in name})
    sqs, events, groups, ec2 = (boto3.client(name, endpoint_url=served.url)
                                for name in ("sqs", "events", "autoscaling", "ec2"))
    queue = make(sqs, events, groups, ec2)
    handler = subprocess.Popen([*command, queue], env=environment, stdout=output.open("w"))
    try:
        first = until("the launch", lambda: in_service(groups))
        status, text = served.control("interrupt", {"instance": first, "how": "rebalance"})
        if status != 200:
            fail(f"rebalance: {text}")
        until("the recommendation", lambda: f"drained\t{first}\t{RULES['rebalance'][1]}" in lines())
        groups.terminate_instance_in_auto_scaling_group(
            InstanceId=first, ShouldDecrementDesiredCapacity=False)
        until("the hook's completion", lambda: f"completed\t{first}\t{RULES['hook'][1]}" in lines())
        second = until("the replacement", lambda: in_service(groups, other_than=first))
        status, text = served.control("interrupt", {"instance": second, "how": "notice"})
        if status != 200:
            fail(f"interruption: {text}")
        until("the warning", lambda: f"drained\t{second}\t{RULES['spot'][1]}" in lines())
        counts = lambda: sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=[
            "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"])["Attributes"]
        until("the end of the queue", lambda: set(counts().values()) == {"0"})
    finally:
        stop.touch()
        handler.kill()
        handler.wait()
    print(f"the handler wrote {len(lines())} lines")
