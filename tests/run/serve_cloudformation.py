"""serve_cloudformation.py SPOTSIM SCENARIO: boto3 drives CloudFormation at `spotsim serve`. Each
answer is held against botocore's output shape. Every waiter of the model comes to its end, and
every paginator collects what one call gives."""
import json
import pathlib
import sys
import time

from aws_cli import AwsCli
from response_shapes import QueryWitness
from serve_ec2 import Service, served_actions
from serve_support import Served
from support import expect, skip

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

XMLNS = "http://cloudformation.amazonaws.com/doc/2010-05-15/"
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
BEYOND_THE_MODEL = {("ResourceStatus", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"),
                    ("ResourceStatus", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")}


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
        until(waiter, StackName=name)
    stack = stacks.describe_stacks(StackName=name)["Stacks"][0]
    expect(stack["Outputs"][0]["ExportName"], "one-group", "the export")
    stacks.update_stack(StackName=name, UsePreviousTemplate=True, Parameters=[
        {"ParameterKey": "Days", "ParameterValue": "30"},
        {"ParameterKey": "Secret", "UsePreviousValue": True}])
    until("stack_update_complete", StackName=name)
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
    until("change_set_create_complete", **whose)
    stacks.list_change_sets(**stack)
    stacks.execute_change_set(**whose)
    until("stack_create_complete", **stack)
    stacks.list_imports(ExportName="one-group")
    stacks.create_change_set(TemplateBody=json.dumps(TEMPLATE), **whose)
    until("change_set_create_complete", **whose)
    changes = stacks.describe_change_set(**whose)["Changes"]
    expect([change["ResourceChange"]["Action"] for change in changes], ["Modify", "Add"],
           "the changes")
    stacks.delete_change_set(**whose)


def signals_and_cancellations(stacks, wait):
    stack = {"StackName": "slow"}
    stacks.create_stack(TemplateBody=json.dumps(SLOW), **stack)
    wait("30s")
    stacks.signal_resource(LogicalResourceId="Group", UniqueId="i-1", Status="SUCCESS", **stack)
    until("stack_create_complete", **stack)
    stacks.update_stack(TemplateBody=json.dumps(TEMPLATE), **stack)
    stacks.cancel_update_stack(**stack)
    until("stack_rollback_complete", **stack)
    expect(stacks.describe_stacks(**stack)["Stacks"][0]["StackStatus"], "UPDATE_ROLLBACK_COMPLETE",
           "the status after a cancelled update")


def pages(stacks, aws):
    stacks.create_change_set(TemplateBody=json.dumps(TEMPLATE), StackName="two", ChangeSetName="c")
    until("change_set_create_complete", StackName="two", ChangeSetName="c")
    for name in stacks.meta.service_model.operation_names:
        method = botocore.xform_name(name)
        if not stacks.can_paginate(method) or name not in set(witness.answers) | {
                "DescribeStackEvents", "ListStackResources", "ListStacks"}:
            continue
        required = stacks.meta.service_model.operation_model(name).input_shape.members
        parameters = {key: value for key, value in (
            ("StackName", "one"), ("ExportName", "one-group")) if key in required}
        if "ChangeSetName" in required:
            parameters |= {"ChangeSetName": "c", "StackName": "two"}
        key = stacks.get_paginator(method).result_keys[0].expression
        whole = getattr(stacks, method)(**parameters)[key]
        paged = [item for page in stacks.get_paginator(method).paginate(**parameters)
                 for item in page[key]]
        expect(paged[:len(whole)], whole, f"the pages of {name}")
        if aws.installed:
            shown = aws.pages("cloudformation", method, parameters, key)
            expect(len(shown), len(paged), f"aws-cli's items of {name}")


spotsim, scenario = sys.argv[1:]
actions = served_actions(pathlib.Path(scenario).parent.parent, "cloudformation")
witness = QueryWitness(XMLNS, newer=BEYOND_THE_MODEL)
with Served(spotsim, scenario, "--speed", "manual") as served, AwsCli(served.url) as cli:
    def wait(duration):
        status, text = served.control("clock", {"by": duration})
        expect(status, 200, text)

    def until(waiter, **whose):
        """Waits with boto3's waiter and then with aws-cli's."""
        stacks.get_waiter(waiter).wait(**whose)
        waited.add(waiter)
        if cli.installed:
            cli.wait("cloudformation", waiter, whose)

    # A waiter's pause is the simulated cloud's.
    time.sleep = lambda seconds: wait(f"{int(seconds) + 1}s")
    stacks = boto3.client("cloudformation", endpoint_url=served.url, region_name="us-west-2",
                          aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret",
                          config=botocore.config.Config(retries={"total_max_attempts": 1}))
    waited = set()
    stacks.meta.events.register("after-call", witness.after_call)
    one_stack(stacks)
    change_sets(stacks)
    signals_and_cancellations(stacks, wait)
    pages(stacks, cli)
    expect(refusal(stacks.set_stack_policy, StackName="one"), "InvalidAction", "SetStackPolicy")
    for name in ("slow", "two", "one"):
        stacks.delete_stack(StackName=name)
        until("stack_delete_complete", StackName=name)
    # No stack imports resources here.
    expect({waiter for waiter in stacks.waiter_names
            if stacks.get_waiter(waiter).config.operation in actions} - waited,
           {"stack_import_complete"}, "the other waiters")
    form_service = Service(served.port, witness, "cloudformation")
    for action in actions:
        form_service.refused(action, {"Version": "2010-01-01"})
witness.finish(actions)
