"""serve_fis.py SPOTSIM SCENARIO: a client that interrupts spot instances of `spotsim serve`, and
throttles a call. The interruption follows the documented behaviour of AWS's command-line
interrupter: it makes a role for FIS, a template and an experiment, waits for the end of the
experiment, and deletes the template. Each answer of FIS is compared with botocore's shape."""
import json
import os
import pathlib
import sys

from json_shapes import JsonWitness
from serve_ec2 import newer_members, served_actions
from serve_support import Served, aws_environment
from support import fail, skip

try:
    import boto3
    from botocore import xform_name
    from botocore.config import Config
    from botocore.exceptions import ClientError
except ImportError as error:
    skip(f"this python3 has no {error.name}")

ROLE = "aws-fis-itn"
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"Service": ["fis.amazonaws.com"]},
    "Action": "sts:AssumeRole"}]})
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Action": "ec2:SendSpotInstanceInterruptions", "Resource": "*"}]})
ARN = "arn:aws:fis:us-west-2:123456789012:experiment/EXPnone"
REFUSALS = {
    "CreateExperimentTemplate": {"description": "d", "roleArn": ARN, "actions": {},
                                 "stopConditions": []},
    "GetExperimentTemplate": {"id": "EXTnone"}, "UpdateExperimentTemplate": {"id": "EXTnone"},
    "DeleteExperimentTemplate": {"id": "EXTnone"}, "GetExperiment": {"id": "EXPnone"},
    "StartExperiment": {"experimentTemplateId": "EXTnone"}, "StopExperiment": {"id": "EXPnone"},
    "GetAction": {"id": "aws:none:none"},
    "GetTargetResourceType": {"resourceType": "aws:none:none"},
    "ListActions": {"nextToken": "x"}, "ListExperiments": {"nextToken": "x"},
    "ListExperimentTemplates": {"nextToken": "x"},
    "ListTargetResourceTypes": {"nextToken": "x"}, "ListTagsForResource": {"resourceArn": ARN},
    "TagResource": {"resourceArn": ARN, "tags": {"a": "b"}}}


def role(iam):
    made = iam.create_role(RoleName=ROLE, AssumeRolePolicyDocument=TRUST)["Role"]["Arn"]
    iam.put_role_policy(RoleName=ROLE, PolicyName="fis", PolicyDocument=POLICY)
    return made


def interrupt(fis, role_arn, instances, delay):
    """Starts an experiment that interrupts these instances after this time; returns both IDs."""
    arns = [f"arn:aws:ec2:us-west-2:123456789012:instance/{each}" for each in instances]
    template = fis.create_experiment_template(
        description=f"trigger spot ITN for instances {instances}", roleArn=role_arn,
        stopConditions=[{"source": "none"}],
        targets={"itn0": {"resourceType": "aws:ec2:spot-instance", "resourceArns": arns,
                          "selectionMode": "ALL"}},
        actions={"itn0": {"actionId": "aws:ec2:send-spot-instance-interruptions",
                          "parameters": {"durationBeforeInterruption": delay},
                          "targets": {"SpotInstances": "itn0"}}})["experimentTemplate"]["id"]
    return fis.start_experiment(experimentTemplateId=template)["experiment"]["id"], template


def throttle(fis, role_arn, url):
    """The codes of a call before, during and after an experiment that throttles it."""
    ec2 = boto3.client("ec2", endpoint_url=url, config=Config(retries={"max_attempts": 0}))

    def code():
        try:
            ec2.describe_volumes()
        except ClientError as error:
            return error.response["Error"]["Code"]
        return None

    template = fis.create_experiment_template(
        description="throttle", roleArn=role_arn, stopConditions=[{"source": "none"}],
        targets={"roles": {"resourceType": "aws:iam:role", "resourceArns": [role_arn],
                           "selectionMode": "ALL"}},
        actions={"throttle": {"actionId": "aws:fis:inject-api-throttle-error",
                              "parameters": {"duration": "PT1H", "service": "ec2",
                                             "percentage": "100", "operations": "DescribeVolumes"},
                              "targets": {"Roles": "roles"}}})["experimentTemplate"]["id"]
    codes = [code()]
    experiment = fis.start_experiment(experimentTemplateId=template)["experiment"]["id"]
    codes.append(code())
    fis.stop_experiment(id=experiment)
    return codes + [code()]


def others(fis, template, role_arn, instance):
    """Calls every other action."""
    arn = f"arn:aws:fis:us-west-2:123456789012:experiment-template/{template}"
    fis.tag_resource(resourceArn=arn, tags={"a": "b"})
    fis.list_tags_for_resource(resourceArn=arn)
    fis.untag_resource(resourceArn=arn, tagKeys=["a"])
    fis.get_experiment_template(id=template)
    fis.list_experiment_templates(maxResults=1)
    fis.update_experiment_template(id=template, description="another")
    fis.stop_experiment(id=interrupt(fis, role_arn, [instance], "PT3M")[0])
    fis.list_experiments()


def refusals(fis):
    for action, parameters in REFUSALS.items():
        try:
            getattr(fis, xform_name(action))(**parameters)
            fail(f"{action} {parameters} is not refused")
        except ClientError:
            pass


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2]
witness = JsonWitness("application/json", newer_members(source, "fis"))
with Served(spotsim, scenario, "--speed", "manual") as served:
    os.environ.update({name: value for name, value in aws_environment().items() if "AWS" in name})
    fis, iam, ec2 = (boto3.client(name, endpoint_url=served.url) for name in ("fis", "iam", "ec2"))
    fis.meta.events.register("after-call.fis", witness.after_call)
    launched = ec2.run_instances(
        ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge", MinCount=2, MaxCount=2,
        Placement={"AvailabilityZone": "us-west-2b"},
        InstanceMarketOptions={"MarketType": "spot"})["Instances"]
    served.control("clock", {"by": "2m"})
    made = role(iam)
    experiment, template = interrupt(fis, made, [launched[0]["InstanceId"]], "PT3M")
    states = []
    for _ in range(6):
        states.append(fis.get_experiment(id=experiment)["experiment"]["state"]["status"])
        served.control("clock", {"by": "1m"})
    codes = throttle(fis, made, served.url)
    others(fis, template, made, launched[1]["InstanceId"])
    for action in fis.list_actions(maxResults=100)["actions"]:
        fis.get_action(id=action["id"])
    for kind in fis.list_target_resource_types()["targetResourceTypes"]:
        fis.get_target_resource_type(resourceType=kind["resourceType"])
    fis.delete_experiment_template(id=template)
    refusals(fis)
    shown = [ec2.describe_instances(InstanceIds=[each["InstanceId"]])
             ["Reservations"][0]["Instances"][0] for each in launched]
if states != ["running"] + ["completed"] * 5:
    fail(f"the experiment's states, a minute apart: {states}")
if [each["State"]["Name"] for each in shown] != ["terminated", "running"]:
    fail(f"the instances are {[each['State'] for each in shown]}")
if codes != [None, "RequestLimitExceeded", None]:
    fail(f"the throttled call: {codes}")
witness.finish(served_actions(source, "fis"), errors=REFUSALS)
