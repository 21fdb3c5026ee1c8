"""serve_image_after_training.py SPOTSIM SCENARIO: a script after public ones that makes an image of
an instance after training and launches another instance of the image, with boto3 at `spotsim
serve`: from a stopped instance, and from a running one without a reboot. At the end it deregisters
the images and deletes their snapshots. scenarios/image-after-training.yaml shows that the files are
there."""
import os
import sys

from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
    from botocore.exceptions import ClientError
except ImportError as error:
    skip(f"this python3 has no {error.name}")

SOON = {"Delay": 1, "MaxAttempts": 120}  # of a waiter, in real seconds
ZONE = "us-west-2b"


def wait(ec2, waiter, **named):
    ec2.get_waiter(waiter).wait(WaiterConfig=SOON, **named)


def launch(ec2, image, kind, **more):
    made = ec2.run_instances(ImageId=image, InstanceType=kind, MinCount=1, MaxCount=1,
                             Placement={"AvailabilityZone": ZONE}, **more)
    instance = made["Instances"][0]["InstanceId"]
    wait(ec2, "instance_running", InstanceIds=[instance])
    return instance


def volumes_of(ec2, instance):
    """Device, size and snapshot of each attached volume."""
    shown = ec2.describe_volumes(Filters=[
        {"Name": "attachment.instance-id", "Values": [instance]}])["Volumes"]
    return sorted((each["Attachments"][0]["Device"], each["Size"], each["SnapshotId"])
                  for each in shown)


def image_of(ec2, instance, name, **options):
    """An image with its block devices, when it is available."""
    image = ec2.create_image(
        InstanceId=instance, Name=name, Description="trained", **options,
        TagSpecifications=[{"ResourceType": kind, "Tags": [{"Key": "epoch", "Value": "90"}]}
                           for kind in ("image", "snapshot")])["ImageId"]
    wait(ec2, "image_available", ImageIds=[image])
    shown = ec2.describe_images(ImageIds=[image], Owners=["self"])["Images"][0]
    expect((shown["Name"], shown["State"], shown["Tags"]),
           (name, "available", [{"Key": "epoch", "Value": "90"}]), "the image")
    return image, {each["DeviceName"]: each["Ebs"] for each in shown["BlockDeviceMappings"]}


def use(ec2, image, devices):
    """Launches an instance of the image, and expects volumes from the image's snapshots."""
    instance = launch(ec2, image, "m4.xlarge")
    expect(volumes_of(ec2, instance),
           sorted((device, ebs["VolumeSize"], ebs["SnapshotId"])
                  for device, ebs in devices.items()), "the volumes of the new instance")
    ec2.terminate_instances(InstanceIds=[instance])
    wait(ec2, "instance_terminated", InstanceIds=[instance])


def remove(ec2, image, devices):
    snapshots = [ebs["SnapshotId"] for ebs in devices.values()]
    try:
        ec2.delete_snapshot(SnapshotId=snapshots[0])
        fail("the snapshot of a registered image was deleted")
    except ClientError as error:
        expect(error.response["Error"]["Code"], "InvalidSnapshot.InUse", "DeleteSnapshot")
    ec2.deregister_image(ImageId=image)
    for snapshot in snapshots:
        ec2.delete_snapshot(SnapshotId=snapshot)


def state_of(ec2, instance):
    return ec2.describe_instances(
        InstanceIds=[instance])["Reservations"][0]["Instances"][0]["State"]["Name"]


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--speed", "300x") as served:
    os.environ.update({name: value for name, value in aws_environment().items() if "AWS" in name})
    ec2 = boto3.client("ec2", endpoint_url=served.url)
    trainer = launch(ec2, "ami-0123456789abcdef0", "p3.2xlarge", BlockDeviceMappings=[
        {"DeviceName": "/dev/sdf", "Ebs": {"VolumeSize": 50, "VolumeType": "gp2"}}])

    running, devices = image_of(ec2, trainer, "after-epoch-90", NoReboot=True)
    expect(sorted(devices), ["/dev/sda1", "/dev/sdf"], "the image's devices")
    expect(state_of(ec2, trainer), "running", "the trainer, of which an image was made")
    use(ec2, running, devices)

    ec2.stop_instances(InstanceIds=[trainer])
    wait(ec2, "instance_stopped", InstanceIds=[trainer])
    stopped, others = image_of(ec2, trainer, "after-training")
    expect(state_of(ec2, trainer), "stopped", "the stopped trainer")
    ec2.terminate_instances(InstanceIds=[trainer])
    wait(ec2, "instance_terminated", InstanceIds=[trainer])
    use(ec2, stopped, others)

    remove(ec2, running, devices)
    remove(ec2, stopped, others)
    expect(ec2.describe_images(Owners=["self"])["Images"], [], "images that are left")
    expect(ec2.describe_snapshots(OwnerIds=["self"])["Snapshots"], [], "snapshots that are left")
print("an image of a running instance, and one of a stopped instance")
