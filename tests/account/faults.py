"""faults.py SPOTSIM SCENARIOS: boto3 meets the faults, quotas and capacities that `ctl`
sets, over real sockets, and no longer after they were removed."""
import pathlib
import subprocess
import sys

from serve_support import Served, aws_environment
from support import fail, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as missing:
    skip(str(missing))

spotsim, scenario = sys.argv[1], pathlib.Path(sys.argv[2]) / "no-interruption.yaml"
POOL = "p3.2xlarge/us-west-2b"
ONCE = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "p3.2xlarge", "MinCount": 1,
        "MaxCount": 1, "Placement": {"AvailabilityZone": "us-west-2b"}}
SPOT = ONCE | {"InstanceMarketOptions": {"MarketType": "spot"}}


def ctl(url, *words, status=0):
    done = subprocess.run([spotsim, "ctl", *words, "--url", url], capture_output=True, text=True,
                          check=False, env=aws_environment())
    if done.returncode != status:
        fail(f"ctl {' '.join(words)}: {done.returncode}, expected {status}: {done.stderr}")
    return done.stdout if status == 0 else done.stderr


def error_of(call, **arguments):
    """The code and the message of AWS's error; two empty texts without an error."""
    try:
        call(**arguments)
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    return "", ""


def expect(found, expected):
    if found != expected:
        fail(f"found {found}, expected {expected}")


def faults_come_and_go(url, ec2):
    ctl(url, "fault", "add",
        "{kind: api-error, code: Unsupported, message: 'No g6: try us-west-2b.', status: 400, "
        "action: RunInstances, times: 1}")
    expect(error_of(ec2.run_instances, **ONCE), ("Unsupported", "No g6: try us-west-2b."))
    expect(error_of(ec2.run_instances, **ONCE), ("", ""))
    ctl(url, "fault", "add", "api-throttled", "action=any", "for=1h")
    expect(error_of(ec2.describe_instances)[0], "RequestLimitExceeded")
    listed = ctl(url, "fault", "list").splitlines()
    if len(listed) != 3 or " lasts " not in listed[2] or " over " not in listed[1]:
        fail(f"ctl fault list: {listed}")
    ctl(url, "fault", "remove", listed[2].split()[0])
    expect(error_of(ec2.describe_instances), ("", ""))
    expect(ctl(url, "fault", "remove", "all").count("is removed"), 1)
    expect(ctl(url, "fault", "list"), "no faults\n")
    if "expected one of" not in ctl(url, "fault", "add", "rain", status=1):
        fail("a fault that does not exist is not refused")
    if "expected add, list or remove" not in ctl(url, "fault", "api-throttled", status=1):
        fail("a kind without `add` is not refused")


def metadata_fails(url, served, ec2):
    instance = ec2.run_instances(**ONCE)["Instances"][0]["InstanceId"]
    ctl(url, "clock", "--by", "5m")
    ctl(url, "fault", "add", "imds-error", "status=503", "times=1")
    asked = [served.control(f"imds/{instance}/latest/meta-data/instance-id")[0] for _ in range(2)]
    expect(asked[0], 503)
    if asked[1] == 503:
        fail("the metadata fault does not end")
    ctl(url, "fault", "remove", "all")


def every_kind_is_added_and_removed(url, served):
    """Also those of the cloud and of the market. None of them strikes."""
    before = served.log().count('"event":"fault.strike"')
    for kind in served.get("faults")["kinds"]:
        needed = [f"{parameter['name']}={(parameter['words'] or 'any').split()[0]}"
                  for parameter in kind["parameters"] if parameter["required"]]
        ctl(url, "fault", "add", kind["kind"], *needed, "at=5h")
    kinds = len(served.get("faults")["kinds"])
    expect(len(served.get("faults")["faults"]), kinds)
    expect(ctl(url, "fault", "remove", "all").count("is removed"), kinds)
    ctl(url, "clock", "--by", "6h")
    if served.log().count('"event":"fault.strike"') != before:
        fail("a removed fault strikes")


def limits_refuse(url, ec2):
    ctl(url, "on-demand", POOL, "--slots", "0")
    code, message = error_of(ec2.run_instances, **ONCE)
    expect(code, "InsufficientInstanceCapacity")
    if not message.startswith("We currently do not have sufficient p3.2xlarge capacity in the "
                              "Availability Zone you requested (us-west-2b)."):
        fail(message)
    ctl(url, "on-demand", POOL)
    ctl(url, "quotas", "--on-demand-vcpus", "8", "--spot-vcpus", "8")
    expect(error_of(ec2.run_instances, **ONCE), ("", ""))
    expect(error_of(ec2.run_instances, **ONCE)[0], "VcpuLimitExceeded")
    expect(error_of(ec2.run_instances, **SPOT), ("", ""))
    exceeded = ("MaxSpotInstanceCountExceeded", "Max spot instance count exceeded")
    expect(error_of(ec2.run_instances, **SPOT), exceeded)
    expect(error_of(ec2.request_spot_instances, InstanceCount=1, LaunchSpecification={
        "ImageId": ONCE["ImageId"], "InstanceType": "p3.2xlarge"}), exceeded)
    expect(ctl(url, "quotas", "--spot-vcpus", "none").splitlines()[0],
           "vCPUs of spot instances: no limit")
    expect(error_of(ec2.run_instances, **SPOT), ("", ""))


with Served(spotsim, scenario, "--speed", "manual") as running:
    client = boto3.client(
        "ec2", endpoint_url=running.url, region_name="us-west-2", aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key="secret",
        config=botocore.config.Config(retries={"total_max_attempts": 1}))
    faults_come_and_go(running.url, client)
    metadata_fails(running.url, running, client)
    every_kind_is_added_and_removed(running.url, running)
    ctl(running.url, "reset")
    limits_refuse(running.url, client)
print("faults, quotas and capacities by ctl")
