"""serve_clients.py SPOTSIM SCENARIO: aws-cli and boto3 against `spotsim serve`, waiters and
paginators included; and spotsim ctl."""
import datetime
import json
import os
import shutil
import subprocess
import sys

from serve_support import Served, aws_environment
from support import fail, skip

spotsim, scenario = sys.argv[1:]
BOTO = """
import sys, boto3
ec2 = boto3.client("ec2", endpoint_url=sys.argv[1])
launched = ec2.run_instances(
    ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge", MinCount=3, MaxCount=3,
    Placement={"AvailabilityZone": "us-west-2b"}, InstanceMarketOptions={"MarketType": "spot"})
ids = sorted(i["InstanceId"] for i in launched["Instances"])
patient = {"Delay": 0, "MaxAttempts": 100}
ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=patient)
pages = list(ec2.get_paginator("describe_instances").paginate(PaginationConfig={"PageSize": 5}))
found = [i["InstanceId"] for p in pages for r in p["Reservations"] for i in r["Instances"]]
assert sorted(found) == ids, found
pages = ec2.get_paginator("describe_spot_price_history").paginate(
    InstanceTypes=["p3.2xlarge"], PaginationConfig={"PageSize": 2})
prices = [p for page in pages for p in page["SpotPriceHistory"]]
assert {p["InstanceType"] for p in prices} == {"p3.2xlarge"} and len(prices) > 2, prices
volume = ec2.create_volume(AvailabilityZone="us-west-2b", Size=8)["VolumeId"]
ec2.get_waiter("volume_available").wait(VolumeIds=[volume], WaiterConfig=patient)
ec2.attach_volume(VolumeId=volume, InstanceId=ids[0], Device="/dev/sdf")
ec2.get_waiter("volume_in_use").wait(VolumeIds=[volume], WaiterConfig=patient)
snapshot = ec2.create_snapshot(VolumeId=volume)["SnapshotId"]
ec2.get_waiter("snapshot_completed").wait(SnapshotIds=[snapshot], WaiterConfig=patient)
ec2.terminate_instances(InstanceIds=ids)
ec2.get_waiter("instance_terminated").wait(InstanceIds=ids, WaiterConfig=patient)
ec2.get_waiter("volume_available").wait(VolumeIds=[volume], WaiterConfig=patient)
try:
    boto3.client("kinesis", endpoint_url=sys.argv[1]).list_streams()
    sys.exit("Kinesis answers")
except boto3.client("kinesis").exceptions.ClientError as error:
    assert error.response["Error"]["Code"] == "NotImplemented", error
try:
    ec2.describe_transit_gateways()
    sys.exit("transit gateways answer")
except ec2.exceptions.ClientError as error:
    assert error.response["Error"]["Code"] in ("InvalidAction", "UnsupportedOperation"), error
"""
# A launch template's second version, and the volumes that it launches.
DEVICES = """
import sys, boto3
ec2 = boto3.client("ec2", endpoint_url=sys.argv[1])
patient = {"Delay": 0, "MaxAttempts": 200}
ec2.create_launch_template(LaunchTemplateName="job", LaunchTemplateData={
    "ImageId": "ami-0123456789abcdef0", "InstanceType": "m4.xlarge", "DisableApiTermination": True,
    "BlockDeviceMappings": [{"DeviceName": "/dev/sdf", "Ebs": {
        "VolumeSize": 20, "VolumeType": "gp3", "Iops": 4000, "Encrypted": True}}]})
ec2.create_launch_template_version(
    LaunchTemplateName="job", SourceVersion="1", LaunchTemplateData={"KeyName": "mine"})
launched = ec2.run_instances(
    LaunchTemplate={"LaunchTemplateName": "job", "Version": "$Latest"}, MinCount=1, MaxCount=1)
assert launched["Instances"][0]["KeyName"] == "mine", launched
ids = [launched["Instances"][0]["InstanceId"]]
ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=patient)
of_instance = [{"Name": "attachment.instance-id", "Values": ids}]
found = {v["Attachments"][0]["Device"]: v
         for v in ec2.describe_volumes(Filters=of_instance)["Volumes"]}
assert sorted(found) == ["/dev/sda1", "/dev/sdf"], found
data = found["/dev/sdf"]
assert (data["Size"], data["Iops"], data["Encrypted"]) == (20, 4000, True), data
assert data["KmsKeyId"].startswith("arn:aws:kms:us-west-2:123456789012:key/"), data
try:
    ec2.terminate_instances(InstanceIds=ids)
    sys.exit("a protected instance is terminated")
except ec2.exceptions.ClientError as error:
    assert error.response["Error"]["Code"] == "OperationNotPermitted", error
ec2.modify_instance_attribute(InstanceId=ids[0], DisableApiTermination={"Value": False})
ec2.terminate_instances(InstanceIds=ids)
ec2.get_waiter("instance_terminated").wait(InstanceIds=ids, WaiterConfig=patient)
ec2.get_waiter("volume_deleted").wait(
    VolumeIds=[v["VolumeId"] for v in found.values()], WaiterConfig=patient)
"""
# Stops and starts an instance on demand, and a spot instance of a persistent request.
STOPS = """
import sys, boto3
ec2 = boto3.client("ec2", endpoint_url=sys.argv[1])
patient = {"Delay": 0, "MaxAttempts": 200}
one = dict(ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge", MinCount=1, MaxCount=1)
persistent = {"MarketType": "spot", "SpotOptions": {
    "SpotInstanceType": "persistent", "InstanceInterruptionBehavior": "stop"}}
for options in {}, {"InstanceMarketOptions": persistent}:
    ids = [ec2.run_instances(**one, **options)["Instances"][0]["InstanceId"]]
    ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=patient)
    change = ec2.stop_instances(InstanceIds=ids)["StoppingInstances"][0]
    assert change["PreviousState"]["Name"] == "running", change
    ec2.get_waiter("instance_stopped").wait(InstanceIds=ids, WaiterConfig=patient)
    found = ec2.describe_instances(InstanceIds=ids)["Reservations"][0]["Instances"][0]
    assert not found.get("PublicIpAddress") and found["PrivateIpAddress"], found
    assert found["StateReason"]["Code"] == "Client.UserInitiatedShutdown", found
    change = ec2.start_instances(InstanceIds=ids)["StartingInstances"][0]
    assert change["PreviousState"]["Name"] == "stopped", change
    ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=patient)
    found = ec2.describe_instances(InstanceIds=ids)["Reservations"][0]["Instances"][0]
    assert found["PublicIpAddress"], found
    ec2.terminate_instances(InstanceIds=ids)
try:
    ec2.stop_instances(InstanceIds=ids, Hibernate=True)
    sys.exit("Hibernate is accepted without HibernationOptions")
except ec2.exceptions.ClientError as error:
    assert error.response["Error"]["Code"] == "UnsupportedHibernationConfiguration", error
"""
# Tests written for moto's server, as its decorator runs them: each begins with a reset.
MOTO = """
import boto3
from moto import mock_aws
def launch_one():
    ec2 = boto3.client("ec2", "us-east-1")
    assert not ec2.describe_instances()["Reservations"]
    launched = ec2.run_instances(ImageId="ami-0123456789abcdef0", MinCount=1, MaxCount=1)
    found = ec2.describe_instances()["Reservations"]
    assert found[0]["OwnerId"] == "123456789012", found
    assert found[0]["Instances"][0]["State"]["Name"] == "running", found
for _ in range(5):
    mock_aws(launch_one)()
"""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False,
                          env=aws_environment(**more))
    if done.returncode != 0:
        fail(f"{' '.join(command)[:300]}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout.strip()


def has(python, package):
    return python and subprocess.run([python, "-c", f"import {package}"], capture_output=True,
                                     check=False).returncode == 0


def python_with_boto3():
    for python in (sys.executable, "/usr/bin/python3", shutil.which("python3")):
        if has(python, "boto3"):
            return python
    return None


def flow_of_aws_cli(url):
    def ec2(*words):
        return run("/usr/bin/aws", "--endpoint-url", url, "ec2", *words)
    instance = ec2("run-instances", "--image-id", "ami-0123456789abcdef0", "--instance-type",
                   "p3.2xlarge", "--placement", "AvailabilityZone=us-west-2b",
                   "--instance-market-options", "MarketType=spot", "--query",
                   "Instances[0].InstanceId")
    ec2("wait", "instance-running", "--instance-ids", instance)
    if len(ec2("describe-spot-price-history", "--max-items", "5", "--page-size", "2", "--query",
               "SpotPriceHistory[].[Timestamp]").splitlines()) < 5:
        fail("aws-cli's paginator found less than five prices")
    ctl = {"SPOTSIM_URL": url}
    listed = json.loads(run(spotsim, "ctl", "instances", "--json", **ctl))["instances"]
    if instance not in [entry["instance"] for entry in listed if entry["state"] == "running"]:
        fail(f"spotsim ctl instances: {listed}")
    told = run(spotsim, "ctl", "interrupt", instance, "--how", "hard", **ctl)
    if not told.startswith(f"{instance}: taken now, at ") or "without a notice" not in told:
        fail(f"spotsim ctl interrupt: {told}")
    ec2("wait", "instance-terminated", "--instance-ids", instance)
    if ec2("describe-spot-instance-requests", "--query", "SpotInstanceRequests[].Status.Code"
           ) != "instance-terminated-no-capacity":
        fail("the request does not say that it was interrupted")
    if "instance.interrupted" not in run(spotsim, "ctl", "log", **ctl):
        fail("the log does not tell of the interruption")
    now = json.loads(run(spotsim, "ctl", "clock", "--by", "1h", "--json", **ctl))["now"]
    if json.loads(run(spotsim, "ctl", "result", "--json", **ctl))["now"] != now:
        fail("the clock was not moved")
    run(spotsim, "ctl", "price", "p3.2xlarge/us-west-2b", "9.5", **ctl)
    run(spotsim, "ctl", "drain", "p3.2xlarge/us-west-2b", **ctl)
    if ec2("describe-spot-price-history", "--instance-types", "p3.2xlarge", "--availability-zone",
           "us-west-2b", "--start-time", now, "--query", "SpotPriceHistory[0].SpotPrice"
           ) not in ("9.500000", "9.5000"):
        fail("the price was not set")
    done = subprocess.run([spotsim, "ctl", "drain", "x1.nothing/nowhere", "--url", url],
                          capture_output=True, text=True, check=False)
    if done.returncode != 1 or "pool: found x1.nothing/nowhere" not in done.stderr:
        fail(f"spotsim ctl drain of no pool: {done.returncode} {done.stderr}")
    run(spotsim, "ctl", "reset", **ctl)
    if ec2("describe-instances", "--query", "Reservations"):
        fail("there are instances after a reset")


def images_by_parameter(url):
    """Systems Manager names the newest image, and a launch takes the parameter in its place."""
    def aws(*words):
        return run("/usr/bin/aws", "--endpoint-url", url, *words)
    name = "/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2"
    image = aws("ssm", "get-parameters", "--names", name, "--query", "Parameters[0].Value")
    listed = aws("ec2", "describe-images", "--image-ids", image, "--query", "Images[0].Name")
    if not listed.startswith("amzn2-ami-hvm-"):
        fail(f"{name}: {image}, which is {listed}")
    launched = aws("ec2", "run-instances", "--image-id", f"resolve:ssm:{name}", "--instance-type",
                   "p3.2xlarge", "--query", "Instances[0].ImageId")
    if launched != image:
        fail(f"resolve:ssm:{name}: {launched}, expected {image}")
    names = aws("ssm", "get-parameters-by-path", "--path", "/aws/service/ami-amazon-linux-latest",
                "--query", "Parameters[].Name")
    if name not in names:
        fail(f"get-parameters-by-path: {names}")


def launch_by_boto3(python, url, more=""):
    """The ID of a new instance."""
    return run(python, "-c", "import boto3, sys\n"
               "print(boto3.client('ec2', endpoint_url=sys.argv[1]).run_instances("
               f"{more}ImageId='ami-0123456789abcdef0', InstanceType='m4.xlarge', MinCount=1,"
               "MaxCount=1)['Instances'][0]['InstanceId'])", url)


def metadata_of_boto3(python, url):
    """botocore finds the credentials or, as here, the region of an instance by its metadata."""
    found = run("curl", "-sS", "-X", "PUT", "-H", "X-aws-ec2-metadata-token-ttl-seconds: 60",
                url + "latest/api/token")
    if not found.startswith("AQAEA"):
        fail(f"no token: {found}")
    run(python, "-c", "from botocore.utils import InstanceMetadataRegionFetcher as F; import sys\n"
        "assert F(base_url=sys.argv[1]).retrieve_region() == 'us-west-2'", url)


python, cli = python_with_boto3(), os.access("/usr/bin/aws", os.X_OK)
if not python and not cli:
    skip("neither aws-cli nor boto3 is installed")
for options in (("--speed", "max"), ("--speed", "manual", "--profile", "instant")):
    with Served(spotsim, scenario, *options) as served:
        if python:
            for script in BOTO, DEVICES, STOPS:
                run(python, "-c", script, served.url)
                served.control("reset", {})
        # Its waiters sleep 15 s between two looks: one must be enough.
        if cli:
            images_by_parameter(served.url)
        if cli and "instant" in options:
            served.control("reset", {})
            flow_of_aws_cli(served.url)
        if "instant" in options and has(python, "moto"):
            run(python, "-c", MOTO, TEST_SERVER_MODE="true", TEST_SERVER_MODE_ENDPOINT=served.url)
            served.control("reset", {})
        if python:
            launched = launch_by_boto3(python, served.url)
            metadata_of_boto3(python, f"{served.url}/_spotsim/imds/{launched}/")
for url in (served.url, "https://127.0.0.1:1", "127.0.0.1:5000", "http://127.0.0.1"):  # it ended
    done = subprocess.run([spotsim, "ctl", "clock", "--url", url], capture_output=True, text=True,
                          timeout=20, check=False)
    if done.returncode != 2 or f"found no answer from {url}" not in done.stderr:
        fail(f"spotsim ctl of {url}: {done.returncode} {done.stderr}")
if python:
    # The instance's credentials, which are of virtual time, are good where that is the real one.
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    with Served(spotsim, scenario, "--profile", "instant", "--set", f"start={now}", "--set",
                "market.trace_start=2019-11-05T10:00:00Z") as served:
        launched = launch_by_boto3(python, served.url, "IamInstanceProfile={'Name': 'job'},")
        found = run(python, "-c", "import boto3; print(boto3.Session().get_credentials().method)",
                    AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="",
                    AWS_EC2_METADATA_SERVICE_ENDPOINT=f"{served.url}/_spotsim/imds/{launched}")
        if found != "iam-role":
            fail(f"credentials by {found}, expected iam-role")
if not python:
    print("no python3 with boto3: its half was left out")
if not cli:
    print("no aws-cli: its half was left out")
