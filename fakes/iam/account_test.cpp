// What IAM reports about the whole account: the last use of roles, credential reports, summaries.
#include "fakes/client_programs_for_test.h"

namespace fakes {
namespace {

using IamAccount = ClientPrograms;

// Begins each test's Python program.
const std::string kClients = R"(
import csv, os, json, boto3
def client(service, key=None):
    keys = {} if key is None else dict(
        aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"],
        aws_session_token=key.get("SessionToken"))
    return boto3.client(service, endpoint_url=os.environ["ENDPOINT"], **keys)
def refusal(call, **more):
    try:
        call(**more)
        raise SystemExit("not refused")
    except iam.exceptions.ClientError as error:
        return error.response["Error"]["Code"]
iam = client("iam")
trust = json.dumps({"Version": "2012-10-17", "Statement": {
    "Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}})
policy = {"Version": "2012-10-17", "Statement": {
    "Effect": "Allow", "Action": "s3:ListBucket", "Resource": "*"}}
)";

TEST_F(IamAccount, ARoleShowsItsLastUseInARequest) {
  python(kClients + R"(
role = iam.create_role(RoleName="train", AssumeRolePolicyDocument=trust)["Role"]
used = lambda: iam.get_role(RoleName="train")["Role"]["RoleLastUsed"]
session = client("sts").assume_role(RoleArn=role["Arn"], RoleSessionName="night")["Credentials"]
assert used() == {}, used()
client("ec2", session).describe_volumes()
assert used()["Region"] == os.environ["AWS_DEFAULT_REGION"], used()
assert used()["LastUsedDate"].year == 2019, used()
assert "RoleLastUsed" not in iam.list_roles()["Roles"][0]
detail = iam.get_account_authorization_details(Filter=["Role"])["RoleDetailList"][0]
assert detail["RoleLastUsed"] == used(), detail
)");
}

TEST_F(IamAccount, ACredentialReportIsMadeByRequestAndKeptForHours) {
  python(kClients + R"(
assert refusal(iam.get_credential_report) == "ReportNotPresent"
iam.create_user(UserName="ann")
iam.create_user(UserName="bob")
iam.create_login_profile(UserName="ann", Password="long enough")
keys = [iam.create_access_key(UserName="ann")["AccessKey"] for _ in range(2)]
client("ec2", keys[0]).describe_volumes()
iam.update_access_key(UserName="ann", AccessKeyId=keys[1]["AccessKeyId"], Status="Inactive")
assert iam.generate_credential_report()["State"] == "STARTED"
iam.create_user(UserName="late")
assert iam.generate_credential_report()["State"] == "COMPLETE"
report = iam.get_credential_report()
assert report["ReportFormat"] == "text/csv"
rows = {row["user"]: row for row in csv.DictReader(report["Content"].decode().splitlines())}
assert list(rows) == ["<root_account>", "ann", "bob"], rows
assert rows["<root_account>"]["password_enabled"] == "not_supported"
ann, bob = rows["ann"], rows["bob"]
assert ann["user_creation_time"].startswith("2019-11-05T10:00:00+00:00"), ann
assert (ann["password_enabled"], ann["password_last_used"]) == ("true", "no_information"), ann
first, second = (1, 2) if keys[0]["AccessKeyId"] < keys[1]["AccessKeyId"] else (2, 1)
assert ann[f"access_key_{first}_active"] == "true", ann
assert ann[f"access_key_{first}_last_used_service"] == "ec2", ann
assert ann[f"access_key_{second}_active"] == "false", ann
assert ann[f"access_key_{second}_last_used_date"] == "N/A", ann
assert (bob["password_enabled"], bob["access_key_1_active"], bob["cert_1_last_rotated"]) == (
    "false", "false", "N/A"), bob
)");
}

TEST_F(IamAccount, DetailsHaveAllEntitiesWithTheirPolicies) {
  python(kClients + R"(
own = iam.create_policy(PolicyName="own", PolicyDocument=json.dumps(policy))["Policy"]["Arn"]
s3 = "arn:aws:iam::aws:policy/AmazonS3FullAccess"
iam.create_role(RoleName="train", AssumeRolePolicyDocument=trust, PermissionsBoundary=s3)
iam.create_instance_profile(InstanceProfileName="i")
iam.add_role_to_instance_profile(InstanceProfileName="i", RoleName="train")
iam.create_group(GroupName="team")
iam.create_user(UserName="ann", Tags=[{"Key": "a", "Value": "b"}])
iam.add_user_to_group(GroupName="team", UserName="ann")
iam.put_user_policy(UserName="ann", PolicyName="p", PolicyDocument=json.dumps(policy))
iam.attach_group_policy(GroupName="team", PolicyArn=own)
pages = list(iam.get_paginator("get_account_authorization_details").paginate(
    PaginationConfig={"PageSize": 2}))
assert len(pages) == 3, pages
whole = iam.get_account_authorization_details()
lists = ("UserDetailList", "GroupDetailList", "RoleDetailList", "Policies")
for kind in lists:
    assert [one for page in pages for one in page[kind]] == whole[kind], kind
user, group, role = (whole[kind][0] for kind in lists[:3])
assert user["GroupList"] == ["team"] and user["Tags"] == [{"Key": "a", "Value": "b"}], user
assert user["UserPolicyList"] == [{"PolicyName": "p", "PolicyDocument": policy}], user
assert group["AttachedManagedPolicies"] == [{"PolicyName": "own", "PolicyArn": own}], group
assert role["PermissionsBoundary"]["PermissionsBoundaryArn"] == s3, role
assert role["InstanceProfileList"][0]["InstanceProfileName"] == "i", role
assert sorted(p["Arn"] for p in whole["Policies"]) == sorted([own, s3]), whole["Policies"]
local = iam.get_account_authorization_details(Filter=["LocalManagedPolicy"])
assert [len(local[kind]) for kind in lists] == [0, 0, 0, 1], local
assert local["Policies"][0]["PolicyVersionList"][0]["Document"] == policy, local
summary = iam.get_account_summary()["SummaryMap"]
counts = [summary[key] for key in ("Users", "Groups", "Roles", "InstanceProfiles", "Policies")]
assert counts == [1] * 5 and summary["RolesQuota"] == 1000, summary
)");
}

TEST_F(IamAccount, AUserOpensASessionForAFederatedUser) {
  python(kClients + R"(
iam.create_user(UserName="ann")
key = iam.create_access_key(UserName="ann")["AccessKey"]
made = client("sts", key).get_federation_token(Name="guest", Policy=json.dumps(policy))
user = made["FederatedUser"]
assert user == {"FederatedUserId": "123456789012:guest",
                "Arn": "arn:aws:sts::123456789012:federated-user/guest"}, user
assert made["PackedPolicySize"] > 0
identity = client("sts", made["Credentials"]).get_caller_identity()
assert (identity["Arn"], identity["UserId"]) == (user["Arn"], user["FederatedUserId"]), identity
)");
}

}  // namespace
}  // namespace fakes
