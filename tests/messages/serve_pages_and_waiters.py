"""serve_pages_and_waiters.py SPOTSIM SCENARIO: each paginator and each waiter that botocore has for
the served actions of all services except EC2, Auto Scaling and CloudFormation, which have tests of
their own. A paginator must show the same items in several pages as in one, in boto3 and in aws-cli.
A waiter must end, and must not end too early."""
import os
import pathlib
import sys

from aws_cli import AwsCli
from serve_ec2 import served_actions
from serve_support import Served, aws_environment
from support import fail, skip

try:
    import boto3
    import botocore.exceptions
except ImportError as error:
    skip(f"this python3 has no {error.name}")

from fill_pages import COUNT, DOCUMENT, FILL, METRICS_PAGE, SNS_PAGE, TRUST, job

SERVICES = ("iam", "sts", "ssm", "sqs", "sns", "events", "fis", "s3", "sagemaker", "logs", "ecr",
            "pricing", "cloudwatch")
SIZE = 2
ONE_PAGE = {"list_account_aliases",  # an account has at most one alias
            "list_tags",  # its smallest page has as many tags as a training job can have
            # These are always empty here.
            "list_mfa_devices", "list_signing_certificates", "list_ssh_public_keys"}
# Pages of a fixed size.
FIXED = {"list_topics": SNS_PAGE, "list_subscriptions": SNS_PAGE,
         "list_subscriptions_by_topic": SNS_PAGE, "list_metrics": METRICS_PAGE}
LEAST = {"list_access_keys": 2, "get_parameters_by_path": 4, "describe_services": 2}
# Each page of a search repeats the streams that were searched.
KEYS = {"filter_log_events": ["events"]}
BUCKET, KEY = {"Bucket": "late"}, {"Bucket": "late", "Key": "k"}
ALARM = {"AlarmName": "late", "EvaluationPeriods": 1, "Period": 60, "Statistic": "Sum",
         "Threshold": 5, "ComparisonOperator": "LessThanThreshold", "Namespace": "n",
         "MetricName": "m"}


def nothing(_):
    pass


# What is made before a waiter, what ends its wait, and the waiter's parameters. The waiters of a
# service run in this order.
WAITERS = {
    "user_exists": (nothing, lambda iam: iam.create_user(UserName="late"), {"UserName": "late"}),
    "role_exists": (nothing, lambda iam: iam.create_role(
        RoleName="late", AssumeRolePolicyDocument=TRUST), {"RoleName": "late"}),
    "instance_profile_exists": (nothing, lambda iam: iam.create_instance_profile(
        InstanceProfileName="late"), {"InstanceProfileName": "late"}),
    "policy_exists": (nothing, lambda iam: iam.create_policy(
        PolicyName="late", PolicyDocument=DOCUMENT),
        {"PolicyArn": "arn:aws:iam::123456789012:policy/late"}),
    "bucket_exists": (nothing, lambda s3: s3.create_bucket(
        **BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"}), BUCKET),
    "object_exists": (nothing, lambda s3: s3.put_object(**KEY), KEY),
    "object_not_exists": (nothing, lambda s3: s3.delete_object(**KEY), KEY),
    "bucket_not_exists": (nothing, lambda s3: s3.delete_bucket(**BUCKET), BUCKET),
    "training_job_completed_or_stopped": (
        lambda sagemaker: sagemaker.create_training_job(**job("late")),
        lambda sagemaker: sagemaker.stop_training_job(TrainingJobName="late"),
        {"TrainingJobName": "late"}),
    "alarm_exists": (nothing, lambda cloudwatch: cloudwatch.put_metric_alarm(**ALARM),
                     {"AlarmNames": ["late"]}),
    # No action that is served makes a composite alarm.
    "composite_alarm_exists": (nothing, None, {"AlarmNames": ["late"]})}


def items(method, page, key):
    found = page.get(key) or []
    # The values of one metric are on several pages.
    return found if method != "get_metric_data" else [
        value for result in found for value in result["Values"]]


def check_paginator(api, aws, service, method, parameters):
    paginator = api.get_paginator(method)
    keys = KEYS.get(method) or [key.expression for key in paginator.result_keys]
    fixed = FIXED.get(method)
    # A user has at most two keys, and a training job at most 50 tags.
    size = {"list_access_keys": 1, "list_tags": 50}.get(method, SIZE)
    pages = list(paginator.paginate(
        **parameters, PaginationConfig={} if fixed else {"PageSize": size}))
    found = {key: [item for page in pages for item in items(method, page, key)] for key in keys}
    if not fixed:
        one = getattr(api, method)(**parameters)
        if found != (once := {key: items(method, one, key) for key in keys}):
            fail(f"{service} {method}: pages show {found}, one answer {once}")
        for page in pages:
            if sum(len(items(method, page, key)) for key in keys) > size:
                fail(f"{service} {method}: a page has more than {size} items: {page}")
    count = sum(map(len, found.values()))
    least = fixed + 1 if fixed else LEAST.get(method, COUNT)
    if method not in ONE_PAGE and (count < least or len(pages) < 2):
        fail(f"{service} {method}: {count} items in {len(pages)} pages")
    if aws.installed:
        shown = aws.pages(service, method, parameters, keys[0], None if fixed else size)
        of_cli = items(method, {keys[0]: shown}, keys[0])
        if len(of_cli) != len(found[keys[0]]):
            fail(f"aws {service} {method}: {of_cli}, expected {found[keys[0]]}")
    return len(pages)


def check_waiter(api, aws, service, waiter):
    prepare, make, whose = WAITERS[waiter]
    config = {"Delay": 0, "MaxAttempts": 2}
    prepare(api)
    try:
        api.get_waiter(waiter).wait(**whose, WaiterConfig=config)
        fail(f"{service} {waiter}: it ends too early")
    except botocore.exceptions.WaiterError as error:
        if "Max attempts exceeded" not in str(error):
            fail(f"{service} {waiter}: {error}")
    if make is None:
        return
    make(api)
    api.get_waiter(waiter).wait(**whose, WaiterConfig=config)
    if aws.installed:
        aws.wait(service, waiter, whose)


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2]
checked, waited = [], []
with Served(spotsim, scenario, "--speed", "manual") as served, AwsCli(served.url) as cli:
    os.environ.update({name: value for name, value in aws_environment().items() if "AWS" in name})
    for service in SERVICES:
        client = boto3.client(service, endpoint_url=served.url)
        actions = set(served_actions(source, service))
        parameters_of = FILL[service](client) if service in FILL else {}
        for method, action in sorted(client.meta.method_to_api_mapping.items()):
            if action in actions and client.can_paginate(method):
                pages = check_paginator(client, cli, service, method, parameters_of.get(method, {}))
                checked.append(f"{service} {method}: {pages} pages")
        waiters = {waiter for waiter in client.waiter_names
                   if client.get_waiter(waiter).config.operation in actions}
        for waiter in sorted(waiters, key=list(WAITERS).index):
            check_waiter(client, cli, service, waiter)
            waited.append(waiter)
if set(WAITERS) - set(waited):
    fail(f"botocore has no longer the waiters {set(WAITERS) - set(waited)}")
print("\n".join(checked))
print(f"{len(checked)} paginators, {len(waited)} waiters")
