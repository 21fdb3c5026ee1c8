"""Makes what the paginators of the served services list. Each function makes at least COUNT items
for each list, and returns the parameters of each paginator that needs some."""
import json

import boto3

COUNT = 5
SNS_PAGE = 100  # SNS has pages of this fixed size
METRICS_PAGE = 500  # so has CloudWatch's ListMetrics
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
    sqs = boto3.client("sqs", endpoint_url=sns.meta.endpoint_url)
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


def fill_s3(s3):
    s3.create_bucket(Bucket="pages", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    key = {"Bucket": "pages", "Key": "big"}
    for i in range(COUNT):
        s3.put_object(Bucket="pages", Key=f"k{i}/ü", Body=b"x")
        upload = s3.create_multipart_upload(**key)["UploadId"]
    for i in range(COUNT):
        s3.upload_part(**key, UploadId=upload, PartNumber=i + 1, Body=b"x")
    return {"list_parts": {**key, "UploadId": upload}} | {
        f"list_{of}": {"Bucket": "pages"} for of in
        ("objects", "objects_v2", "multipart_uploads")}


def job(name):
    """The parameters of a training job."""
    return {"TrainingJobName": name, "RoleArn": "arn:aws:iam::123456789012:role/R",
            "AlgorithmSpecification": {"TrainingImage": "train:1", "TrainingInputMode": "File"},
            "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
            "ResourceConfig": {"InstanceType": "ml.p3.2xlarge", "InstanceCount": 1,
                               "VolumeSizeInGB": 30},
            "StoppingCondition": {"MaxRuntimeInSeconds": 3600}}


def fill_sagemaker(sagemaker):
    tags = [{"Key": f"k{i}", "Value": "v"} for i in range(COUNT)]
    for i in range(COUNT):
        arn = sagemaker.create_training_job(**job(f"j{i}"), Tags=tags)["TrainingJobArn"]
    return {"list_tags": {"ResourceArn": arn}}


def fill_logs(logs):
    group = {"logGroupName": "g0"}
    for i in range(COUNT):
        logs.create_log_group(logGroupName=f"g{i}")
        logs.create_log_stream(**group, logStreamName=f"s{i}")
        logs.put_log_events(**group, logStreamName=f"s{i}", logEvents=[
            {"timestamp": 1572948000000 + i, "message": "m"}])
    return {"describe_log_streams": group, "filter_log_events": group}


def fill_ecr(ecr):
    for i in range(COUNT):
        ecr.create_repository(repositoryName=f"r{i}")
    return {}


def fill_pricing(_):
    ec2 = {"ServiceCode": "AmazonEC2"}
    filters = [{"Type": "TERM_MATCH", "Field": "regionCode", "Value": "us-west-2"},
               {"Type": "TERM_MATCH", "Field": "productFamily", "Value": "Storage"}]
    return {"get_attribute_values": ec2 | {"AttributeName": "volumeApiName"},
            "get_products": ec2 | {"Filters": filters}}


def fill_cloudwatch(cloudwatch):
    metric = {"Namespace": "n", "MetricName": "m0"}
    cloudwatch.put_metric_data(Namespace="n", MetricData=[
        {"MetricName": f"m{i}", "Value": 1} for i in range(METRICS_PAGE + 1)])
    cloudwatch.put_metric_data(Namespace="n", MetricData=[
        {"MetricName": "m0", "Value": 1, "Timestamp": f"2019-11-05T09:5{i}:00Z"}
        for i in range(COUNT)])
    for i in range(COUNT):
        cloudwatch.put_metric_alarm(
            AlarmName=f"a{i}", EvaluationPeriods=1, Period=60, Statistic="Sum", Threshold=5,
            ComparisonOperator="LessThanThreshold", **metric)
    return {"get_metric_data": {
        "StartTime": "2019-11-05T09:00:00Z", "EndTime": "2019-11-05T10:00:00Z",
        "MetricDataQueries": [{"Id": "q", "MetricStat": {
            "Metric": metric, "Period": 60, "Stat": "Sum"}}]}}


FILL = {"iam": fill_iam, "sqs": fill_sqs, "sns": fill_sns, "events": fill_events, "ssm": fill_ssm,
        "s3": fill_s3, "sagemaker": fill_sagemaker, "logs": fill_logs, "ecr": fill_ecr,
        "pricing": fill_pricing, "cloudwatch": fill_cloudwatch}
