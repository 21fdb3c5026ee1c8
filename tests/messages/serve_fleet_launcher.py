"""serve_fleet_launcher.py SPOTSIM SCENARIO: a launcher of spot instances after public ones, with
boto3 and CreateFleet at `spotsim serve`. It makes a key pair, a security group and a launch
template, chooses among types and subnets by price and capacity, waits for the instances, and
removes everything."""
import os
import sys
import time

from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
    from botocore.exceptions import ClientError
except ImportError as error:
    skip(f"this python3 has no {error.name}")

NAME, TYPES = "trainer", ("p3.2xlarge", "p2.xlarge", "p3.8xlarge")
SOLD_OUT = "p2.xlarge"  # in the scenario
SOON = {"Delay": 1, "MaxAttempts": 120}  # of a waiter, in real seconds


def tags(kind, **more):
    return {"ResourceType": kind,
            "Tags": [{"Key": key, "Value": value} for key, value in {"Name": NAME, **more}.items()]}


def tags_of(shown):
    return {tag["Key"]: tag["Value"] for tag in shown["Tags"]}


class Launcher:
    def __init__(self, ec2):
        self.ec2 = ec2
        self.vpc = ec2.describe_vpcs(
            Filters=[{"Name": "is-default", "Values": ["true"]}])["Vpcs"][0]
        self.subnets = {each["SubnetId"]: each["AvailabilityZone"] for each in ec2.describe_subnets(
            Filters=[{"Name": "vpc-id", "Values": [self.vpc["VpcId"]]}])["Subnets"]}

    def prepare(self):
        key = self.ec2.create_key_pair(KeyName=NAME, TagSpecifications=[tags("key-pair")])
        if not key["KeyMaterial"].startswith("-----BEGIN"):
            fail(f"the key is {key['KeyMaterial'][:20]!r}")
        self.group = self.ec2.create_security_group(
            GroupName=NAME, Description="SSH", VpcId=self.vpc["VpcId"])["GroupId"]
        self.ec2.authorize_security_group_ingress(GroupId=self.group, IpPermissions=[{
            "IpProtocol": "tcp", "FromPort": 22, "ToPort": 22,
            "IpRanges": [{"CidrIp": "203.0.113.7/32", "Description": "office"}]}])
        self.template = self.ec2.create_launch_template(
            LaunchTemplateName=NAME, LaunchTemplateData={
                "ImageId": "ami-0123456789abcdef0", "KeyName": NAME,
                "SecurityGroupIds": [self.group],
                "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": {
                    "VolumeSize": 100, "VolumeType": "gp3", "DeleteOnTermination": True}}],
                "InstanceInitiatedShutdownBehavior": "terminate"})["LaunchTemplate"]

    def launch(self, kind, count):
        overrides = [{"InstanceType": each, "SubnetId": subnet}
                     for each in TYPES for subnet in self.subnets]
        specifications = [tags("fleet")]
        if kind == "instant":
            specifications.append(tags("instance", job="nightly"))
        return self.ec2.create_fleet(
            Type=kind, TagSpecifications=specifications, LaunchTemplateConfigs=[{
                "LaunchTemplateSpecification": {
                    "LaunchTemplateId": self.template["LaunchTemplateId"], "Version": "$Latest"},
                "Overrides": overrides}],
            SpotOptions={"AllocationStrategy": "price-capacity-optimized"},
            TargetCapacitySpecification={"TotalTargetCapacity": count,
                                         "DefaultTargetCapacityType": "spot"})

    def cheapest(self):
        """The lowest price of a pool with capacity, and this pool."""
        prices = self.ec2.describe_spot_price_history(
            InstanceTypes=list(TYPES), ProductDescriptions=["Linux/UNIX"],
            StartTime="2100-01-01T00:00:00Z")["SpotPriceHistory"]
        return min((float(each["SpotPrice"]), each["InstanceType"], each["AvailabilityZone"])
                   for each in prices if each["InstanceType"] != SOLD_OUT)

    def described(self, ids):
        return [instance for reservation in
                self.ec2.describe_instances(InstanceIds=ids)["Reservations"]
                for instance in reservation["Instances"]]

    def end(self, fleet, ids):
        deleted = self.ec2.delete_fleets(FleetIds=[fleet], TerminateInstances=True)
        expect(deleted["UnsuccessfulFleetDeletions"], [], "fleets that were not deleted")
        expect(deleted["SuccessfulFleetDeletions"][0]["CurrentFleetState"], "deleted_terminating",
               "the fleet's state")
        self.ec2.get_waiter("instance_terminated").wait(InstanceIds=ids, WaiterConfig=SOON)

    def clean_up(self):
        self.ec2.delete_launch_template(LaunchTemplateId=self.template["LaunchTemplateId"])
        self.ec2.delete_security_group(GroupId=self.group)
        self.ec2.delete_key_pair(KeyName=NAME)


def instant(launcher):
    price, kind, zone = launcher.cheapest()
    made = launcher.launch("instant", 2)
    expect(made["Errors"], [], "errors of the launch")
    expect([(each["InstanceType"], each["Lifecycle"], len(each["InstanceIds"]))
            for each in made["Instances"]], [(kind, "spot", 2)], "the launched group")
    override = made["Instances"][0]["LaunchTemplateAndOverrides"]["Overrides"]
    expect(launcher.subnets[override["SubnetId"]], zone, f"the zone with the price {price}")
    ids = made["Instances"][0]["InstanceIds"]
    launcher.ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=SOON)
    for instance in launcher.described(ids):
        expect((instance["InstanceLifecycle"], instance["KeyName"]), ("spot", NAME), "the instance")
        expect([each["GroupId"] for each in instance["SecurityGroups"]], [launcher.group],
               "its groups")
        shown = tags_of(instance)
        expect((shown["job"], shown["aws:ec2:fleet-id"], shown["aws:ec2launchtemplate:version"]),
               ("nightly", made["FleetId"], "1"), "its tags")
        root = launcher.ec2.describe_volumes(Filters=[
            {"Name": "attachment.instance-id", "Values": [instance["InstanceId"]]}])["Volumes"]
        expect([(each["Size"], each["VolumeType"]) for each in root], [(100, "gp3")], "its root")
    try:
        launcher.ec2.describe_fleet_instances(FleetId=made["FleetId"])
        fail("DescribeFleetInstances answered for an instant fleet")
    except ClientError as error:
        expect(error.response["Error"]["Code"], "UnsupportedOperation", "DescribeFleetInstances")
    shown = launcher.ec2.describe_fleets(FleetIds=[made["FleetId"]])["Fleets"][0]
    expect((shown["Type"], shown["SpotOptions"]["AllocationStrategy"], tags_of(shown)["Name"]),
           ("instant", "price-capacity-optimized", NAME), "the fleet")
    launcher.end(made["FleetId"], ids)


def maintained(launcher):
    fleet = launcher.launch("maintain", 1)["FleetId"]
    ids = []
    for _ in range(SOON["MaxAttempts"]):
        active = launcher.ec2.describe_fleet_instances(FleetId=fleet)["ActiveInstances"]
        ids = [each["InstanceId"] for each in active]
        if ids:
            break
        time.sleep(0.1)
    expect(len(ids), 1, "instances of the fleet that maintains its capacity")
    expect(active[0]["InstanceType"], launcher.described(ids)[0]["InstanceType"], "their type")
    launcher.ec2.get_waiter("instance_running").wait(InstanceIds=ids, WaiterConfig=SOON)
    launcher.end(fleet, ids)


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--speed", "300x") as served:
    os.environ.update({name: value for name, value in aws_environment().items() if "AWS" in name})
    launcher = Launcher(boto3.client("ec2", endpoint_url=served.url))
    launcher.prepare()
    instant(launcher)
    maintained(launcher)
    launcher.clean_up()
    left = [each for each in served.get("instances")["instances"]
            if each["state"] not in ("terminated", "shutting-down")]
    expect(left, [], "instances that are left")
print("an instant fleet and one that maintains its capacity")
