// Policy documents: valid ones, and invalid ones with AWS's messages.
#include "sim/iam/policy_document.h"

#include <gtest/gtest.h>

#include "sim/cloud/error.h"
#include "sim/iam/aws_managed_policies.h"

namespace sim::iam {
namespace {

template <class Check>
std::string fault(Check check, const std::string& document) {
  try {
    check(document);
    return "";
  } catch (const cloud::ApiError& error) {
    EXPECT_EQ(error.code(), "MalformedPolicyDocument");
    return error.what();
  }
}

std::string managed(const std::string& statement) {
  return fault(check_managed_policy, R"({"Version":"2012-10-17","Statement":)" + statement + "}");
}

TEST(PolicyDocument, AllOfAwssPoliciesAreValid) {
  for (const auto& [arn, policy] : aws_managed_policies())
    EXPECT_EQ(fault(check_managed_policy, policy.document()), "") << arn;
}

TEST(PolicyDocument, FaultsHaveAwsMessages) {
  const std::string syntax = "Syntax errors in policy.";
  for (const char* broken :
       {"[]", "{}", R"({"Effect":"Allow"})", R"([{"Effect":"Perhaps"}])",
        R"({"Effect":"Allow","Action":"s3:*","Resource":"*","Colour":"red"})",
        R"({"Effect":"Allow","Action":"s3:*","NotAction":"s3:Get*","Resource":"*"})",
        R"({"Effect":"Allow","Action":7,"Resource":"*"})",
        R"({"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"Like":{"a":"b"}}})"})
    EXPECT_EQ(managed(broken), broken == std::string(R"({"Effect":"Allow"})")
                                   ? "Policy statement must contain actions."
                                   : syntax)
        << broken;
  const auto statement = [](const std::string& action, const std::string& resource) {
    return managed(R"({"Effect":"Allow","Action":")" + action + R"(","Resource":")" + resource +
                   "\"}");
  };
  EXPECT_EQ(statement("s3:GetObject", "arn:aws:s3:::bucket/*"), "");
  EXPECT_EQ(statement("GetObject", "*"),
            "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.");
  EXPECT_EQ(statement("s3:a:b", "*"), "Actions/Condition can contain only one colon.");
  EXPECT_EQ(statement("s 3:a", "*"), "Vendor s 3 is not valid");
  EXPECT_EQ(statement("s3:*", "bucket"), "Resource bucket must be in ARN format or \"*\".");
  EXPECT_EQ(statement("s3:*", "arn:amazon:s3:::b"),
            "Partition \"amazon\" is not valid for resource \"arn:amazon:s3:::b\".");
  EXPECT_EQ(statement("s3:*", "arn:aws"),
            "Resource vendor must be fully qualified and cannot contain regexes.");
  EXPECT_EQ(statement("s3:*", "arn:aws:s3:us-east-1::b"),
            "Resource arn:aws:s3:us-east-1::b can not contain region information.");
  EXPECT_EQ(statement("iam:*", "arn:aws:iam::123456789012:house/x").substr(0, 48),
            "IAM resource path must either be \"*\" or start wi");
  // The order of checks: the older parser, missing actions, resources, the form of actions.
  const std::string legacy = "The policy failed legacy parsing";
  EXPECT_EQ(managed(R"({"Effect":"denY","Action":"s3:*","Resource":"*"})"), legacy);
  EXPECT_EQ(managed(R"({"Effect":"Allow","Resource":"arn:aws:s3::b"})"), legacy);
  EXPECT_EQ(managed(R"({"Effect":"Allow","Resource":"b"})"),
            "Policy statement must contain actions.");
  EXPECT_EQ(statement("s:3:List", ""), "Resource  must be in ARN format or \"*\".");
  EXPECT_EQ(statement("s3:*", "aws:s3:::b"),
            "Partition \"s3\" is not valid for resource \"arn:s3:::b:*\".");
  EXPECT_EQ(managed(R"({"Effect":"Allow","Action":"s3:*"})"),
            "Policy statement must contain resources.");
  EXPECT_EQ(managed(R"({"Effect":"Allow","Action":"s3:*","Resource":"*","Principal":"*"})"),
            "Policy document should not specify a principal.");
  EXPECT_EQ(managed(R"([{"Sid":"a","Effect":"Allow","Action":"s3:*","Resource":"*"},)"
                    R"({"Sid":"a","Effect":"Deny","Action":"s3:*","Resource":"*"}])"),
            "Statement IDs (SID) in a single policy must be unique.");
  EXPECT_EQ(
      managed(R"({"Sid":"a b","Effect":"Allow","Action":"s3:*","Resource":"*"})").substr(0, 44),
      "Statement IDs (SID) must be alpha-numeric. C");
  const auto until = [](const std::string& date) {
    return managed(
        R"({"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"DateLessThan":)"
        R"({"aws:CurrentTime":")" +
        date + "\"}}}");
  };
  EXPECT_EQ(until("2019-11-05T10:00:00Z"), "");
  for (const char* good : {"1572948000", "01T", "2016-12-13t2:00:00.593194+23", "-292275054",
                           "2019-11", "9223372036854775807"})
    EXPECT_EQ(until(good), "") << good;
  for (const char* bad : {"234-13", "2016-12-13t2:00:00.593194+1", "9223372036854775808", "",
                          "2016-12-13t2:00:00.1999999999+10:59"})
    EXPECT_EQ(until(bad), "The policy failed legacy parsing") << bad;
  EXPECT_EQ(until("yesterday"), "The policy failed legacy parsing");
  EXPECT_EQ(fault(check_managed_policy, "{"), syntax);
}

TEST(PolicyDocument, ADeepDocumentIsRefused) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(managed(deep), "Syntax errors in policy.");
  EXPECT_EQ(managed(R"([{"Effect":)" + deep + "}]"), "Syntax errors in policy.");
}

TEST(PolicyDocument, InlinePoliciesMayHaveTheOlderVersion) {
  const std::string old = R"({"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}})";
  EXPECT_EQ(fault(check_identity_policy, old), "");
  EXPECT_EQ(fault(check_managed_policy, old),
            "Policy document must be version 2012-10-17 or greater.");
}

TEST(PolicyDocument, ATrustPolicyNamesWhoMayAssumeTheRole) {
  const auto trust = [](const std::string& statement) {
    return fault(check_trust_policy, R"({"Version":"2008-10-17","Statement":[)" + statement + "]}");
  };
  EXPECT_EQ(trust(R"({"Effect":"Allow","Principal":{"Service":["ec2.amazonaws.com"]},)"
                  R"("Action":["sts:AssumeRole"]})"),
            "");
  EXPECT_EQ(trust(R"({"Effect":"Deny","NotPrincipal":{"AWS":"*"},"Action":"sts:AssumeRole"})"),
            "Has prohibited field NotPrincipal.");
  EXPECT_EQ(trust(R"({"Effect":"Allow","Action":"sts:AssumeRole"})"),
            "Missing required field Principal");
  EXPECT_EQ(trust(R"({"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole",)"
                  R"("Resource":"*"})"),
            "Has prohibited field Resource.");
  for (const char* good : {"*", "sts:*", "sts:Assume*", "sts:TagSession", "STS:assumerole"})
    EXPECT_EQ(trust(R"({"Effect":"Allow","Principal":"*","Action":")" + std::string(good) + "\"}"),
              "")
        << good;
  for (const char* bad : {"s3:*", "sts:AssumeRoles", "sts:GetCallerIdentity"})
    EXPECT_EQ(trust(R"({"Effect":"Allow","Principal":"*","Action":")" + std::string(bad) + "\"}"),
              "AssumeRole policy may only specify STS AssumeRole actions.")
        << bad;
}

}  // namespace
}  // namespace sim::iam
