"""serve_waiters.py SPOTSIM SCENARIO: each waiter of botocore's model whose operation is served sees
nothing too early and comes to its end, in boto3 and in aws-cli."""
import pathlib
import sys

from aws_cli import AwsCli
from serve_ec2 import served_actions
from serve_support import Served
from serve_world import AMI, ZONE
from support import fail, skip

try:
    import boto3
    import botocore
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

# These find their state at once in the flow below: both statuses become ok at one time, and a
# volume is in use from the call that attaches it. For the others time must go on.
AT_ONCE = ("image_exists", "instance_exists", "instance_status_ok",
           "internet_gateway_exists", "key_pair_exists", "security_group_exists",
           "network_interface_available", "subnet_available", "volume_in_use", "vpc_available",
           "vpc_exists")


class Flow:
    """Moves resources through the states of waiters, with `wait(waiter, **whose)` at each."""

    def __init__(self, ec2, wait):
        self.ec2, self.wait, self.waited = ec2, wait, set()

    def until(self, waiter, **whose):
        self.waited.add(waiter)
        self.wait(waiter, **whose)

    def run(self):
        group = self.ec2.describe_security_groups()["SecurityGroups"][0]
        self.until("security_group_exists", GroupIds=[group["GroupId"]])
        self.until("vpc_exists", VpcIds=[group["VpcId"]])
        self.until("vpc_available", VpcIds=[group["VpcId"]])
        subnets = [subnet["SubnetId"] for subnet in self.ec2.describe_subnets()["Subnets"]]
        self.until("subnet_available", SubnetIds=subnets)
        gateway = self.ec2.describe_internet_gateways()["InternetGateways"][0]
        self.until("internet_gateway_exists", InternetGatewayIds=[gateway["InternetGatewayId"]])
        self.ec2.create_key_pair(KeyName="mine", KeyType="ed25519")
        self.until("key_pair_exists", KeyNames=["mine"])
        interface = self.ec2.create_network_interface(SubnetId=subnets[0])["NetworkInterface"]
        self.until("network_interface_available",
                   NetworkInterfaceIds=[interface["NetworkInterfaceId"]])
        self.instance()
        self.stopped()

    def instance(self):
        request = self.ec2.request_spot_instances(LaunchSpecification={
            "ImageId": AMI, "InstanceType": "p3.2xlarge",
            "Placement": {"AvailabilityZone": ZONE}})["SpotInstanceRequests"][0]
        request = [request["SpotInstanceRequestId"]]
        self.until("spot_instance_request_fulfilled", SpotInstanceRequestIds=request)
        instance = [self.ec2.describe_spot_instance_requests(SpotInstanceRequestIds=request)[
            "SpotInstanceRequests"][0]["InstanceId"]]
        self.until("instance_exists", InstanceIds=instance)
        self.until("instance_running", InstanceIds=instance)
        self.until("system_status_ok", InstanceIds=instance)
        self.until("instance_status_ok", InstanceIds=instance)
        self.volume(instance[0])
        image = [self.ec2.create_image(InstanceId=instance[0], Name="ours")["ImageId"]]
        self.until("image_exists", ImageIds=image)
        self.until("image_available", ImageIds=image)
        self.ec2.terminate_instances(InstanceIds=instance)
        self.until("instance_terminated", InstanceIds=instance)

    def stopped(self):
        launched = self.ec2.run_instances(ImageId=AMI, InstanceType="t3.micro", MinCount=1,
                                          MaxCount=1)["Instances"][0]
        self.until("instance_running", InstanceIds=[launched["InstanceId"]])
        self.ec2.stop_instances(InstanceIds=[launched["InstanceId"]])
        self.until("instance_stopped", InstanceIds=[launched["InstanceId"]])

    def volume(self, instance):
        volume = self.ec2.create_volume(AvailabilityZone=ZONE, Size=8)["VolumeId"]
        self.until("volume_available", VolumeIds=[volume])
        self.ec2.attach_volume(VolumeId=volume, InstanceId=instance, Device="/dev/sdf")
        self.until("volume_in_use", VolumeIds=[volume])
        snapshot = self.ec2.create_snapshot(VolumeId=volume)["SnapshotId"]
        self.until("snapshot_completed", SnapshotIds=[snapshot])
        other = self.ec2.create_volume(AvailabilityZone=ZONE, SnapshotId=snapshot)["VolumeId"]
        self.until("volume_available", VolumeIds=[other])
        self.ec2.delete_volume(VolumeId=other)
        self.until("volume_deleted", VolumeIds=[other])


def client(served):
    return boto3.client("ec2", endpoint_url=served.url, region_name="us-west-2",
                        aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")


def waits(ec2, waiter, attempts, **whose):
    """None, or why the waiter gave up."""
    try:
        ec2.get_waiter(waiter).wait(**whose, WaiterConfig={"Delay": 0, "MaxAttempts": attempts})
    except botocore.exceptions.WaiterError as error:
        return str(error)
    return None


def must_wait(ec2, waiter, attempts, **whose):
    if why := waits(ec2, waiter, attempts, **whose):
        fail(f"{waiter} {whose}: {why}")


def at_max_speed(waiters):
    """A waiter that does not sleep needs a few looks, because each brings the next change."""
    with Served(spotsim, scenario, "--speed", "max") as served:
        ec2 = client(served)
        flow = Flow(ec2, lambda waiter, **whose: must_wait(ec2, waiter, 40, **whose))
        flow.run()
        if flow.waited != waiters:
            fail(f"not the waiters of the model: {sorted(flow.waited ^ waiters)}")
        gone = [i["InstanceId"] for r in ec2.describe_instances()["Reservations"]
                for i in r["Instances"] if i["State"]["Name"] == "terminated"]
        why = waits(ec2, "instance_stopped", 40, InstanceIds=gone) or "it ended well"
        if "terminal failure" not in why:
            fail(f"instance_stopped of a terminated instance: {why}")


def by_hand():
    """Too early each looks in vain, however often; after its time once is enough."""
    with Served(spotsim, scenario, "--speed", "manual") as served:
        ec2 = client(served)

        def wait(waiter, **whose):
            if waiter not in AT_ONCE:
                why = waits(ec2, waiter, 3, **whose) or "it ended well"
                if "Max attempts exceeded" not in why:
                    fail(f"{waiter} {whose} before its time: {why}")
                for _ in range(40):
                    served.control("clock", {"by": "10s"})
                    if waits(ec2, waiter, 1, **whose) is None:
                        break
            must_wait(ec2, waiter, 1, **whose)
        Flow(ec2, wait).run()


def by_aws_cli():
    """Its waiters sleep 15 s between two looks: where transitions are instant one is enough."""
    with (Served(spotsim, scenario, "--profile", "instant", "--speed", "manual") as served,
          AwsCli(served.url) as aws):
        if not aws.installed:
            print("no aws-cli: its part was left out")
            return
        Flow(client(served), lambda waiter, **whose: aws.wait("ec2", waiter, whose)).run()


spotsim, scenario = sys.argv[1:]
ACTIONS = served_actions(pathlib.Path(scenario).parent.parent)
MODEL = boto3.session.Session()._session.get_waiter_model("ec2")
WAITERS = {botocore.xform_name(name) for name in MODEL.waiter_names
           if MODEL.get_waiter(name).operation in ACTIONS}
at_max_speed(WAITERS)
by_hand()
by_aws_cli()
print(f"{len(WAITERS)} waiters: {' '.join(sorted(WAITERS))}")
