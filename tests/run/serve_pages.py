"""serve_pages.py SPOTSIM SCENARIO: each paginator of botocore's model whose operation is served
collects the same entries as one call. Page sizes out of bounds and bad tokens are refused."""
import base64
import pathlib
import sys

from aws_cli import AwsCli
from serve_ec2 import served_actions
from serve_support import Served
from serve_world import AMI, ROLE, ZONE, tagged
from support import fail, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

COUNT = 11  # of all that can be made
# EC2 API reference, each action's MaxResults: least and most; "cut" where more gives the most.
BOUNDS = {"describe_instance_types": (5, 100), "describe_launch_templates": (1, 200),
          "describe_launch_template_versions": (1, 200), "describe_spot_fleet_requests": (1, 1000),
          "describe_fleets": (1, 1000),
          "describe_spot_fleet_instances": (1, 1000), "describe_spot_price_history": (1, 1000),
          "describe_route_tables": (5, 100), "describe_volumes_modifications": (1, 500),
          "get_instance_types_from_instance_requirements": (1, 1000),
          "get_spot_placement_scores": (10, 1000)}
# Here: lists that have fewer than COUNT.
SHORT = ("vpc", "security", "versions", "gateway", "route", "acl", "placement", "dhcp", "credit")
CUT_DOWN = ("describe_volumes", "describe_volume_status", "describe_volumes_modifications",
            "describe_snapshots")


def fill(ec2):
    """What the operations need that list the parts of one thing."""
    spot = {"MarketType": "spot"}
    instances = ec2.run_instances(
        ImageId=AMI, InstanceType="p3.2xlarge", MinCount=COUNT, MaxCount=COUNT,
        Placement={"AvailabilityZone": ZONE}, InstanceMarketOptions=spot,
        IamInstanceProfile={"Name": "job"},
        TagSpecifications=tagged("instance"))["Instances"]
    ec2.create_dhcp_options(
        DhcpConfigurations=[{"Key": "domain-name", "Values": ["example.com"]}])
    ec2.run_instances(ImageId=AMI, InstanceType="t3.micro", MinCount=1, MaxCount=1)
    for number in range(COUNT):
        volume = ec2.create_volume(AvailabilityZone=ZONE, Size=1 + number,
                                   TagSpecifications=tagged("volume"))["VolumeId"]
        ec2.create_snapshot(VolumeId=volume)
        ec2.modify_volume(VolumeId=volume, Size=COUNT + number)
        ec2.create_launch_template(LaunchTemplateName=f"template-{number}",
                                   LaunchTemplateData={"ImageId": AMI})
        ec2.create_fleet(
            LaunchTemplateConfigs=[{"LaunchTemplateSpecification": {
                "LaunchTemplateName": f"template-{number}", "Version": "1"}}],
            TargetCapacitySpecification={"TotalTargetCapacity": 0})
        fleet = ec2.request_spot_fleet(SpotFleetRequestConfig={
            "TargetCapacity": COUNT if number == COUNT - 1 else 1, "IamFleetRole": ROLE,
            "LaunchSpecifications": [{"ImageId": AMI, "InstanceType": "p3.2xlarge",
                                      "Placement": {"AvailabilityZone": ZONE}}]})
    return {"describe_launch_template_versions": {"LaunchTemplateName": "template-0"},
            "describe_spot_fleet_instances": {"SpotFleetRequestId": fleet["SpotFleetRequestId"]},
            "describe_instance_status": {"IncludeAllInstances": True},
            "get_instance_types_from_instance_requirements": {
                "ArchitectureTypes": ["x86_64"], "VirtualizationTypes": ["hvm"],
                "InstanceRequirements": {"VCpuCount": {"Min": 1}, "MemoryMiB": {"Min": 1}}},
            "get_spot_placement_scores": {"InstanceTypes": ["p3.2xlarge"], "TargetCapacity": 1,
                                          "SingleAvailabilityZone": True}}, instances


def refusal(call, **parameters):
    try:
        call(**parameters)
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]
    return None


def whole(call, key, parameters):
    """What the action has, without MaxResults: in one answer, but where EC2 has its own size."""
    answer = call(**parameters)
    found = answer[key]
    while token := answer.get("NextToken"):
        answer = call(**parameters, NextToken=token)
        found += answer[key]
    return found


def items(key, found):
    """What a page counts: of reservations their instances."""
    if key != "Reservations":
        return found
    return [{**instance, "ReservationId": reservation["ReservationId"]}
            for reservation in found for instance in reservation["Instances"]]


def check_pages(name, paginator, key, expected, size, parameters):
    pages = [items(key, page[key]) for page in paginator.paginate(
        **parameters, PaginationConfig={"PageSize": size})]
    if [item for page in pages for item in page] != expected:
        fail(f"{name} by {size}: {pages}\nexpected {expected}")
    least = max(-(-len(expected) // size), 1)
    if len(pages) != least or any(len(page) != size for page in pages[:-1]):
        fail(f"{name} by {size}: pages of {list(map(len, pages))}, expected {least} of {size}")


def check_bounds(ec2, name, parameters):
    call = getattr(ec2, name)
    low, high = BOUNDS.get(name, (5, 1000))
    for size in (-1, 0, low - 1, high + 1):
        wanted = None if size > high and name in CUT_DOWN else "InvalidParameterValue"
        if (code := refusal(call, **parameters, MaxResults=size)) != wanted:
            fail(f"{name} with MaxResults={size}: found {code}, expected {wanted}")
    for token in ("x", base64.b64encode(b"spotsim-page:5").decode(), "ü", "=" * 5000):
        if (code := refusal(call, **parameters, NextToken=token)) != "InvalidNextToken":
            fail(f"{name} with the token {token[:40]}: found {code}, expected InvalidNextToken")


def check_model(ec2, name):
    """Compares the limits of pages with the model's, if it has some."""
    operation = ec2.meta.service_model.operation_model(ec2.meta.method_to_api_mapping[name])
    model = operation.input_shape.members["MaxResults"].metadata
    low, high = BOUNDS.get(name, (5, 1000))
    if (model.get("min", low), model.get("max", high)) != (low, high):
        fail(f"{name}: the model has the bounds {model}, expected {low} and {high}")


def check_all(ec2, aws, actions):
    parameters_of, instances = fill(ec2)
    checked = 0
    for name, action in sorted(ec2.meta.method_to_api_mapping.items()):
        if action not in actions or not ec2.can_paginate(name):
            continue
        checked += 1
        parameters, paginator = parameters_of.get(name, {}), ec2.get_paginator(name)
        key = paginator.result_keys[0].expression
        expected = items(key, whole(getattr(ec2, name), key, parameters))
        least = {"describe_subnets": 4}.get(
            name, 1 if any(short in name for short in SHORT) else COUNT)
        if len(expected) < least:
            fail(f"{name}: {len(expected)} are too few to make pages of, expected {least}")
        low, high = BOUNDS.get(name, (5, 1000))
        for size in (1, 5, 7, 1000):
            if low <= size <= high:
                check_pages(name, paginator, key, expected, size, parameters)
        if aws.installed:
            shown = items(key, aws.pages("ec2", name, parameters, key, max(low, 50)))
            if len(shown) != len(expected):
                fail(f"aws ec2 {name}: {shown}\nexpected {expected}")
        check_model(ec2, name)
        check_bounds(ec2, name, parameters)
        print(f"{name}: {len(expected)}")
    ids = [instance["InstanceId"] for instance in instances]
    if refusal(ec2.describe_instances, InstanceIds=ids, MaxResults=5
               ) != "InvalidParameterCombination":
        fail("instance IDs and MaxResults are not refused together")
    if checked != 29:
        fail(f"{checked} paginators were checked, expected 29")


def check_aws_cli(aws):
    """--max-items ends within a page, and --starting-token continues there."""
    def volumes(*options):
        return aws("ec2", "describe-volumes", *options)
    everything = [volume["Size"] for volume in volumes()["Volumes"]]
    first = volumes("--page-size", "5", "--max-items", "7")
    rest = volumes("--page-size", "5", "--starting-token", first["NextToken"])
    if [v["Size"] for v in first["Volumes"] + rest["Volumes"]] != everything or "NextToken" in rest:
        fail(f"by --max-items and --starting-token: {first} {rest}")
    if len(first["Volumes"]) != 7 or len(everything) <= COUNT:  # the instances' roots, too
        fail(f"--max-items 7 of {COUNT} and more: {len(first['Volumes'])} of {len(everything)}")
    sizes = [COUNT + 1, COUNT + 2]  # the modifications take no time
    small = volumes("--page-size", "5", "--filters", f"Name=size,Values={sizes[0]},{sizes[1]}",
                    "--query", "sort(Volumes[].Size)")
    if small != sizes:
        fail(f"by a filter and --query: {small}")


spotsim, scenario = sys.argv[1:]
with (Served(spotsim, scenario, "--speed", "manual", "--profile", "instant") as served,
      AwsCli(served.url) as cli):
    client = boto3.client("ec2", endpoint_url=served.url, region_name="us-west-2",
                          aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret",
                          config=botocore.config.Config(parameter_validation=False))
    check_all(client, cli, served_actions(pathlib.Path(scenario).parent.parent))
    if cli.installed:
        check_aws_cli(cli)
    else:
        print("no aws-cli: its part was left out")
