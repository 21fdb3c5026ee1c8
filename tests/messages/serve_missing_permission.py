"""serve_missing_permission.py SPOTSIM SCENARIO: the user data of scenarios/iam-missing-permission,
unchanged, on this machine with `spotsim serve --iam`. Its aws-cli has the credentials of the
instance's role from instance metadata. AttachVolume is refused, and the log names the permission.
With this permission the script succeeds."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")
for program in ("/usr/bin/aws", "/usr/bin/curl"):
    if not pathlib.Path(program).exists():
        skip(f"{program} is not installed")

KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
JOB = pathlib.Path(__file__).parents[2] / "scenarios/iam-missing-permission"
ROLE, ZONE = "spot-training", "us-west-2b"
TRUST = {"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}]}


def executable(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


class Host:
    """A folder that takes the place of an instance: its metadata service, its aws-cli with the
    endpoint, and a poweroff that leaves a file."""

    def __init__(self, folder, served, metadata):
        self.folder = pathlib.Path(folder)
        self.off = self.folder / "off"
        programs = self.folder / "bin"
        programs.mkdir()
        executable(programs / "aws", f'exec /usr/bin/aws --endpoint-url {served.url} "$@"\n')
        executable(programs / "poweroff", f"touch {self.off}\n")
        address = f"{metadata}:{served.port}"
        (self.folder / ".curlrc").write_text(f'connect-to = "169.254.169.254:80:{address}"\n')
        self.environment = {name: value for name, value in aws_environment(
            HOME=folder, PATH=f"{programs}:{os.environ['PATH']}",
            AWS_EC2_METADATA_SERVICE_ENDPOINT=f"http://{address}/").items()
            if name not in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}

    def run(self):
        self.off.unlink(missing_ok=True)
        return subprocess.run(["/bin/bash", JOB / "user-data.sh"], env=self.environment,
                              capture_output=True, text=True, timeout=300, check=False)


def prepare(served, iam, ec2):
    """The role, the volume and the instance; returns the volume and the metadata's address."""
    iam.create_role(RoleName=ROLE, AssumeRolePolicyDocument=json.dumps(TRUST))
    iam.put_role_policy(RoleName=ROLE, PolicyName="tutorial",
                        PolicyDocument=(JOB / "policy.json").read_text())
    iam.create_instance_profile(InstanceProfileName=ROLE)
    iam.add_role_to_instance_profile(InstanceProfileName=ROLE, RoleName=ROLE)
    volume = ec2.create_volume(AvailabilityZone=ZONE, Size=100, TagSpecifications=[{
        "ResourceType": "volume", "Tags": [{"Key": "Name", "Value": "checkpoints"}]}])["VolumeId"]
    ec2.run_instances(ImageId="ami-0123456789abcdef0", InstanceType="m4.xlarge", MinCount=1,
                      MaxCount=1, Placement={"AvailabilityZone": ZONE},
                      IamInstanceProfile={"Name": ROLE})
    served.control("clock", {"by": "2m"})
    return volume, served.get("instances")["instances"][0]["metadata_address"]


def attached(ec2, volume):
    return [each["State"] for each in
            ec2.describe_volumes(VolumeIds=[volume])["Volumes"][0]["Attachments"]]


spotsim, scenario = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder, \
        Served(spotsim, scenario, "--iam", "--speed", "manual") as served:
    iam, ec2 = (boto3.client(name, endpoint_url=served.url, region_name="us-west-2",
                             aws_access_key_id=KEY, aws_secret_access_key=SECRET)
                for name in ("iam", "ec2"))
    volume, metadata = prepare(served, iam, ec2)
    host = Host(folder, served, metadata)
    refused = host.run()
    if refused.returncode == 0 or "(UnauthorizedOperation)" not in refused.stderr \
            or "AttachVolume" not in refused.stderr:
        fail(f"the script ended with {refused.returncode}: {refused.stderr}")
    expect((host.off.exists(), attached(ec2, volume)), (True, []), "switched off, and attached")
    denied = [json.loads(line) for line in served.log().splitlines() if '"iam.denied"' in line]
    expect({each["action"] for each in denied}, {"ec2:AttachVolume"}, "the missing permission")
    if not all(f"/{ROLE}" in json.dumps(each) for each in denied):
        fail(f"the log does not name the role: {denied}")

    iam.put_role_policy(RoleName=ROLE, PolicyName="added", PolicyDocument=json.dumps({
        "Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Action": "ec2:AttachVolume", "Resource": "*"}]}))
    done = host.run()
    if done.returncode != 0 or len(attached(ec2, volume)) != 1:
        fail(f"with the permission, the script ended with {done.returncode}: {done.stderr}")
    served.stop(signal.SIGINT)
    said = [line for line in served.errors[0].splitlines() if "missing permission" in line]
    if len(said) != 1 or "ec2:AttachVolume: " not in said[0] or f"/{ROLE}/i-" not in said[0]:
        fail(f"at its end, serve does not name the permission once: {served.errors[0]}")
print("ec2:AttachVolume was missing")
