"""In a guest: sends steps.json, and after it what `fit` goes on to send until its job has ended.
Names and positions that a client takes from answers are taken from these."""
import json
import sys
import time

import boto3
import botocore
from botocore import xform_name

clients = {name: boto3.client(name) for name in ("s3", "sts", "sagemaker", "logs")}
with open("steps.json") as file:
    steps = json.load(file)
job = next(step[2] for step in steps if step[1] == "CreateTrainingJob")
name = job["TrainingJobName"]
shown = {"SecondaryStatusTransitions": []}
streams, positions = [], {}


def call(service, action, parameters):
    return getattr(clients[service], xform_name(action))(**parameters)


def make_bucket(name):
    where = {"LocationConstraint": "us-west-2"}
    clients["s3"].create_bucket(Bucket=name, CreateBucketConfiguration=where)


def put_what_is_missing():
    """Less was uploaded than the job's channels name; a channel without an object is an error."""
    s3 = clients["s3"]
    for channel in job["InputDataConfig"]:
        uri = channel["DataSource"]["S3DataSource"]["S3Uri"]
        bucket, _, prefix = uri.removeprefix("s3://").partition("/")
        if bucket not in [b["Name"] for b in s3.list_buckets()["Buckets"]]:
            make_bucket(bucket)
        s3.put_object(Bucket=bucket, Key=prefix + "/more", Body=b"data")


def s3_request(method, path):
    s3 = clients["s3"]
    bucket, _, key = path.partition("/")
    if method == "GET":
        s3.list_buckets()
    elif not key:
        make_bucket(bucket)
    else:
        with open("steps.json", "rb") as body:
            s3.put_object(Bucket=bucket, Key=key, Body=body)


def describe(parameters):
    """Prints new transitions, which it recognises by their messages, like the SDK."""
    global shown
    now = call("sagemaker", "DescribeTrainingJob", parameters)
    for field, value in job.items():
        if json.dumps(now.get(field), sort_keys=True) != json.dumps(value, sort_keys=True):
            sys.exit(f"{field} is shown as {now.get(field)}, asked for was {value}")
    before, after = shown["SecondaryStatusTransitions"], now["SecondaryStatusTransitions"]
    last = before[-1]["StatusMessage"] if before else None
    if after and after[-1]["StatusMessage"] != last:
        for step in after[len(before):] or after[-1:]:
            began = step["StartTime"].astimezone().strftime("%Y-%m-%d %H:%M:%S")
            print(began, step["Status"], "-", step["StatusMessage"])
    shown = now


def describe_streams(parameters):
    """Asks as was recorded, and once more for the streams of all hosts."""
    try:
        for asked in (parameters, {**parameters, "limit": 50}):
            for stream in call("logs", "DescribeLogStreams", asked)["logStreams"]:
                if stream["logStreamName"] not in streams:
                    streams.append(stream["logStreamName"])
    except botocore.exceptions.ClientError as error:
        # Before an account's first container there is no log group.
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise


def get_events(parameters):
    """Each stream's events since the last look, without those that were seen already."""
    for stream in streams:
        since, seen = positions.get(stream, (0, 0))
        asked = {**parameters, "logStreamName": stream, "startTime": since}
        asked.pop("nextToken", None)
        skip = seen
        while True:
            got = call("logs", "GetLogEvents", asked)
            events = got["events"]
            news, skip = events[skip:], max(0, skip - len(events))
            for event in news:
                host, began = stream.split("/")[1].rsplit("-", 1)
                print(host, began, event["message"])
                at, count = positions.get(stream, (0, 0))
                when = event["timestamp"]
                positions[stream] = (when, count + 1 if when == at else 1)
            if got["nextForwardToken"] == asked.get("nextToken"):
                break
            asked["nextToken"] = got["nextForwardToken"]


def take(step):
    service, action, parameters = (step + [None])[:3]
    if service == "sleep":
        time.sleep(action)
    elif service == "s3":
        s3_request(action, parameters)
    elif action == "GetCallerIdentity":
        if ":assumed-role/" not in call(service, action, {})["Arn"]:
            sys.exit("the operator is no assumed role")
    elif action == "DescribeTrainingJob":
        describe(parameters)
    elif action == "DescribeLogStreams":
        describe_streams(parameters)
    elif action == "GetLogEvents":
        get_events(parameters)
    else:
        if action == "CreateTrainingJob":
            put_what_is_missing()
        call(service, action, parameters)


for recorded in steps:
    take(recorded)
last_round = [step for step in steps if step[1] in ("DescribeLogStreams", "GetLogEvents")][-2:]
while shown["TrainingJobStatus"] == "InProgress":
    take(["sleep", 10])
    for recorded in last_round:
        take(recorded)
    take(["sagemaker", "DescribeTrainingJob", {"TrainingJobName": name}])
for recorded in last_round:
    take(recorded)
hosts = job["ResourceConfig"]["InstanceCount"]
training, billable = shown["TrainingTimeInSeconds"] * hosts, shown["BillableTimeInSeconds"] * hosts
print("Training seconds:", training)
print("Billable seconds:", billable)
print(f"Managed Spot Training savings: {(1 - billable / training) * 100:.1f}%")
