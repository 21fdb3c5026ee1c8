#!/usr/bin/python3
"""Sends the examples of a service's own model (examples-1.json) with botocore. Each must be read
with all its values, except for members that the file of actions ignores. The examples in REFUSED
must be refused, with exactly these messages.

    examples.py HARNESS --models BOTOCORE_DATA --actions actions/ec2.txt"""
import argparse
import base64
import json
import pathlib
import sys

# First, because it skips the test if botocore is missing.
from roundtrip import Different, Harness, first_difference, plain, sent_by_botocore

import botocore.loaders
import botocore.model
from botocore.utils import parse_to_aware_datetime
import generate

UNSUPPORTED = "UnsupportedOperation: The parameter {} is not supported by this simulated AWS."
REFUSED = {
    "CreateLaunchTemplate: To create a launch template":
        UNSUPPORTED.format("LaunchTemplateData.NetworkInterface.1.Ipv6AddressCount"),
    "ModifyInstanceAttribute: To enable enhanced networking":
        UNSUPPORTED.format("EnaSupport.Value"),
    # Its value has a blank at the end.
    "ModifySpotFleetRequest: To decrease the target capacity of a Spot fleet request":
        "InvalidParameterValue: Value (NoTermination ) for parameter "
        "ExcessCapacityTerminationPolicy is invalid.",
}


def of_shape(shape, value):
    """Examples have times, and a size of a volume, as texts."""
    if shape.type_name == "structure":
        return {name: of_shape(shape.members[name], one) for name, one in value.items()}
    if shape.type_name == "list":
        return [of_shape(shape.member, one) for one in value]
    if shape.type_name == "integer":
        return int(value)
    return parse_to_aware_datetime(value) if shape.type_name == "timestamp" else value


def without_ignored(model, shape, value):
    if shape.type_name == "structure":
        return {name: without_ignored(model, shape.members[name], one)
                for name, one in value.items() if model.reads(shape.name, name) != "kIgnored"}
    if shape.type_name == "list":
        return [without_ignored(model, shape.member, one) for one in value]
    return value


def refusal(harness, model, operation, example):
    """None if the value read equals the example's."""
    shape = operation.input_shape
    value = of_shape(shape, example.get("input") or {})
    sent = sent_by_botocore(model.protocol, operation, value)
    body = base64.b64encode(sent["body"]).decode()
    try:
        answer = harness.ask(service=model.name, **{**sent, "body": body})
    except Different as difference:
        return str(difference).removeprefix("refused with ")
    meant = plain(shape, without_ignored(model, shape, value))
    if answer["action"] != operation.name or answer["value"] != meant:
        return f"read as {answer['action']}, {first_difference(meant, answer['value'])}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness")
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--actions", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    harness, name = Harness(arguments.harness), arguments.actions.stem
    loader = botocore.loaders.Loader([str(arguments.models)], include_default_search_paths=False)
    service = botocore.model.ServiceModel(loader.load_service_model(name, "service-2"), name)
    examples = loader.load_service_model(name, "examples-1")["examples"]
    model = generate.Model(arguments.models, generate.Support(arguments.actions))
    refused, count = {}, 0
    for action in sorted(model.operations):
        for example in examples.get(action, []):
            count += 1
            why = refusal(harness, model, service.operation_model(action), example)
            if why:
                refused[f"{action}: {example['title']}"] = why
    print(f"{count} examples of {name}, {len(refused)} refused")
    for title in sorted({**REFUSED, **refused}):
        if refused.get(title) != REFUSED.get(title):
            print(f"{title}\n  expected: {REFUSED.get(title)}\n  found:    {refused.get(title)}")
    sys.exit(0 if count and refused == REFUSED else 1)


main()
