"""serve_iam.py SPOTSIM SCENARIO: every answer of every action of IAM, as it comes over the wire,
against the output shape that botocore has for it."""
import json
import pathlib
import sys

from response_shapes import QueryWitness
from serve_ec2 import Service, served_actions
from serve_support import Served

TRUST = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}]})
DOCUMENT = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"], "Resource": "*"}]})
S3 = "arn:aws:iam::aws:policy/AmazonS3FullAccess"
TAGS = [{"Key": "Name", "Value": "grün = blau"}]


def roles(iam):
    iam("CreateRole", RoleName="train", AssumeRolePolicyDocument=TRUST, Tags=TAGS, Path="/ml/",
        Description="of <one>", PermissionsBoundary=S3, MaxSessionDuration=7200)
    iam("CreateServiceLinkedRole", AWSServiceName="spot.amazonaws.com")
    iam("UpdateRole", RoleName="train", Description="another", MaxSessionDuration=3600)
    iam("UpdateRoleDescription", RoleName="train", Description="a third")
    iam("UpdateAssumeRolePolicy", RoleName="train", PolicyDocument=TRUST)
    iam("TagRole", RoleName="train", Tags=[{"Key": "a", "Value": ""}])
    iam("ListRoleTags", RoleName="train", MaxItems=1)
    iam("UntagRole", RoleName="train", TagKeys=["a"])
    iam("PutRolePermissionsBoundary", RoleName="train", PermissionsBoundary=S3)
    iam("GetRole", RoleName="train")
    iam("DeleteRolePermissionsBoundary", RoleName="train")
    iam("ListRoles", MaxItems=1)


def policies(iam):
    own = iam("CreatePolicy", PolicyName="own", PolicyDocument=DOCUMENT, Description="mine",
              Tags=TAGS)["Policy"]["Arn"]
    iam("CreatePolicyVersion", PolicyArn=own, PolicyDocument=DOCUMENT, SetAsDefault=True)
    iam("SetDefaultPolicyVersion", PolicyArn=own, VersionId="v1")
    iam("GetPolicyVersion", PolicyArn=own, VersionId="v2")
    iam("ListPolicyVersions", PolicyArn=own, MaxItems=1)
    iam("DeletePolicyVersion", PolicyArn=own, VersionId="v2")
    iam("TagPolicy", PolicyArn=own, Tags=TAGS)
    iam("ListPolicyTags", PolicyArn=own)
    iam("UntagPolicy", PolicyArn=own, TagKeys=["Name"])
    for arn in own, S3:
        iam("GetPolicy", PolicyArn=arn)
        iam("AttachRolePolicy", RoleName="train", PolicyArn=arn)
    iam("PutRolePolicy", RoleName="train", PolicyName="logs", PolicyDocument=DOCUMENT)
    iam("GetRolePolicy", RoleName="train", PolicyName="logs")
    iam("ListRolePolicies", RoleName="train")
    iam("ListAttachedRolePolicies", RoleName="train", MaxItems=1)
    iam("ListEntitiesForPolicy", PolicyArn=own)
    for scope in "All", "AWS", "Local":
        iam("ListPolicies", Scope=scope, MaxItems=2)
    return own


def profiles(iam):
    iam("CreateInstanceProfile", InstanceProfileName="train", Tags=TAGS)
    iam("AddRoleToInstanceProfile", InstanceProfileName="train", RoleName="train")
    iam("TagInstanceProfile", InstanceProfileName="train", Tags=TAGS)
    iam("ListInstanceProfileTags", InstanceProfileName="train")
    iam("UntagInstanceProfile", InstanceProfileName="train", TagKeys=["Name"])
    iam("GetInstanceProfile", InstanceProfileName="train")
    iam("ListInstanceProfiles")
    iam("ListInstanceProfilesForRole", RoleName="train")


def end(iam, own):
    iam("RemoveRoleFromInstanceProfile", InstanceProfileName="train", RoleName="train")
    iam("DeleteInstanceProfile", InstanceProfileName="train")
    for arn in own, S3:
        iam("DetachRolePolicy", RoleName="train", PolicyArn=arn)
    iam("DeleteRolePolicy", RoleName="train", PolicyName="logs")
    iam("DeleteRole", RoleName="train")
    iam("DeletePolicy", PolicyArn=own)


spotsim, scenario = sys.argv[1:]
actions = served_actions(pathlib.Path(scenario).parent.parent, "iam")
witness = QueryWitness("https://iam.amazonaws.com/doc/2010-05-08/")
with Served(spotsim, scenario, "--speed", "manual") as served:
    service = Service(served.port, witness, "iam", region="us-east-1")
    roles(service.call)
    made = policies(service.call)
    profiles(service.call)
    end(service.call, made)
    for action in actions:
        service.refused(action, {"Version": "2010-01-01"})
witness.finish(actions)
