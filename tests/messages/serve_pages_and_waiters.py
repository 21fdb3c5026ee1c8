"""serve_pages_and_waiters.py SPOTSIM SCENARIO: each paginator and each waiter that botocore has for
the served actions of IAM, STS, SSM, SQS, SNS, EventBridge and FIS. A paginator must show the same
items in several pages as in one, in boto3 and in aws-cli. A waiter must end, and must not end while
its resource is missing."""
import json
import os
import pathlib
import subprocess
import sys

from serve_ec2 import served_actions
from serve_support import Served, aws_environment
from support import fail, skip

try:
    import boto3
    import botocore.exceptions
    from botocore import xform_name
except ImportError as error:
    skip(f"this python3 has no {error.name}")

AWS = "/usr/bin/aws"
SERVICES = ("iam", "sts", "ssm", "sqs", "sns", "events", "fis")
COUNT, SIZE = 5, 2
SNS_PAGE = 100  # SNS has pages of this fixed size
ONE_PAGE = {"list_account_aliases",  # an account has at most one alias
            # These are always empty here.
            "list_mfa_devices", "list_signing_certificates", "list_ssh_public_keys"}
DOCUMENT = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "ec2:*", "Resource": "*"}]})
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"},
     "Action": "sts:AssumeRole"}]})
ACTIONS = [f"ec2:Describe{kind}" for kind in
           ("Instances", "Volumes", "Snapshots", "Images", "Regions")]


def fill_iam(iam):
    """Makes COUNT items for each list; returns the parameters of each paginator."""
    iam.create_account_alias(AccountAlias="alias")
    policies = [iam.create_policy(PolicyName=f"p{i}", PolicyDocument=DOCUMENT)["Policy"]["Arn"]
                for i in range(COUNT)]
    for _ in range(COUNT - 1):
        iam.create_policy_version(PolicyArn=policies[0], PolicyDocument=DOCUMENT)
    for i in range(COUNT):
        iam.create_user(UserName=f"u{i}")
        iam.create_group(GroupName=f"g{i}")
        iam.create_role(RoleName=f"r{i}", AssumeRolePolicyDocument=TRUST)
        iam.create_instance_profile(InstanceProfileName=f"i{i}")
    tags = [{"Key": f"k{i}", "Value": "v"} for i in range(COUNT)]
    iam.tag_user(UserName="u0", Tags=tags)
    iam.tag_role(RoleName="r0", Tags=tags)
    for i in range(COUNT):
        iam.add_user_to_group(UserName="u0", GroupName=f"g{i}")
        iam.add_role_to_instance_profile(InstanceProfileName=f"i{i}", RoleName="r0")
        for kind, name in (("user", "u"), ("group", "g"), ("role", "r")):
            whose = {f"{kind.title()}Name": f"{name}0"}
            getattr(iam, f"put_{kind}_policy")(
                **whose, PolicyName=f"inline{i}", PolicyDocument=DOCUMENT)
            getattr(iam, f"attach_{kind}_policy")(**whose, PolicyArn=policies[i])
        if i:
            iam.add_user_to_group(UserName=f"u{i}", GroupName="g0")
            iam.attach_user_policy(UserName=f"u{i}", PolicyArn=policies[0])
    for _ in range(2):  # IAM's limit
        iam.create_access_key(UserName="u0")
    user, group, role = {"UserName": "u0"}, {"GroupName": "g0"}, {"RoleName": "r0"}
    arn = iam.get_user(UserName="u0")["User"]["Arn"]
    return {"get_group": group, "list_access_keys": user, "list_attached_group_policies": group,
            "list_attached_role_policies": role, "list_attached_user_policies": user,
            "list_entities_for_policy": {"PolicyArn": policies[0]}, "list_group_policies": group,
            "list_groups_for_user": user, "list_instance_profiles_for_role": role,
            "list_policies": {"Scope": "Local"}, "list_policy_versions": {"PolicyArn": policies[0]},
            "list_role_policies": role, "list_role_tags": role, "list_user_policies": user,
            "list_user_tags": user,
            "get_account_authorization_details": {"Filter": ["User", "Role"]},
            "list_mfa_devices": user, "list_signing_certificates": user,
            "list_ssh_public_keys": user,
            "simulate_custom_policy": {"PolicyInputList": [DOCUMENT], "ActionNames": ACTIONS},
            "simulate_principal_policy": {"PolicySourceArn": arn, "ActionNames": ACTIONS}}


def fill_sqs(sqs):
    dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])[
        "Attributes"]["QueueArn"]
    for i in range(COUNT):
        sqs.create_queue(QueueName=f"q{i}", Attributes={"RedrivePolicy": json.dumps(
            {"deadLetterTargetArn": arn, "maxReceiveCount": 3})})
    return {"list_dead_letter_source_queues": {"QueueUrl": dead}}


def fill_sns(sns):
    """Makes more than a page of topics and of subscriptions."""
    topics = [sns.create_topic(Name=f"t{i}")["TopicArn"] for i in range(SNS_PAGE + 1)]
    base = topics[0].replace(":sns:", ":sqs:").rsplit(":", 1)[0]
    sqs = client("sqs", sns.meta.endpoint_url)
    for i in range(SNS_PAGE + 1):
        sqs.create_queue(QueueName=f"s{i}")
        sns.subscribe(TopicArn=topics[0], Protocol="sqs", Endpoint=f"{base}:s{i}")
    return {"list_subscriptions_by_topic": {"TopicArn": topics[0]}}


def fill_events(events):
    target = "arn:aws:sqs:us-west-2:123456789012:dead"
    for i in range(COUNT):
        events.put_rule(Name=f"r{i}", EventPattern='{"source": ["mine"]}')
        events.put_targets(Rule=f"r{i}", Targets=[{"Id": "1", "Arn": target}])
    events.put_targets(Rule="r0", Targets=[{"Id": str(i), "Arn": target} for i in range(COUNT)])
    return {"list_rule_names_by_target": {"TargetArn": target},
            "list_targets_by_rule": {"Rule": "r0"}}


def fill_ssm(ssm):
    for i in range(COUNT):
        ssm.put_parameter(Name=f"/p/{i}", Value="v", Type="String")
        ssm.put_parameter(Name="/p/0", Value=f"v{i}", Overwrite=True)
    return {"get_parameters_by_path": {"Path": "/aws/service", "Recursive": True},
            "get_parameter_history": {"Name": "/p/0"}}


FILL = {"iam": fill_iam, "sqs": fill_sqs, "sns": fill_sns, "events": fill_events,
        "ssm": fill_ssm}
WAITERS = {"user_exists": (lambda iam: iam.create_user(UserName="late"), {"UserName": "late"}),
           "role_exists": (lambda iam: iam.create_role(
               RoleName="late", AssumeRolePolicyDocument=TRUST), {"RoleName": "late"}),
           "instance_profile_exists": (lambda iam: iam.create_instance_profile(
               InstanceProfileName="late"), {"InstanceProfileName": "late"}),
           "policy_exists": (lambda iam: iam.create_policy(
               PolicyName="late", PolicyDocument=DOCUMENT),
               {"PolicyArn": "arn:aws:iam::123456789012:policy/late"})}


def client(name, url):
    return boto3.client(name, endpoint_url=url)


def options(parameters):
    """The parameters as aws-cli's options."""
    for name, value in parameters.items():
        if value is True:
            yield "--" + xform_name(name, "-")
            continue
        values = value if isinstance(value, list) else [value]
        yield from ["--" + xform_name(name, "-"), *map(str, values)]


def aws(url, service, method, *more):
    command = [AWS, service, method.replace("_", "-"), "--endpoint-url", url, *more]
    done = subprocess.run(command, env=aws_environment(AWS_DEFAULT_OUTPUT="json"),
                          capture_output=True, text=True, timeout=120)
    if done.returncode:
        fail(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout or "{}")


def lists(keys, found):
    return {key: found.get(key, []) for key in keys}


def check_paginator(api, service, method, parameters):
    paginator = api.get_paginator(method)
    keys = [key.expression for key in paginator.result_keys]
    size = {"list_access_keys": 1}.get(method, SIZE)  # a user has at most two
    config = {} if service == "sns" else {"PageSize": size}
    pages = list(paginator.paginate(**parameters, PaginationConfig=config))
    found = {key: [item for page in pages for item in page.get(key, [])] for key in keys}
    if service != "sns" and found != (once := lists(keys, getattr(api, method)(**parameters))):
        fail(f"{service} {method}: pages show {found}, one answer {once}")
    count = sum(map(len, found.values()))
    least = {"list_access_keys": 2, "get_parameters_by_path": 4}.get(
        method, SNS_PAGE + 1 if service == "sns" else COUNT)
    if method not in ONE_PAGE and (count < least or len(pages) < 2):
        fail(f"{service} {method}: {count} items in {len(pages)} pages")
    if service != "sns":
        for page in pages:
            if sum(len(page.get(key, [])) for key in keys) > size:
                fail(f"{service} {method}: a page has more than {size} items: {page}")
    if os.path.exists(AWS):
        more = [] if service == "sns" else ["--page-size", str(size)]
        shown = aws(api.meta.endpoint_url, service, method, *options(parameters), *more)
        of_cli = sum(len(shown.get(key, [])) for key in keys)
        if of_cli != count:
            fail(f"aws {service} {method}: {of_cli} items, expected {count}")
    return len(pages)


def check_waiter(api, service, waiter):
    make, whose = WAITERS[waiter]
    config = {"Delay": 0, "MaxAttempts": 2}
    try:
        api.get_waiter(waiter).wait(**whose, WaiterConfig=config)
        fail(f"{service} {waiter}: it ends without its resource")
    except botocore.exceptions.WaiterError:
        pass
    make(api)
    api.get_waiter(waiter).wait(**whose, WaiterConfig=config)
    if os.path.exists(AWS):
        aws(api.meta.endpoint_url, service, "wait", waiter.replace("_", "-"), *options(whose))


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2]
checked, waited = [], []
with Served(spotsim, scenario, "--speed", "manual") as served:
    os.environ.update({name: value for name, value in aws_environment().items() if "AWS" in name})
    for service in SERVICES:
        api, actions = client(service, served.url), set(served_actions(source, service))
        parameters_of = FILL[service](api) if service in FILL else {}
        for method, action in sorted(api.meta.method_to_api_mapping.items()):
            if action in actions and api.can_paginate(method):
                pages = check_paginator(api, service, method, parameters_of.get(method, {}))
                checked.append(f"{service} {method}: {pages} pages")
        for waiter in api.waiter_names:
            operation = api.get_waiter(waiter).config.operation
            if operation in actions:
                check_waiter(api, service, waiter)
                waited.append(waiter)
if set(WAITERS) - set(waited):
    fail(f"botocore has no longer the waiters {set(WAITERS) - set(waited)}")
print("\n".join(checked))
print(f"{len(checked)} paginators, {len(waited)} waiters")
