"""serve_regions.py SPOTSIM SCENARIO: boto3's clients of two regions. SCENARIO has us-west-2 and
us-east-1."""
import json
import sys

from serve_support import Served
from support import expect, fail, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

spotsim, scenario = sys.argv[1:]
WEST, EAST = "us-west-2", "us-east-1"
AMI = "ami-0123456789abcdef0"
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"Service": "fis.amazonaws.com"}, "Action": "sts:AssumeRole"}]})


def code_of(call, **arguments):
    try:
        return str(call(**arguments))
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]


def wait(client, waiter, **whose):
    client.get_waiter(waiter).wait(WaiterConfig={"Delay": 0, "MaxAttempts": 500}, **whose)


def copy_a_volume(west, east):
    volume = west.create_volume(AvailabilityZone="us-west-2b", Size=8)["VolumeId"]
    wait(west, "volume_available", VolumeIds=[volume])
    snapshot = west.create_snapshot(VolumeId=volume)["SnapshotId"]
    wait(west, "snapshot_completed", SnapshotIds=[snapshot])
    copy = east.copy_snapshot(SourceRegion=WEST, SourceSnapshotId=snapshot)["SnapshotId"]
    wait(east, "snapshot_completed", SnapshotIds=[copy])
    made = east.create_volume(AvailabilityZone="us-east-1a", SnapshotId=copy)
    expect(made["Size"], 8, "the copy's volume")
    expect(code_of(west.describe_snapshots, SnapshotIds=[copy]), "InvalidSnapshot.NotFound",
           "the copy in the first region")


def rent(served, east):
    instance = east.run_instances(
        ImageId=AMI, InstanceType="p3.2xlarge", MinCount=1, MaxCount=1,
        InstanceMarketOptions={"MarketType": "spot"})["Instances"][0]["InstanceId"]
    wait(east, "instance_running", InstanceIds=[instance])
    expect([row["pool"].split("/")[1][:-1] for row in served.get("instances")["instances"]], [EAST],
           "the control API's instances")
    _, region = served.control(f"imds/{instance}/latest/meta-data/placement/region")
    expect(region, EAST, "the instance's metadata")
    status, text = served.control("interrupt", {"instance": instance, "how": "hard"})
    expect(status, 200, text)
    wait(east, "instance_terminated", InstanceIds=[instance])
    bought = east.describe_instances(InstanceIds=[instance])["Reservations"][0]["Instances"][0]
    expect(bought["Placement"]["AvailabilityZone"][:-1], EAST, "the instance's zone")


def store(clients):
    west, east = clients(WEST, "s3"), clients(EAST, "s3")
    west.create_bucket(Bucket="west", CreateBucketConfiguration={"LocationConstraint": WEST})
    east.create_bucket(Bucket="east")
    east.put_object(Bucket="east", Key="key", Body=b"bytes")
    read = west.get_object(Bucket="east", Key="key")["Body"].read()  # boto3 follows the redirect
    expect(read, b"bytes", "an object of the other region")
    expect(west.get_bucket_location(Bucket="west")["LocationConstraint"], WEST, "the location")
    names = [bucket["Name"] for bucket in east.list_buckets()["Buckets"]]
    expect(names, ["east", "west"], "the account's buckets")


def experiments(clients, east):
    """Experiments of a further region strike there only."""
    fis, role = clients(EAST, "fis"), clients(EAST, "iam").create_role(
        RoleName="fis", AssumeRolePolicyDocument=TRUST)["Role"]["Arn"]

    def start(action, parameters, target, **whose):
        made = fis.create_experiment_template(
            description="d", roleArn=role, stopConditions=[{"source": "none"}],
            targets={"all": {"selectionMode": "ALL", **whose}},
            actions={"one": {"actionId": action, "parameters": parameters,
                             "targets": {target: "all"}}})["experimentTemplate"]
        return fis.start_experiment(experimentTemplateId=made["id"])["experiment"]["id"]

    throttled = start("aws:fis:inject-api-throttle-error",
                      {"duration": "PT1H", "service": "ec2", "percentage": "100",
                       "operations": "DescribeVolumes"},
                      "Roles", resourceType="aws:iam:role", resourceArns=[role])
    codes = [code_of(clients(region, "ec2", 1).describe_volumes) for region in (WEST, EAST)]
    expect([code == "RequestLimitExceeded" for code in codes], [False, True], "who is throttled")
    fis.stop_experiment(id=throttled)
    instance = east.run_instances(ImageId=AMI, InstanceType="p3.2xlarge", MinCount=1, MaxCount=1,
                                  InstanceMarketOptions={"MarketType": "spot"})["Instances"][0]
    wait(east, "instance_running", InstanceIds=[instance["InstanceId"]])
    start("aws:ec2:send-spot-instance-interruptions", {"durationBeforeInterruption": "PT2M"},
          "SpotInstances", resourceType="aws:ec2:spot-instance", resourceArns=[
              f"arn:aws:ec2:us-east-1:123456789012:instance/{instance['InstanceId']}"])
    wait(east, "instance_terminated", InstanceIds=[instance["InstanceId"]])
    expect(clients(WEST, "fis").list_experiments()["experiments"], [], "the first region's")


def interrupt(served):
    """A further region has interruptions of its own; its pool is empty in the first region."""
    east = boto3.client("ec2", region_name=EAST, endpoint_url=served.url, aws_access_key_id="a",
                        aws_secret_access_key="b")
    instance = east.run_instances(
        ImageId=AMI, InstanceType="p3.2xlarge", MinCount=1, MaxCount=1,
        Placement={"AvailabilityZone": "us-east-1b"},
        InstanceMarketOptions={"MarketType": "spot"})["Instances"][0]["InstanceId"]

    def state():
        found = east.describe_instances(InstanceIds=[instance])["Reservations"][0]["Instances"][0]
        return found["State"]["Name"]

    served.control("clock", {"by": "9m"})
    expect(state(), "running", "before the interruption")
    served.control("clock", {"by": "2m"})
    _, notice = served.control(f"imds/{instance}/latest/meta-data/spot/instance-action")
    if '"terminate"' not in notice:
        fail(f"the notice: found {notice!r}, expected an action")
    served.control("clock", {"by": "4m"})
    expect(state(), "terminated", "after the interruption")
    lines = [line for line in served.log().splitlines() if '"scenario.interruption"' in line]
    expect(['"region":"us-east-1"' in line for line in lines], [True], "the log")


def main():
    with Served(spotsim, scenario, "--speed", "manual", "--set",
                "regions[0].interruptions=[{at: 10m, pool: p3.2xlarge/us-east-1b}]") as served:
        interrupt(served)
    with Served(spotsim, scenario, "--speed", "max") as served:
        def clients(region, service, attempts=None):
            return boto3.client(service, region_name=region, endpoint_url=served.url,
                                aws_access_key_id="a", aws_secret_access_key="b",
                                config=botocore.config.Config(
                                    retries={"total_max_attempts": attempts or 5}))
        west, east = clients(WEST, "ec2"), clients(EAST, "ec2")
        expect([row["RegionName"] for row in east.describe_regions()["Regions"]], [WEST, EAST],
               "the regions")
        zones = {row["RegionName"] for row in
                 east.describe_availability_zones()["AvailabilityZones"]}
        expect(zones, {EAST}, "the zones' region")
        expect(code_of(clients("eu-west-1", "ec2").describe_volumes), "AuthFailure",
               "a region that the scenario lacks")
        copy_a_volume(west, east)
        rent(served, east)
        store(clients)
        queue = clients(EAST, "sqs").create_queue(QueueName="jobs")["QueueUrl"]
        expect(clients(WEST, "sqs").list_queues().get("QueueUrls", []), [], f"beside {queue}")
        expect(code_of(clients(EAST, "sagemaker").list_training_jobs), "NotImplemented",
               "SageMaker")
        experiments(clients, east)
        lines = served.log().splitlines()
        if not any('"event":"snapshot.state","region":"us-east-1"' in line for line in lines):
            fail("no snapshot of the second region in the log")


main()
