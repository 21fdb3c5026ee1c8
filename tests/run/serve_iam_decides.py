"""serve_iam_decides.py SPOTSIM SCENARIO: boto3 and aws-cli with `spotsim serve --iam`: users with
too few permissions, wrong and temporary credentials, presigned URLs."""
import json
import subprocess
import sys
import urllib.error
import urllib.request

from serve_support import Served, aws_environment
from support import expect, fail

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError:
    print("skipped: boto3 is not installed")
    sys.exit(77)

KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


def document(*actions, effect="Allow", resource="*"):
    return json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": effect, "Action": list(actions), "Resource": resource}]})


def refusal(call, **arguments):
    try:
        call(**arguments)
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"]
    return "ok"


class Clients:
    def __init__(self, url, key, secret, token=None):
        self.url, self.keys = url, {"aws_access_key_id": key, "aws_secret_access_key": secret,
                                    "aws_session_token": token}

    def __getattr__(self, service):
        return boto3.client(service, endpoint_url=self.url, region_name="us-west-2", **self.keys)


def user(admin, name, *actions):
    iam = admin.iam
    iam.create_user(UserName=name)
    if actions:
        iam.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=document(*actions))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return Clients(admin.url, key["AccessKeyId"], key["SecretAccessKey"])


def wrong_credentials(admin):
    unknown = Clients(admin.url, "AKIANOBODY", SECRET)
    wrong = Clients(admin.url, KEY, "wrong")
    expect(refusal(unknown.ec2.describe_volumes), "AuthFailure", "EC2, unknown key")
    expect(refusal(wrong.ec2.describe_volumes), "AuthFailure", "EC2, wrong secret")
    expect(refusal(unknown.sts.get_caller_identity), "InvalidClientTokenId", "STS, unknown key")
    expect(refusal(wrong.sts.get_caller_identity), "SignatureDoesNotMatch", "STS, wrong secret")
    expect(refusal(wrong.s3.list_buckets), "SignatureDoesNotMatch", "S3, wrong secret")
    expect(refusal(unknown.s3.list_buckets), "InvalidAccessKeyId", "S3, unknown key")
    expect(refusal(wrong.sagemaker.list_training_jobs), "InvalidSignatureException",
           "SageMaker, wrong secret")
    expect(refusal(unknown.logs.describe_log_groups), "UnrecognizedClientException",
           "Logs, unknown key")


def permissions(admin):
    ann = user(admin, "ann", "ec2:Describe*", "sts:DecodeAuthorizationMessage")
    expect(ann.sts.get_caller_identity()["Arn"], "arn:aws:iam::123456789012:user/ann", "identity")
    expect(refusal(ann.iam.get_user), "AccessDenied", "GetUser")
    ann.ec2.describe_volumes()
    volume = admin.ec2.create_volume(AvailabilityZone="us-west-2b", Size=1)["VolumeId"]
    try:
        ann.ec2.delete_volume(VolumeId=volume)
        fail("DeleteVolume was allowed")
    except botocore.exceptions.ClientError as error:
        expect(error.response["Error"]["Code"], "UnauthorizedOperation", "DeleteVolume")
        message = error.response["Error"]["Message"]
    decoded = json.loads(ann.sts.decode_authorization_message(
        EncodedMessage=message.rsplit(" ", 1)[1])["DecodedMessage"])
    expect(decoded["context"]["resource"],
           f"arn:aws:ec2:us-west-2:123456789012:volume/{volume}", "the decoded resource")
    expect(refusal(ann.sagemaker.list_training_jobs), "AccessDeniedException", "SageMaker")
    expect(refusal(ann.s3.list_buckets), "AccessDenied", "S3")
    results = admin.iam.simulate_principal_policy(
        PolicySourceArn="arn:aws:iam::123456789012:user/ann",
        ActionNames=["ec2:DescribeVolumes", "ec2:DeleteVolume"])["EvaluationResults"]
    expect([r["EvalDecision"] for r in results], ["allowed", "implicitDeny"], "the simulator")
    pages = admin.iam.get_paginator("simulate_custom_policy").paginate(
        PolicyInputList=[document("s3:*", effect="Deny")], ActionNames=["s3:GetObject", "ec2:X"],
        PaginationConfig={"PageSize": 1})
    expect([r["EvalDecision"] for page in pages for r in page["EvaluationResults"]],
           ["explicitDeny", "implicitDeny"], "the simulator's pages")


def sessions(admin):
    trust = json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Action": "sts:AssumeRole",
        "Principal": {"AWS": "arn:aws:iam::123456789012:root"}}]})
    role = admin.iam.create_role(RoleName="train", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    admin.iam.put_role_policy(RoleName="train", PolicyName="own",
                              PolicyDocument=document("s3:*", "ec2:*"))
    bob = user(admin, "bob", "sts:AssumeRole")
    carol = user(admin, "carol", "ec2:*")
    asked = {"RoleArn": role, "RoleSessionName": "night"}
    expect(refusal(carol.sts.assume_role, **asked), "AccessDenied", "AssumeRole without permission")
    made = bob.sts.assume_role(Policy=document("ec2:*"), **asked)["Credentials"]
    session = Clients(admin.url, made["AccessKeyId"], made["SecretAccessKey"],
                      made["SessionToken"])
    expect(session.sts.get_caller_identity()["Arn"],
           "arn:aws:sts::123456789012:assumed-role/train/night", "the session")
    session.ec2.describe_volumes()
    expect(refusal(session.s3.list_buckets), "AccessDenied", "beyond the session policy")
    made = carol.sts.get_session_token()["Credentials"]
    token = Clients(admin.url, made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"])
    token.ec2.describe_volumes()
    spoiled = Clients(admin.url, made["AccessKeyId"], made["SecretAccessKey"], "another")
    expect(refusal(spoiled.ec2.describe_volumes), "AuthFailure", "another token")


def objects(admin):
    s3 = admin.s3
    s3.create_bucket(Bucket="data", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    s3.put_object(Bucket="data", Key="own/a b+ü.txt", Body=b"1" * 100)
    dave = user(admin, "dave")
    admin.iam.put_user_policy(UserName="dave", PolicyName="own", PolicyDocument=document(
        "s3:GetObject", "s3:PutObject", resource="arn:aws:s3:::data/own/*"))
    expect(dave.s3.get_object(Bucket="data", Key="own/a b+ü.txt")["Body"].read(), b"1" * 100,
           "an object")
    dave.s3.put_object(Bucket="data", Key="own/b", Body=b"2")
    expect(refusal(dave.s3.put_object, Bucket="data", Key="c", Body=b"3"), "AccessDenied", "put")
    expect(refusal(dave.s3.head_object, Bucket="data", Key="c"), "403", "HeadObject")
    expect(refusal(dave.s3.list_objects_v2, Bucket="data"), "AccessDenied", "list")
    used = admin.iam.get_access_key_last_used(
        AccessKeyId=dave.keys["aws_access_key_id"])["AccessKeyLastUsed"]
    expect((used["ServiceName"], "LastUsedDate" in used), ("s3", True), "the use of a key")
    signing = boto3.client("s3", endpoint_url=dave.url, region_name="us-west-2",
                           config=botocore.config.Config(signature_version="s3v4"), **dave.keys)
    url = signing.generate_presigned_url("get_object", Params={"Bucket": "data", "Key": "own/b"})
    with urllib.request.urlopen(url, timeout=20) as answer:
        expect(answer.read(), b"2", "a presigned URL")
    try:
        urllib.request.urlopen(url[:-1] + ("0" if url[-1] != "0" else "1"), timeout=20)
        fail("a spoiled presigned URL was accepted")
    except urllib.error.HTTPError as error:
        expect(error.code, 403, "a spoiled presigned URL")


def passing(admin):
    eve = user(admin, "eve", "ec2:*")
    trust = json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Action": "sts:AssumeRole",
        "Principal": {"Service": "ec2.amazonaws.com"}}]})
    admin.iam.create_role(RoleName="node", AssumeRolePolicyDocument=trust)
    admin.iam.create_instance_profile(InstanceProfileName="node")
    admin.iam.add_role_to_instance_profile(InstanceProfileName="node", RoleName="node")
    launch = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "m4.xlarge", "MinCount": 1,
              "MaxCount": 1, "IamInstanceProfile": {"Name": "node"}}
    expect(refusal(eve.ec2.run_instances, **launch), "UnauthorizedOperation", "PassRole")
    admin.iam.attach_user_policy(UserName="eve",
                                 PolicyArn="arn:aws:iam::aws:policy/IAMFullAccess")
    eve.ec2.run_instances(**launch)


def stacks(admin, served):
    """A stack needs its caller's permissions, or those of its role."""
    hal = user(admin, "hal", "cloudformation:*", "iam:PassRole")
    template = json.dumps({"Resources": {"Data": {"Type": "AWS::EC2::Volume", "Properties": {
        "AvailabilityZone": "us-west-2b", "Size": 1}}}})

    def create(name, **more):
        hal.cloudformation.create_stack(StackName=name, TemplateBody=template, **more)
        served.control("clock", {"by": "10m"})
        return hal.cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]

    expect(create("own"), "ROLLBACK_COMPLETE", "a stack without permission")
    reasons = [event["ResourceStatusReason"]
               for event in hal.cloudformation.describe_stack_events(StackName="own")["StackEvents"]
               if event["ResourceStatus"] == "CREATE_FAILED"]
    expect([reason.split(" User: ")[0] for reason in reasons],
           ["API: ec2:CreateVolume You are not authorized to perform this operation."],
           "the reason")
    trust = json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Action": "sts:AssumeRole",
        "Principal": {"Service": "cloudformation.amazonaws.com"}}]})
    role = admin.iam.create_role(RoleName="stacks", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    admin.iam.put_role_policy(RoleName="stacks", PolicyName="own",
                              PolicyDocument=document("ec2:*"))
    expect(create("by-role", RoleARN=role), "CREATE_COMPLETE", "a stack with a role")
    hal.cloudformation.delete_stack(StackName="by-role")
    served.control("clock", {"by": "10m"})
    expect(admin.ec2.describe_volumes(Filters=[{
        "Name": "tag:aws:cloudformation:stack-name", "Values": ["by-role"]}])["Volumes"], [],
           "the volumes of the deleted stack")


def alarms(admin):
    """A user may put metrics, and alarms of some names."""
    gus = user(admin, "gus", "cloudwatch:PutMetricData")
    admin.iam.put_user_policy(UserName="gus", PolicyName="alarms", PolicyDocument=document(
        "cloudwatch:*", resource="arn:aws:cloudwatch:us-west-2:123456789012:alarm:idle-*"))
    datum = {"Namespace": "GPU", "MetricData": [{"MetricName": "Use", "Value": 1}]}
    alarm = {"Namespace": "GPU", "MetricName": "Use", "Statistic": "Sum", "Period": 60,
             "EvaluationPeriods": 1, "Threshold": 0, "ComparisonOperator": "LessThanThreshold"}
    gus.cloudwatch.put_metric_data(**datum)
    gus.cloudwatch.put_metric_alarm(AlarmName="idle-1", **alarm)
    expect(refusal(gus.cloudwatch.put_metric_alarm, AlarmName="other", **alarm), "AccessDenied",
           "an alarm of another name")
    expect(refusal(gus.cloudwatch.list_metrics), "AccessDenied", "ListMetrics")
    gus.cloudwatch.delete_alarms(AlarmNames=["idle-1"])
    expect(refusal(gus.pricing.get_products, ServiceCode="AmazonS3"), "AccessDeniedException",
           "GetProducts")


def command_line(served):
    environment = aws_environment(AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=SECRET,
                                  AWS_DEFAULT_REGION="us-west-2")
    for arguments, key, status in ((("iam", "list-users"), KEY, 0),
                                   (("s3", "ls"), KEY, 0),
                                   (("sts", "get-caller-identity"), "AKIANOBODY", 254)):
        done = subprocess.run(["aws", "--endpoint-url", served.url, *arguments],
                              env=environment | {"AWS_ACCESS_KEY_ID": key}, capture_output=True,
                              text=True, timeout=120)
        if done.returncode not in (status, 255 if status else 0):
            fail(f"aws {' '.join(arguments)}: status {done.returncode}: {done.stderr}")


spotsim, scenario = sys.argv[1:]
with Served(spotsim, scenario, "--iam", "--speed", "manual") as served:
    administrator = Clients(served.url, KEY, SECRET)
    expect(administrator.sts.get_caller_identity()["Arn"],
           "arn:aws:iam::123456789012:user/operator", "the administrator")
    wrong_credentials(administrator)
    permissions(administrator)
    sessions(administrator)
    objects(administrator)
    passing(administrator)
    stacks(administrator, served)
    alarms(administrator)
    command_line(served)
    denied = [json.loads(line) for line in served.log().splitlines() if '"iam.denied"' in line]
    actions = {event["action"] for event in denied}
    for action in ("ec2:CreateVolume", "ec2:DeleteVolume", "s3:ListAllMyBuckets", "iam:PassRole",
                   "sts:AssumeRole"):
        if action not in actions:
            fail(f"the log has no iam.denied of {action}: {sorted(actions)}")
    expect(served.stop(), 0, "the exit code")
