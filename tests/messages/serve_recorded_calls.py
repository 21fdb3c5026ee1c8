"""serve_recorded_calls.py SPOTSIM SCENARIO: sends to `spotsim serve` the recorded HTTP requests of
AWS's own ec2-spot-interrupter and of its node termination handler in queue mode. In each answer it
looks at the status, and at the members that the program reads.

A file in recorded/ has the requests of one program. Placeholders such as {instance} stand for IDs,
tokens and addresses, which come from earlier answers ("keeps"). Other steps advance the clock, use
the control API, or are deeds of another client."""
import http.client
import json
import os
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree

from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

spotsim, scenario = sys.argv[1:]
recorded = pathlib.Path(__file__).with_name("recorded")


def leaves(value, path=""):
    """Each text and number of an answer, with its path. A text that is JSON has parts, too."""
    if isinstance(value, xml.etree.ElementTree.Element):
        path += "/" + value.tag.rsplit("}", 1)[-1]
        if len(value) == 0:
            yield from leaves(value.text or "", path)
        for child in value:
            yield from leaves(child, path)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, f"{path}/{name}")
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each, path)
    elif isinstance(value, str) and value.startswith("{"):
        yield from leaves(json.loads(value), path)
    else:
        yield path, value


def parsed(text):
    if text.startswith("<"):
        return xml.etree.ElementTree.fromstring(text)
    return json.loads(text or "{}")


def fits(found, wanted):
    """Whether these are the values that were recorded. One that begins with ~ is a pattern."""
    return len(found) == len(wanted) and all(
        re.fullmatch(pattern[1:], str(value)) if str(pattern).startswith("~") else value == pattern
        for value, pattern in zip(found, wanted))


class Replay:
    """Sends a recording's requests. A deed is a step that another client takes."""

    def __init__(self, served, recording, deeds=(), **known):
        self.served, self.headers, self.deeds = served, recording["headers"], dict(deeds)
        self.known = {"address": f"127.0.0.1:{served.port}", **known}
        for number, step in enumerate(recording["steps"], 1):
            self.take(step, number)

    def filled(self, value, quote=str):
        """A recorded value with the placeholders replaced."""
        if isinstance(value, dict):
            return {name: self.filled(each, quote) for name, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each, quote) for each in value]
        return re.sub(r"\{([a-z][a-z_0-9]*)\}", lambda found: quote(self.known[found[1]]), value)

    def take(self, step, number):
        if "clock" in step:
            self.control("clock", {"by": step["clock"]})
        elif "control" in step:
            self.control(step["control"], self.filled(step["body"]))
        elif "deed" in step:
            self.known.update(self.deeds[step["deed"]](self.known) or {})
        else:
            self.send(step, f"step {number}, {step['call']}")

    def control(self, path, body):
        status, text = self.served.control(path, body)
        expect(status, 200, f"{path} {body}: {text}: status")

    def send(self, step, what):
        headers = self.filled(self.headers[step["to"]])
        form = "urlencoded" in headers.get("Content-Type", "")
        body = self.filled(step.get("body", ""), urllib.parse.quote_plus if form else str)
        method, path = self.filled(step["call"]).split()
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=60)
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        what = f"{what} {body[:300]}\n{text}\n"
        expect(answer.status, step["status"], what + "status")
        found = list(leaves(parsed(text)))

        def at(path):
            return [value for whole, value in found if whole.endswith("/" + path)]

        for path, wanted in step.get("reads", {}).items():
            if not fits(at(path), self.filled(wanted)):
                fail(f"{what}{path}: found {at(path)}, expected {self.filled(wanted)}")
        for name, (path, which) in step.get("keeps", {}).items():
            self.known[name] = at(path)[which]


def events(served, name):
    """The instances of the log's events of this name."""
    return [event["instance_id"] for event in map(json.loads, served.log().splitlines())
            if event["event"] == name]


def client(served, name):
    os.environ.update({key: value for key, value in aws_environment().items() if "AWS" in key})
    return boto3.client(name, endpoint_url=served.url)


SPOT = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "p3.2xlarge",
        "InstanceMarketOptions": {"MarketType": "spot"}}


def interrupter(served, recording):
    """Six instances: FIS takes five for each action."""
    launched = client(served, "ec2").run_instances(
        MinCount=6, MaxCount=6, Placement={"AvailabilityZone": "us-west-2b"}, **SPOT)["Instances"]
    ids = [each["InstanceId"] for each in launched]
    served.control("clock", {"by": "2m"})
    Replay(served, recording, **{f"instance{n}": each for n, each in enumerate(ids)})
    for event in ("instance.rebalance", "instance.notice"):
        expect(sorted(events(served, event)), sorted(ids), event)
    shown = client(served, "ec2").describe_instances(InstanceIds=ids)["Reservations"][0]
    expect({each["State"]["Name"] for each in shown["Instances"]}, {"terminated"}, "states")


def handler(served, recording):
    """A queue with EventBridge's rules, and a group with a hook for each transition."""
    sqs, rules, groups, ec2 = (client(served, name)
                               for name in ("sqs", "events", "autoscaling", "ec2"))
    queue = sqs.create_queue(QueueName="interruptions")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]
    for source in ("aws.ec2", "aws.autoscaling"):
        kinds = [{"prefix": "EC2 Instance-"}, "EC2 Instance Rebalance Recommendation",
                 "EC2 Spot Instance Interruption Warning", "EC2 Instance State-change Notification"]
        pattern = {"source": [source], "detail-type": kinds}
        rules.put_rule(Name=source, EventPattern=json.dumps(pattern))
        rules.put_targets(Rule=source, Targets=[{"Id": "1", "Arn": arn["QueueArn"]}])
    ec2.create_launch_template(LaunchTemplateName="node", LaunchTemplateData=SPOT)
    groups.create_auto_scaling_group(
        AutoScalingGroupName="nodes", MinSize=1, MaxSize=2, DesiredCapacity=1,
        AvailabilityZones=["us-west-2b"], LaunchTemplate={"LaunchTemplateName": "node"},
        Tags=[{"Key": "aws-node-termination-handler/managed", "Value": "",
               "PropagateAtLaunch": True}],
        LifecycleHookSpecificationList=[
            {"LifecycleHookName": name, "LifecycleTransition": f"autoscaling:EC2_INSTANCE_{of}",
             "HeartbeatTimeout": 300, "DefaultResult": "ABANDON"}
            for name, of in (("join", "LAUNCHING"), ("drain", "TERMINATING"))])
    deeds = {
        "launch": lambda known: {"other": ec2.run_instances(
            MinCount=1, MaxCount=1, Placement={"AvailabilityZone": "us-west-2b"},
            **SPOT)["Instances"][0]["InstanceId"]},
        "terminate": lambda known: groups.terminate_instance_in_auto_scaling_group(
            InstanceId=known["first"], ShouldDecrementDesiredCapacity=False) and None}
    Replay(served, recording, deeds, queue=queue)
    counts = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])["Attributes"]
    expect([counts["ApproximateNumberOfMessages" + of] for of in ("", "NotVisible")], ["0", "0"],
           "messages that are left")


for program in (interrupter, handler):
    recording = json.loads((recorded / f"{program.__name__}.json").read_text())
    with Served(spotsim, scenario, "--speed", "manual") as running:
        program(running, recording)
    print(f"{recording['program']}: {len(recording['steps'])} steps")
