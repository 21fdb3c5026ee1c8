"""serve_iam.py SPOTSIM SCENARIO: every answer of every action of IAM, as it comes over the wire,
against the output shape that botocore has for it."""
import json
import pathlib
import sys

from response_shapes import QueryWitness
from serve_ec2 import Service, open_enums, served_actions
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
    linked = iam("CreateServiceLinkedRole", AWSServiceName="spot.amazonaws.com")["Role"]
    task = iam("DeleteServiceLinkedRole", RoleName=linked["RoleName"])["DeletionTaskId"]
    iam("GetServiceLinkedRoleDeletionStatus", DeletionTaskId=task)
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


def users(iam):
    iam("CreateUser", UserName="ann", Path="/ml/", Tags=TAGS, PermissionsBoundary=S3)
    iam("PutUserPermissionsBoundary", UserName="ann", PermissionsBoundary=S3)
    iam("GetUser", UserName="ann")
    iam("DeleteUserPermissionsBoundary", UserName="ann")
    iam("ListUsers", MaxItems=1)
    iam("TagUser", UserName="ann", Tags=[{"Key": "a", "Value": ""}])
    iam("ListUserTags", UserName="ann", MaxItems=1)
    iam("UntagUser", UserName="ann", TagKeys=["a"])
    key = iam("CreateAccessKey", UserName="ann")["AccessKey"]["AccessKeyId"]
    iam("ListAccessKeys", UserName="ann")
    iam("UpdateAccessKey", UserName="ann", AccessKeyId=key, Status="Inactive")
    iam("GetAccessKeyLastUsed", AccessKeyId=key)
    iam("DeleteAccessKey", UserName="ann", AccessKeyId=key)
    iam("CreateLoginProfile", UserName="ann", Password="long enough", PasswordResetRequired=True)
    iam("UpdateLoginProfile", UserName="ann", PasswordResetRequired=False)
    iam("GetLoginProfile", UserName="ann")
    iam("DeleteLoginProfile", UserName="ann")
    for kind in "MFADevices", "SigningCertificates", "SSHPublicKeys", "ServiceSpecificCredentials":
        iam(f"List{kind}", UserName="ann")
    iam("UpdateUser", UserName="ann", NewUserName="eve", NewPath="/")


def groups(iam):
    iam("CreateGroup", GroupName="trainers", Path="/ml/")
    iam("AddUserToGroup", GroupName="trainers", UserName="eve")
    iam("GetGroup", GroupName="trainers")
    iam("ListGroups", MaxItems=1)
    iam("ListGroupsForUser", UserName="eve")
    for kind, name in ("User", "eve"), ("Group", "trainers"):
        whose = {f"{kind}Name": name}
        iam(f"Put{kind}Policy", PolicyName="own", PolicyDocument=DOCUMENT, **whose)
        iam(f"Get{kind}Policy", PolicyName="own", **whose)
        iam(f"List{kind}Policies", **whose)
        iam(f"Attach{kind}Policy", PolicyArn=S3, **whose)
        iam(f"ListAttached{kind}Policies", **whose)
    iam("ListEntitiesForPolicy", PolicyArn=S3)
    arn = iam("GetUser", UserName="eve")["User"]["Arn"]
    asked = {"ActionNames": ["s3:GetObject", "ec2:RunInstances"], "ContextEntries": [
        {"ContextKeyName": "aws:username", "ContextKeyType": "string",
         "ContextKeyValues": ["eve"]}]}
    iam("SimulatePrincipalPolicy", PolicySourceArn=arn, **asked)
    iam("SimulateCustomPolicy", PolicyInputList=[DOCUMENT], MaxItems=1,
        PermissionsBoundaryPolicyInputList=[DOCUMENT], **asked)
    for kind, name in ("User", "eve"), ("Group", "trainers"):
        whose = {f"{kind}Name": name}
        iam(f"Delete{kind}Policy", PolicyName="own", **whose)
        iam(f"Detach{kind}Policy", PolicyArn=S3, **whose)
    iam("RemoveUserFromGroup", GroupName="trainers", UserName="eve")
    iam("UpdateGroup", GroupName="trainers", NewGroupName="others")
    iam("DeleteGroup", GroupName="others")
    iam("DeleteUser", UserName="eve")
    iam("GetAccountSummary")
    iam("GetAccountAuthorizationDetails", MaxItems=2)
    iam("GetAccountAuthorizationDetails")
    iam("GenerateCredentialReport")
    iam("GetCredentialReport")
    iam("CreateAccountAlias", AccountAlias="lab")
    iam("ListAccountAliases")
    iam("DeleteAccountAlias", AccountAlias="lab")


def providers(iam):
    arn = iam("CreateOpenIDConnectProvider", Url="https://token.example/me", Tags=TAGS,
              ClientIDList=["one"], ThumbprintList=["a" * 40])["OpenIDConnectProviderArn"]
    provider = {"OpenIDConnectProviderArn": arn}
    iam("AddClientIDToOpenIDConnectProvider", ClientID="two", **provider)
    iam("RemoveClientIDFromOpenIDConnectProvider", ClientID="one", **provider)
    iam("UpdateOpenIDConnectProviderThumbprint", ThumbprintList=["b" * 40], **provider)
    iam("TagOpenIDConnectProvider", Tags=[{"Key": "a", "Value": ""}], **provider)
    iam("ListOpenIDConnectProviderTags", MaxItems=1, **provider)
    iam("UntagOpenIDConnectProvider", TagKeys=["a"], **provider)
    iam("GetOpenIDConnectProvider", **provider)
    iam("ListOpenIDConnectProviders")
    iam("DeleteOpenIDConnectProvider", **provider)


def end(iam, own):
    iam("RemoveRoleFromInstanceProfile", InstanceProfileName="train", RoleName="train")
    iam("DeleteInstanceProfile", InstanceProfileName="train")
    for arn in own, S3:
        iam("DetachRolePolicy", RoleName="train", PolicyArn=arn)
    iam("DeleteRolePolicy", RoleName="train", PolicyName="logs")
    iam("DeleteRole", RoleName="train")
    iam("DeletePolicy", PolicyArn=own)


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(scenario).parent.parent
actions = served_actions(source, "iam")
witness = QueryWitness("https://iam.amazonaws.com/doc/2010-05-08/", open_enums(source, "iam"))
with Served(spotsim, scenario, "--speed", "manual") as served:
    service = Service(served.port, witness, "iam", region="us-east-1")
    roles(service.call)
    made = policies(service.call)
    profiles(service.call)
    users(service.call)
    groups(service.call)
    providers(service.call)
    end(service.call, made)
    for action in actions:
        service.refused(action, {"Version": "2010-01-01"})
witness.finish(actions, empty={"ListServiceSpecificCredentials"})
