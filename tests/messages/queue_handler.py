"""queue_handler.py QUEUE_URL: handles interruptions that come through a queue, after the documented
behaviour of AWS's node termination handler in its queue mode. It receives events, drains the
instance (here: prints a line), completes the lifecycle action, and deletes the message. It ends
after the file named by $STOP exists.

Each line of its output has the action, the instance, and the detail type."""
import json
import os
import pathlib
import sys

import boto3

MANAGED = "aws-node-termination-handler/managed"
DRAINS = ("EC2 Spot Instance Interruption Warning", "EC2 Instance Rebalance Recommendation",
          "EC2 Instance-terminate Lifecycle Action")
endpoint = os.environ["ENDPOINT"]
sqs, ec2, groups = (boto3.client(name, endpoint_url=endpoint)
                    for name in ("sqs", "ec2", "autoscaling"))


def say(what, instance, kind):
    print(what, instance, kind, sep="\t", flush=True)


def instance_of(event):
    detail = event["detail"]
    return detail.get("instance-id") or detail.get("EC2InstanceId")


def is_managed(instance):
    found = ec2.describe_instances(InstanceIds=[instance])["Reservations"]
    return any(tag["Key"] == MANAGED for tag in found[0]["Instances"][0].get("Tags", []))


def handle(event):
    kind, detail = event["detail-type"], event["detail"]
    instance = instance_of(event)
    leaves = kind in DRAINS or detail.get("state") in ("stopping", "shutting-down", "terminated")
    if not leaves or not is_managed(instance):
        say("ignored", instance, kind)
        return
    say("drained", instance, kind)
    if kind == "EC2 Instance-terminate Lifecycle Action":
        groups.complete_lifecycle_action(
            LifecycleHookName=detail["LifecycleHookName"], LifecycleActionResult="CONTINUE",
            AutoScalingGroupName=detail["AutoScalingGroupName"],
            LifecycleActionToken=detail["LifecycleActionToken"], InstanceId=instance)
        say("completed", instance, kind)


queue, stop = sys.argv[1], pathlib.Path(os.environ["STOP"])
while not stop.exists():
    for message in sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, VisibilityTimeout=20,
                                       WaitTimeSeconds=20).get("Messages", []):
        handle(json.loads(message["Body"]))
        sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
