"""serve_interrupter.py SPOTSIM SCENARIO FOLDER: a Go program that makes the calls of AWS's
ec2-spot-interrupter with the same SDK (go/interrupter). It sees the notice while its instances
still run, and they are terminated two minutes later. The compiler's cache is in the folder."""
import subprocess
import sys

import go_program
from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

spotsim, scenario, folder = sys.argv[1:]
program = go_program.compiled("interrupter", folder)
with Served(spotsim, scenario, "--speed", "10x") as served:
    environment = aws_environment(ENDPOINT=served.url, AWS_REGION="us-west-2")
    ec2 = boto3.client("ec2", endpoint_url=served.url, region_name="us-west-2",
                       aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")
    launched = ec2.run_instances(
        ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge", MinCount=2, MaxCount=2,
        Placement={"AvailabilityZone": "us-west-2b"},
        InstanceMarketOptions={"MarketType": "spot"})["Instances"]
    ids = [each["InstanceId"] for each in launched]
    served.control("clock", {"by": "2m"})
    done = subprocess.run([program, *ids], env=environment, capture_output=True, text=True,
                          timeout=120, check=False)
    if done.returncode != 0:
        fail(f"the interrupter: {done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    for line in [f"before {each} spot running" for each in ids] + [f"notice {each} running"
                                                                   for each in ids]:
        if line not in lines:
            fail(f"no line {line!r} in {lines}")
    served.control("clock", {"by": "5m"})
    shown = ec2.describe_instances(InstanceIds=ids)["Reservations"][0]["Instances"]
    expect({each["State"]["Name"] for each in shown}, {"terminated"}, "states")
    expect(ec2.describe_spot_instance_requests()["SpotInstanceRequests"][0]["Status"]["Code"],
           "instance-terminated-by-experiment", "the request's status")
    print(lines)
