"""differences.py SPOTSIM: each call of differences.yaml has the outcome that the
table and docs/differences.md state, against `spotsim serve` and, if it is installed, moto's server.
`--show URL [moto]` prints the outcomes at an endpoint instead."""
import functools
import json
import pathlib
import sys
import urllib.request

from server import installed_moto, moto_server
from serve_support import CONTROL, Served
from support import fail, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
    import botocore.parsers
    import yaml
except ImportError as error:
    skip(f"this python3 has no {error.name}")

TABLE = yaml.safe_load((pathlib.Path(__file__).parent / "differences.yaml").read_text())
PATIENT = {"Delay": 0, "MaxAttempts": 200}
ZONE = "us-west-2a"
KEY = {"AccessKeyId": "AKIDEXAMPLE", "SecretAccessKey": "secret"}


def client(url, name, region="us-west-2", key=KEY):
    return boto3.client(
        name, endpoint_url=url, region_name=region,
        aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"],
        config=botocore.config.Config(retries={"max_attempts": 0}, s3={"addressing_style": "path"}))


@functools.cache
def first_image(url):
    ec2 = client(url, "ec2")
    return ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]


class World:
    """What the table's calls can use, at an endpoint that has been reset."""

    def __init__(self, url, of_moto):
        urllib.request.urlopen(urllib.request.Request(
            url + "/moto-api/reset", b"", CONTROL), timeout=20).read()
        self.url = url
        self.ec2, self.s3, self.sqs, self.sagemaker = map(
            self.client, ("ec2", "s3", "sqs", "sagemaker"))
        # moto has a list of images, and checks it for other calls. A reset keeps the list, which
        # takes a second to read.
        self.ami = first_image(url) if of_moto else "ami-0123456789abcdef0"

    def client(self, *args, **kwargs):
        return client(self.url, *args, **kwargs)

    def launch(self, **more):
        plain = {"ImageId": self.ami, "InstanceType": "p3.2xlarge", "MinCount": 1, "MaxCount": 1,
                 "Placement": {"AvailabilityZone": ZONE}}
        return self.ec2.run_instances(**plain | more)["Instances"][0]["InstanceId"]

    def described(self, instance):
        found = self.ec2.describe_instances(InstanceIds=[instance])
        return found["Reservations"][0]["Instances"][0]

    def running(self, instance):
        self.ec2.get_waiter("instance_running").wait(InstanceIds=[instance], WaiterConfig=PATIENT)
        return instance

    def volume(self, **more):
        plain = {"AvailabilityZone": ZONE, "Size": 8}
        volume = self.ec2.create_volume(**plain | more)["VolumeId"]
        self.ec2.get_waiter("volume_available").wait(VolumeIds=[volume], WaiterConfig=PATIENT)
        return volume

    def snapshot(self, volume):
        snapshot = self.ec2.create_snapshot(VolumeId=volume)["SnapshotId"]
        self.ec2.get_waiter("snapshot_completed").wait(SnapshotIds=[snapshot],
                                                       WaiterConfig=PATIENT)
        return snapshot

    def attach(self, volume, instance, device="/dev/sdf"):
        self.ec2.attach_volume(VolumeId=volume, InstanceId=instance, Device=device)

    def alarm(self, **more):
        plain = {"AlarmName": "a", "Namespace": "n", "MetricName": "m", "Statistic": "Sum",
                 "Period": 60, "EvaluationPeriods": 1, "Threshold": 0,
                 "ComparisonOperator": "GreaterThanThreshold"}
        self.client("cloudwatch").put_metric_alarm(**plain | more)

    def experiment_template(self, action, **parameters):
        return self.client("fis").create_experiment_template(
            description="d", roleArn="arn:aws:iam::123456789012:role/role",
            stopConditions=[{"source": "none"}],
            actions={"a": {"actionId": action, "parameters": parameters}},
        )["experimentTemplate"]["id"]

    def policy(self, **more):
        """A document with one statement, without the members that are None."""
        statement = {"Effect": "Allow", "Action": "*", "Resource": "*"} | more
        given = {name: value for name, value in statement.items() if value is not None}
        return json.dumps({"Version": "2012-10-17", "Statement": [given]})

    def role(self, **more):
        trust = self.policy(Action="sts:AssumeRole", Resource=None,
                            Principal={"AWS": "123456789012"})
        self.client("iam").create_role(**{"RoleName": "r", "AssumeRolePolicyDocument": trust}
                                       | more)

    def managed_policy(self, name="p", **more):
        made = self.client("iam").create_policy(PolicyName=name, PolicyDocument=self.policy(**more))
        return made["Policy"]["Arn"]

    def rule(self, target):
        """A rule for all events of EC2."""
        events = self.client("events")
        events.put_rule(Name="r", EventPattern='{"source": ["aws.ec2"]}')
        events.put_targets(Rule="r", Targets=[target])

    def subscribe(self, **more):
        topic = self.client("sns").create_topic(Name="t")["TopicArn"]
        return self.client("sns").subscribe(TopicArn=topic, **more)["SubscriptionArn"]

    def spot_status(self, **more):
        """State and status of a request, when there was time to fulfil it."""
        spec = {"ImageId": self.ami, "InstanceType": "p3.2xlarge",
                "Placement": {"AvailabilityZone": ZONE}}
        made = self.ec2.request_spot_instances(LaunchSpecification=spec, **more)
        request = [made["SpotInstanceRequests"][0]["SpotInstanceRequestId"]]
        for _ in range(3):
            found = self.ec2.describe_spot_instance_requests(SpotInstanceRequestIds=request)
        found = found["SpotInstanceRequests"][0]
        return f"{found['State']}, {found['Status']['Code']}"

    def train(self, **more):
        plain = {
            "TrainingJobName": "job", "RoleArn": "arn:aws:iam::123456789012:role/role",
            "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
            "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
            "ResourceConfig": {"InstanceType": "ml.p3.2xlarge", "InstanceCount": 1,
                               "VolumeSizeInGB": 10},
            "StoppingCondition": {"MaxRuntimeInSeconds": 3600}}
        self.sagemaker.create_training_job(**plain | more)


def outcome(call, world):
    names = {name: getattr(world, name) for name in dir(world) if not name.startswith("_")}
    names["AMI"] = world.ami
    try:
        exec(call, names)  # the table is part of this test
    except botocore.exceptions.ClientError as error:
        code = error.response["Error"]["Code"]
        return f"HTTP status {code}" if code.isdigit() else code
    except botocore.parsers.ResponseParserError:
        return "HTTP status 500"  # a page without an error of AWS's form
    return names.get("result", "ok")


def outcomes(url, who):
    return [(case, outcome(case["call"], World(url, who == "moto"))) for case in TABLE["cases"]]


def check(url, who):
    wrong = [f"{case['what']}: found {found!r}, expected {case[who]!r}"
             for case, found in outcomes(url, who) if found != case[who]]
    if wrong:
        fail(f"{who} differs from differences.yaml:\n  " + "\n  ".join(wrong))
    print(f"{who}: {len(TABLE['cases'])} outcomes are as the table has them")


def main():
    if sys.argv[1] == "--show":
        for case, found in outcomes(sys.argv[2], "".join(sys.argv[3:])):
            print(f"{case['what']}: {found}")
        return
    with Served(sys.argv[1], "--speed", "max") as served:
        check(served.url, "spotsim")
    program, version = installed_moto()
    if not program or version != TABLE["moto_version"]:
        print(f"skipped moto: found {version}, the table has {TABLE['moto_version']}")
        return
    with moto_server(program) as url:
        check(url, "moto")


if __name__ == "__main__":
    main()
