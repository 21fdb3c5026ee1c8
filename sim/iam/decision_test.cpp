#include "sim/iam/decision.h"

#include <gtest/gtest.h>

#include <map>

#include "sim/cloud/error.h"

namespace sim::iam {
namespace {

using Reason = Decision::Reason;

constexpr const char* kVolume = "arn:aws:ec2:us-west-2:123456789012:volume/vol-1";
const Caller kUser{.kind = Caller::Kind::kUser,
                   .name = "ann",
                   .arn = "arn:aws:iam::123456789012:user/ann",
                   .account = "123456789012"};
const Caller kTrainer{.kind = Caller::Kind::kRole,
                      .name = "train",
                      .session = "i-1",
                      .arn = "arn:aws:sts::123456789012:assumed-role/train/i-1",
                      .account = "123456789012"};

NamedPolicy policy(const std::string& statements, const std::string& name = "p") {
  const std::string text = R"({"Version":"2012-10-17","Statement":[)" + statements + "]}";
  return {name, "user", std::make_shared<const CompiledPolicy>(compile_policy(text))};
}

std::optional<Values> context(std::string_view key) {
  static const std::map<std::string, Values, std::less<>> keys{
      {"aws:requestedregion", {"us-west-2"}},
      {"aws:username", {"ann"}},
      {"ec2:resourcetag/owner", {"ann"}},
      {"aws:tagkeys", {"job", "step"}}};
  const auto found = keys.find(key);
  return found == keys.end() ? std::nullopt : std::optional(found->second);
}

Reason decided(const PolicySet& set, const char* action = "ec2:AttachVolume",
               const char* resource = kVolume) {
  const ContextKeys keys = context;
  return decide(set, {action, resource, keys}, kUser).reason;
}

const std::string kAllowAll = R"({"Effect":"Allow","Action":"*","Resource":"*"})";
const std::string kDenyAttach = R"({"Effect":"Deny","Action":"ec2:Attach*","Resource":"*"})";

// IAM User Guide, "Policy evaluation logic".
TEST(Decision, AnExplicitDenyWinsAndWithoutAnAllowTheActionIsDenied) {
  EXPECT_EQ(decided({}), Reason::kImplicit);
  EXPECT_EQ(decided({.identity = {policy(kAllowAll)}}), Reason::kAllowed);
  EXPECT_EQ(decided({.identity = {policy(kAllowAll), policy(kDenyAttach)}}), Reason::kExplicit);
  EXPECT_EQ(decided({.identity = {policy(kDenyAttach + "," + kAllowAll)}}), Reason::kExplicit);
  EXPECT_EQ(decided({.all_allowed = true}), Reason::kAllowed);
}

TEST(Decision, BoundariesAndSessionPoliciesOnlyLimit) {
  const NamedPolicy all = policy(kAllowAll),
                    s3 = policy(R"({"Effect":"Allow","Action":"s3:*","Resource":"*"})");
  EXPECT_EQ(decided({.boundary = {all}}), Reason::kImplicit);
  EXPECT_EQ(decided({.identity = {all}, .boundary = {s3}}), Reason::kBoundary);
  EXPECT_EQ(decided({.identity = {all}, .boundary = {all}}), Reason::kAllowed);
  EXPECT_EQ(decided({.identity = {all}, .session = {s3}}), Reason::kSession);
  EXPECT_EQ(decided({.identity = {all}, .boundary = {policy(kDenyAttach), all}}),
            Reason::kExplicit);
}

struct StatementCase {
  const char* statement;
  const char* action;
  const char* resource;
  bool allowed;
};

TEST(Decision, StatementsMatchByActionResourceAndCondition) {
  const StatementCase cases[] = {
      {R"({"Effect":"Allow","Action":"EC2:attachvolume","Resource":"*"})", "ec2:AttachVolume",
       kVolume, true},
      {R"({"Effect":"Allow","Action":["s3:Get*","ec2:*Volume"],"Resource":"*"})",
       "ec2:AttachVolume", kVolume, true},
      {R"({"Effect":"Allow","Action":"ec2:Attach?","Resource":"*"})", "ec2:AttachVolume", kVolume,
       false},
      {R"({"Effect":"Allow","NotAction":"iam:*","Resource":"*"})", "ec2:AttachVolume", kVolume,
       true},
      {R"({"Effect":"Allow","NotAction":"ec2:*","Resource":"*"})", "ec2:AttachVolume", kVolume,
       false},
      {R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:ec2:*:*:volume/*"})",
       "ec2:AttachVolume", kVolume, true},
      {R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:ec2:*:*:instance/*"})",
       "ec2:AttachVolume", kVolume, false},
      {R"({"Effect":"Allow","Action":"*","NotResource":"arn:aws:ec2:*:*:instance/*"})",
       "ec2:AttachVolume", kVolume, true},
      {R"({"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::b/home/${aws:username}/*"})",
       "s3:GetObject", "arn:aws:s3:::b/home/ann/x", true},
      {R"({"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::b/home/${aws:username}/*"})",
       "s3:GetObject", "arn:aws:s3:::b/home/bob/x", false},
      {R"({"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::b/home/${aws:userid}/*"})",
       "s3:GetObject", "arn:aws:s3:::b/home/ann/x", false},
      {R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":)"
       R"({"aws:RequestedRegion":["us-east-1","us-west-2"],"EC2:ResourceTag/owner":"ann"}}})",
       "ec2:AttachVolume", kVolume, true},
      {R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":)"
       R"({"aws:RequestedRegion":"us-west-2","ec2:ResourceTag/owner":"bob"}}})",
       "ec2:AttachVolume", kVolume, false},
      {R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":{"ForAllValues:StringEquals":)"
       R"({"aws:TagKeys":["job","step"]},"Null":{"aws:TagKeys":"false"}}})",
       "ec2:CreateTags", kVolume, true},
      {R"({"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Bool":)"
       R"({"aws:MultiFactorAuthPresent":true}}})",
       "ec2:AttachVolume", kVolume, false},
  };
  for (const StatementCase& c : cases)
    EXPECT_EQ(
        decided({.identity = {policy(c.statement)}}, c.action, c.resource) == Reason::kAllowed,
        c.allowed)
        << c.statement;
}

TEST(Decision, PoliciesWithoutVersionHaveNoVariables) {
  const std::string text = R"({"Statement":{"Effect":"Allow","Action":"s3:*",)"
                           R"("Resource":"arn:aws:s3:::${aws:username}"}})";
  const NamedPolicy old{"p", "user", std::make_shared<const CompiledPolicy>(compile_policy(text))};
  EXPECT_EQ(decided({.identity = {old}}, "s3:ListBucket", "arn:aws:s3:::ann"), Reason::kImplicit);
  EXPECT_EQ(decided({.identity = {old}}, "s3:ListBucket", "arn:aws:s3:::${aws:username}"),
            Reason::kAllowed);
}

struct TrustCase {
  const char* principal;
  const Caller* caller;
  bool has_own_policy, allowed;
};

// IAM User Guide, "AWS JSON policy elements: Principal".
TEST(Decision, TrustPoliciesNameWhoMayAssumeARole) {
  const TrustCase cases[] = {
      {R"({"AWS":"arn:aws:iam::123456789012:user/ann"})", &kUser, false, true},
      {R"({"AWS":"arn:aws:iam::123456789012:user/bob"})", &kUser, true, false},
      {R"({"AWS":"arn:aws:iam::123456789012:root"})", &kUser, false, false},
      {R"({"AWS":"arn:aws:iam::123456789012:root"})", &kUser, true, true},
      {R"({"AWS":["210987654321","123456789012"]})", &kUser, true, true},
      {R"({"AWS":"arn:aws:iam::123456789012:role/train"})", &kTrainer, false, true},
      {R"({"AWS":"arn:aws:sts::123456789012:assumed-role/train/i-1"})", &kTrainer, false, true},
      {R"({"AWS":"arn:aws:iam::123456789012:role/other"})", &kTrainer, true, false},
      {R"({"Service":"ec2.amazonaws.com"})", &kUser, true, false},
      {R"("*")", &kUser, false, true},
  };
  const ContextKeys keys = context;
  for (const TrustCase& c : cases) {
    const CompiledPolicy trust =
        compile_policy(R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":)" +
                       std::string(c.principal) + R"(,"Action":"sts:AssumeRole"}]})");
    const PolicySet own{.identity = c.has_own_policy ? std::vector{policy(kAllowAll)}
                                                     : std::vector<NamedPolicy>{}};
    const Query query{"sts:AssumeRole", "arn:aws:iam::123456789012:role/r", keys};
    EXPECT_EQ(decide_trust(trust, own, query, *c.caller).allowed(), c.allowed) << c.principal;
  }
}

TEST(Decision, AResourcesPolicyAllowsAndDeniesToo) {
  const auto of_bucket = [](const char* effect) {
    return compile_policy(
        std::string(R"({"Statement":[{"Principal":"*","Action":"s3:GetObject",)") +
        R"("Resource":"arn:aws:s3:::b/*","Effect":")" + effect + R"("}]})");
  };
  const CompiledPolicy allows = of_bucket("Allow"), denies = of_bucket("Deny");
  const ContextKeys keys = context;
  const Query query{"s3:GetObject", "arn:aws:s3:::b/k", keys};
  EXPECT_TRUE(decide({}, query, kUser, &allows).allowed());
  EXPECT_EQ(decide({.identity = {policy(kAllowAll)}}, query, kUser, &denies).reason,
            Reason::kExplicit);
  EXPECT_EQ(decide({.all_allowed = true}, query, kUser, &denies).reason, Reason::kExplicit);
}

TEST(Decision, AnInvalidPolicyIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", R"({"Statement":[{}]})", R"({"Statement":["a"]})",
                           R"({"Statement":[{"Effect":"Allow","Action":{}}]})",
                           R"({"Statement":[{"Effect":"Allow","Principal":1}]})",
                           R"({"Statement":[{"Effect":"Allow","Condition":{"Sting":{"a":"b"}}}]})"})
    EXPECT_THROW(compile_policy(text), cloud::ApiError) << text;
}

}  // namespace
}  // namespace sim::iam
