"""serve_cloudformation.py SPOTSIM SCENARIO: boto3 drives CloudFormation at `spotsim serve`. Each
answer is held against botocore's output shape. Every waiter of the model comes to its end, and
every paginator collects what one call gives."""
import json
import pathlib
import re
import sys
import time
import xml.etree.ElementTree as ElementTree

from serve_support import Served
from support import expect, fail, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

XMLNS = "{http://cloudformation.amazonaws.com/doc/2010-05-15/}"
TEMPLATE = {
    "Description": "a group and a volume",
    "Parameters": {"Days": {"Type": "Number", "Default": 7, "AllowedValues": [7, 30]},
                   "Secret": {"Type": "String", "NoEcho": "true", "Default": "x"}},
    "Metadata": {"grün": "<blau>"},
    "Resources": {
        "Group": {"Type": "AWS::Logs::LogGroup", "Metadata": {"a": 1},
                  "Properties": {"RetentionInDays": {"Ref": "Days"}}},
        "Volume": {"Type": "AWS::EC2::Volume", "Properties": {
            "AvailabilityZone": {"Fn::Select": [0, {"Fn::GetAZs": ""}]}, "Size": 1}}},
    "Outputs": {"Group": {"Value": {"Ref": "Group"}, "Description": "d",
                          "Export": {"Name": {"Fn::Sub": "${AWS::StackName}-group"}}}}}
SLOW = {"Resources": {"Group": {"Type": "AWS::Logs::LogGroup", "CreationPolicy": {
    "ResourceSignal": {"Timeout": "PT5M"}}}}}
IMPORTS = {"Resources": {"Group": {"Type": "AWS::Logs::LogGroup", "Properties": {
    "Tags": [{"Key": "of", "Value": {"Fn::ImportValue": "one-group"}}]}}}}
# Stack events have these statuses on AWS, too, though the model's enumeration lacks them.
BEYOND_THE_MODEL = ("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
                    "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
faults, answered = [], set()


def check(node, shape, path):
    """Notes what of an element is not as its shape has it."""
    if shape.type_name == "structure":
        came = [child.tag.removeprefix(XMLNS) for child in node]
        for child, name in zip(node, came):
            if name in shape.members:
                check(child, shape.members[name], f"{path}.{name}")
            else:
                faults.append(f"{path}.{name}: unknown")
        faults.extend(f"{path}.{name}: missing" for name in set(shape.required_members) - set(came))
    elif shape.type_name == "list":
        for child in node:
            if child.tag != XMLNS + "member":
                faults.append(f"{path}: {child.tag}, expected member")
            check(child, shape.member, f"{path}[]")
    elif len(node):
        faults.append(f"{path}: elements, expected a {shape.type_name}")
    elif shape.type_name == "string" and shape.enum and node.text not in (
            *shape.enum, *BEYOND_THE_MODEL):
        faults.append(f"{path}: {node.text}, expected one of {shape.enum}")
    elif shape.type_name == "timestamp" and not re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", node.text or ""):
        faults.append(f"{path}: {node.text}, expected a time")


def see(http_response, model, **_):
    if http_response.status_code != 200:
        return
    answered.add(model.name)
    root = ElementTree.fromstring(http_response.content)
    result = root.find(f"{XMLNS}{model.name}Result")
    if model.output_shape is not None and result is None:
        faults.append(f"{model.name}: no {model.name}Result")
    elif model.output_shape is not None:
        check(result, model.output_shape, model.name)


def refusal(call, **parameters):
    try:
        call(**parameters)
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]
    return None


def one_stack(stacks, name="one"):
    """Through all waiters, and every action that reads."""
    stacks.validate_template(TemplateBody=json.dumps(TEMPLATE))
    stacks.get_template_summary(TemplateBody=json.dumps(TEMPLATE))
    stacks.create_stack(StackName=name, TemplateBody=json.dumps(TEMPLATE),
                        Tags=[{"Key": "job", "Value": "grün & <blau>"}], TimeoutInMinutes=10,
                        ClientRequestToken="token-1")
    for waiter in ("stack_exists", "stack_create_complete"):
        stacks.get_waiter(waiter).wait(StackName=name)
    stack = stacks.describe_stacks(StackName=name)["Stacks"][0]
    expect(stack["Outputs"][0]["ExportName"], "one-group", "the export")
    stacks.update_stack(StackName=name, UsePreviousTemplate=True, Parameters=[
        {"ParameterKey": "Days", "ParameterValue": "30"},
        {"ParameterKey": "Secret", "UsePreviousValue": True}])
    stacks.get_waiter("stack_update_complete").wait(StackName=name)
    stacks.describe_stack_resource(StackName=name, LogicalResourceId="Group")
    stacks.describe_stack_resources(StackName=name)
    stacks.get_template(StackName=name)
    stacks.list_exports()
    stacks.update_termination_protection(StackName=name, EnableTerminationProtection=True)
    expect(refusal(stacks.delete_stack, StackName=name), "ValidationError", "a protected stack")
    stacks.update_termination_protection(StackName=name, EnableTerminationProtection=False)


def change_sets(stacks):
    stack = {"StackName": "two"}
    whose = {"ChangeSetName": "c", **stack}
    stacks.create_change_set(ChangeSetType="CREATE", TemplateBody=json.dumps(IMPORTS), **whose)
    stacks.get_waiter("change_set_create_complete").wait(**whose)
    stacks.list_change_sets(**stack)
    stacks.execute_change_set(**whose)
    stacks.get_waiter("stack_create_complete").wait(**stack)
    stacks.list_imports(ExportName="one-group")
    stacks.create_change_set(TemplateBody=json.dumps(TEMPLATE), **whose)
    stacks.get_waiter("change_set_create_complete").wait(**whose)
    changes = stacks.describe_change_set(**whose)["Changes"]
    expect([change["ResourceChange"]["Action"] for change in changes], ["Modify", "Add"],
           "the changes")
    stacks.delete_change_set(**whose)


def signals_and_cancellations(stacks, wait):
    stack = {"StackName": "slow"}
    stacks.create_stack(TemplateBody=json.dumps(SLOW), **stack)
    wait("30s")
    stacks.signal_resource(LogicalResourceId="Group", UniqueId="i-1", Status="SUCCESS", **stack)
    stacks.get_waiter("stack_create_complete").wait(**stack)
    stacks.update_stack(TemplateBody=json.dumps(TEMPLATE), **stack)
    stacks.cancel_update_stack(**stack)
    stacks.get_waiter("stack_rollback_complete").wait(**stack)
    expect(stacks.describe_stacks(**stack)["Stacks"][0]["StackStatus"], "UPDATE_ROLLBACK_COMPLETE",
           "the status after a cancelled update")


def pages(stacks):
    for name in stacks.meta.service_model.operation_names:
        method = botocore.xform_name(name)
        if not stacks.can_paginate(method) or name not in answered | {
                "DescribeStackEvents", "ListStackResources", "ListStacks"}:
            continue
        required = stacks.meta.service_model.operation_model(name).input_shape.members
        parameters = {key: value for key, value in (
            ("StackName", "one"), ("ExportName", "one-group")) if key in required}
        if "ChangeSetName" in required:
            continue
        key = stacks.get_paginator(method).result_keys[0].expression
        whole = getattr(stacks, method)(**parameters)[key]
        paged = [item for page in stacks.get_paginator(method).paginate(**parameters)
                 for item in page[key]]
        expect(paged[:len(whole)], whole, f"the pages of {name}")


def served_actions(source):
    rows = (pathlib.Path(source) / "api/actions/cloudformation.txt").read_text().splitlines()
    return {row.split(":")[0] for row in rows if re.match(r"[A-Z]\w*:", row)}


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--speed", "manual") as served:
    def wait(duration):
        status, text = served.control("clock", {"by": duration})
        expect(status, 200, text)

    # A waiter's pause is the simulated cloud's.
    time.sleep = lambda seconds: wait(f"{int(seconds) + 1}s")
    stacks = boto3.client("cloudformation", endpoint_url=served.url, region_name="us-west-2",
                          aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret",
                          config=botocore.config.Config(retries={"total_max_attempts": 1}))
    stacks.meta.events.register("after-call", see)
    one_stack(stacks)
    change_sets(stacks)
    signals_and_cancellations(stacks, wait)
    pages(stacks)
    expect(refusal(stacks.set_stack_policy, StackName="one"), "InvalidAction", "SetStackPolicy")
    for name in ("slow", "two", "one"):
        stacks.delete_stack(StackName=name)
        stacks.get_waiter("stack_delete_complete").wait(StackName=name)
for fault in dict.fromkeys(faults):
    print(f"FAULT {fault}")
if faults:
    fail("answers are not as botocore's model has them")
if missing := served_actions(pathlib.Path(scenario).parent.parent) - answered:
    fail(f"no answer was seen of {sorted(missing)}")
