"""Calls every action of STS, SSM, CloudWatch Logs, ECR and SageMaker. Each function gets a
service's `call`."""
import base64
import json

from support import expect

ACCOUNT = "us-west-2:123456789012"
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"},
    "Action": "sts:AssumeRole"}]})
DOCUMENT = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]})
PROVIDER = "token.example"
S3 = "arn:aws:iam::aws:policy/AmazonS3FullAccess"


def web_token(claims):
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
             for part in ({"alg": "RS256"}, claims)]
    return ".".join(parts + ["c2lnbmVk"])


def sts(ask, role):
    ask("GetCallerIdentity")
    ask("GetAccessKeyInfo", AccessKeyId="ASIAEXAMPLEEXAMPLE00")
    ask("AssumeRole", RoleArn=role, RoleSessionName="a-session", Policy=DOCUMENT,
        PolicyArns=[{"arn": S3}], DurationSeconds=900, SourceIdentity="me",
        Tags=[{"Key": "team", "Value": "a"}], TransitiveTagKeys=["team"])
    ask("AssumeRoleWithWebIdentity", RoleArn=role, RoleSessionName="a-session",
        WebIdentityToken=web_token({"iss": f"https://{PROVIDER}", "aud": "one", "sub": "repo:me",
                                    "exp": 4e9}), Policy=DOCUMENT)
    ask("GetFederationToken", Name="ann", Policy=DOCUMENT)
    ask("GetSessionToken", DurationSeconds=900)
    # spotsim's encoding of a denial is the Base64 of its reversed text.
    denial = json.dumps({"allowed": False})[::-1]
    ask("DecodeAuthorizationMessage", EncodedMessage=base64.b64encode(denial.encode()).decode())


def ssm(ask):
    tags = [{"Key": "grün", "Value": "<blau>"}]
    ask("PutParameter", Name="/p/a", Value="v & <w>", Type="String", Description="d", Tags=tags,
        AllowedPattern=".*", Tier="Advanced", Policies=json.dumps([
            {"Type": "NoChangeNotification", "Version": "1.0",
             "Attributes": {"After": "20", "Unit": "Days"}}]))
    ask("PutParameter", Name="/p/a", Value="w", Overwrite=True)
    ask("PutParameter", Name="/p/secret", Value="s", Type="SecureString", KeyId="alias/own")
    ask("PutParameter", Name="list", Value="a,b", Type="StringList")
    ask("LabelParameterVersion", Name="/p/a", ParameterVersion=1, Labels=["good", "1bad"])
    ask("GetParameter", Name="/p/a:good")
    ask("GetParameter", Name="/p/secret", WithDecryption=True)
    ask("GetParameters", Names=["list", "none"])
    ask("GetParametersByPath", Path="/p", MaxResults=1)
    ask("DescribeParameters", MaxResults=2)
    ask("DescribeParameters", ParameterFilters=[{"Key": "Name", "Values": ["/p/a"]}])
    ask("GetParameterHistory", Name="/p/a", MaxResults=1)
    ask("UnlabelParameterVersion", Name="/p/a", ParameterVersion=1, Labels=["good", "none"])
    whose = {"ResourceType": "Parameter", "ResourceId": "list"}
    ask("AddTagsToResource", Tags=tags, **whose)
    ask("ListTagsForResource", **whose)
    ask("RemoveTagsFromResource", TagKeys=["grün"], **whose)
    ask("DeleteParameter", Name="list")
    ask("DeleteParameters", Names=["/p/a", "none"])


def logs(ask, now):
    """`now`: in milliseconds."""
    group, stream = {"logGroupName": "/g"}, {"logGroupName": "/g", "logStreamName": "s"}
    arn = f"arn:aws:logs:{ACCOUNT}:log-group:/g"
    ask("CreateLogGroup", tags={"grün": "<blau>"},
        kmsKeyId=f"arn:aws:kms:{ACCOUNT}:key/12345678-1234-1234-1234-123456789012", **group)
    ask("CreateLogGroup", logGroupName="/h")
    ask("PutRetentionPolicy", retentionInDays=7, **group)
    ask("DescribeLogGroups", limit=1)
    ask("DeleteRetentionPolicy", **group)
    ask("TagResource", resourceArn=arn, tags={"a": "b"})
    ask("ListTagsForResource", resourceArn=arn)
    ask("UntagResource", resourceArn=arn, tagKeys=["a"])
    ask("TagLogGroup", tags={"c": ""}, **group)
    ask("ListTagsLogGroup", **group)
    ask("UntagLogGroup", tags=["c"], **group)
    ask("CreateLogStream", **stream)
    ask("CreateLogStream", logGroupName="/g", logStreamName="t")
    ask("DescribeLogStreams", **group)
    hours = 3600 * 1000
    ask("PutLogEvents", logEvents=[{"timestamp": now - 15 * 24 * hours, "message": "too old"}],
        **stream)
    ask("PutLogEvents", logEvents=[{"timestamp": now, "message": "grün \n\u0001"},
                                   {"timestamp": now + 1, "message": "m" * 1000},
                                   {"timestamp": now + 3 * hours, "message": "too new"}], **stream)
    ask("DescribeLogStreams", limit=1, orderBy="LastEventTime", **group)
    ask("GetLogEvents", limit=1, startFromHead=True, **stream)
    ask("FilterLogEvents", limit=1, filterPattern='"m"', **group)
    ask("FilterLogEvents", limit=1, **group)
    ask("DeleteLogStream", **stream)
    ask("DeleteLogGroup", **group)


def ecr(ask):
    key = f"arn:aws:kms:{ACCOUNT}:key/12345678-1234-1234-1234-123456789012"
    ask("CreateRepository", repositoryName="ml/train", imageTagMutability="IMMUTABLE",
        imageScanningConfiguration={"scanOnPush": True},
        encryptionConfiguration={"encryptionType": "KMS", "kmsKey": key})
    ask("CreateRepository", repositoryName="plain")
    ask("DescribeRepositories", maxResults=1)
    ask("DescribeRepositories", repositoryNames=["plain"])
    ask("GetAuthorizationToken")
    ask("DeleteRepository", repositoryName="ml/train")


def job(name, role, **more):
    """A request for a job that has all members that are read."""
    source = {"S3DataType": "S3Prefix", "S3Uri": "s3://bucket/in/",
              "S3DataDistributionType": "FullyReplicated"}
    return {
        "TrainingJobName": name, "RoleArn": role, "HyperParameters": {"epochs": "<3>"},
        "AlgorithmSpecification": {
            "TrainingImage": "123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1",
            "TrainingInputMode": "File", "EnableSageMakerMetricsTimeSeries": True,
            "MetricDefinitions": [{"Name": "loss", "Regex": "loss=(.*)"}]},
        "InputDataConfig": [{"ChannelName": "train", "DataSource": {"S3DataSource": source}}],
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out", "KmsKeyId": "alias/own"},
        "ResourceConfig": {"InstanceType": "ml.p3.2xlarge", "InstanceCount": 1,
                           "VolumeSizeInGB": 30},
        "CheckpointConfig": {"S3Uri": "s3://bucket/c", "LocalPath": "/opt/ml/checkpoints"},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200},
        "EnableManagedSpotTraining": True, "Environment": {"A": "b"},
        "VpcConfig": {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1"]},
        "RetryStrategy": {"MaximumRetryAttempts": 2}, "Tags": [{"Key": "grün", "Value": "v"}],
        "DebugHookConfig": {"S3OutputPath": "s3://bucket/d"},
        "ProfilerConfig": {"S3OutputPath": "s3://bucket/p"},
        "TensorBoardOutputConfig": {"S3OutputPath": "s3://bucket/t"},
        "ExperimentConfig": {"ExperimentName": "e"}} | more


def sagemaker(ask, role, wait):
    """`wait(DURATION)` lets the first job end: nobody trains here. The second one is stopped."""
    arn = ask("CreateTrainingJob", job("one", role))["TrainingJobArn"]
    ask("CreateTrainingJob", job("two", role))
    ask("StopTrainingJob", TrainingJobName="two")
    ask("ListTrainingJobs", MaxResults=1)
    ask("AddTags", ResourceArn=arn, Tags=[{"Key": "a", "Value": ""}])
    ask("ListTags", ResourceArn=arn)
    ask("DeleteTags", ResourceArn=arn, TagKeys=["a"])
    ask("DescribeTrainingJob", TrainingJobName="one")
    wait("10m")
    shown = [ask("DescribeTrainingJob", TrainingJobName=each)["TrainingJobStatus"]
             for each in ("two", "one")]
    expect(shown, ["Stopped", "Failed"], "the jobs' statuses")
    ask("ListTrainingJobs", SortBy="Name", SortOrder="Ascending")
