// The caller of a call where IAM does not decide: the owner of the key in the signature.
#include "fakes/client_programs_for_test.h"

namespace fakes {
namespace {

using Callers = ClientPrograms;

TEST_F(Callers, AKnownKeyNamesItsOwner) {
  python(R"(
import os, json, boto3
def client(service, key=None):
    keys = {} if key is None else dict(
        aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"],
        aws_session_token=key.get("SessionToken"))
    return boto3.client(service, endpoint_url=os.environ["ENDPOINT"], **keys)
iam = client("iam")
user = iam.create_user(UserName="ann")["User"]
key = iam.create_access_key(UserName="ann")["AccessKey"]
assert client("sts").get_caller_identity()["Arn"].endswith(":assumed-role/operator/operator")
identity = client("sts", key).get_caller_identity()
assert (identity["Arn"], identity["UserId"]) == (user["Arn"], user["UserId"]), identity
assert client("iam", key).get_user()["User"]["UserName"] == "ann"
assert len(client("iam", key).list_access_keys()["AccessKeyMetadata"]) == 1
used = iam.get_access_key_last_used(AccessKeyId=key["AccessKeyId"])["AccessKeyLastUsed"]
assert used["ServiceName"] == "iam" and "LastUsedDate" in used, used
trust = {"Version": "2012-10-17", "Statement": {
    "Effect": "Allow", "Principal": {"AWS": user["Arn"]}, "Action": "sts:AssumeRole"}}
role = iam.create_role(RoleName="train", AssumeRolePolicyDocument=json.dumps(trust))["Role"]
session = client("sts").assume_role(RoleArn=role["Arn"], RoleSessionName="night")
identity = client("sts", session["Credentials"]).get_caller_identity()
assert identity["Arn"] == session["AssumedRoleUser"]["Arn"], identity
try:
    client("iam", session["Credentials"]).get_user()
    raise SystemExit("a role is no user")
except iam.exceptions.ClientError as error:
    assert error.response["Error"]["Code"] == "ValidationError", error
)");
}

}  // namespace
}  // namespace fakes
