"""submit.py [FILE…]: what the operator runs: a volume for the checkpoints, and a fleet of one
instance. What its instances do otherwise than instance.py and trainer.py have it is in the files
and on standard input."""
import base64

from cloud import *

PARTS = ("cloud.py", "instance.py", "trainer.py", *sys.argv[1:])


def user_data(otherwise):
    parts = [open(name).read() for name in PARTS]
    return base64.b64encode("\n\n".join([*parts, otherwise, "main()\n"]).encode()).decode()


failed = []  # volumes, while they were made


def make_volume():
    """One that can be used. However often this is begun, the volume is the same."""
    while True:
        tags = [{"ResourceType": "volume", "Tag": [{"Key": "Name", "Value": "tutorial-job"}]}]
        volume = ec2("CreateVolume", AvailabilityZone="us-west-2b", Size=1, VolumeType="gp2",
                     ClientToken=f"tutorial-job-{len(failed)}", TagSpecification=tags
                     ).findtext("volumeId")
        state = "creating"
        while state == "creating":
            time.sleep(5)
            state = ec2("DescribeVolumes", VolumeId=[volume]).findtext("volumeSet/item/status")
        if state in ("available", "in-use"):
            return
        failed.append(volume)
        ec2("DeleteVolume", VolumeId=volume)


def submit(otherwise):
    make_volume()
    ec2("RequestSpotFleet", SpotFleetRequestConfig={
        "TargetCapacity": 1, "Type": "maintain", "ClientToken": "tutorial-job",
        "TerminateInstancesWithExpiration": "true",
        "IamFleetRole": "arn:aws:iam::123456789012:role/aws-ec2-spot-fleet-tagging-role",
        "LaunchSpecifications": [{
            "ImageId": "ami-0a63f3f0c7e4b2d15", "InstanceType": "p3.2xlarge",
            "Placement": {"AvailabilityZone": "us-west-2a, us-west-2b"},
            "IamInstanceProfile": {"Name": "spot-training"},
            "UserData": user_data(otherwise)}]})


def main():
    otherwise = sys.stdin.read()
    while True:
        try:
            return submit(otherwise)
        except Refused as why:
            print("again:", why)
            time.sleep(15)


main()
