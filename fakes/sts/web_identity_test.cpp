// AssumeRoleWithWebIdentity with tokens of an OpenID Connect provider.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text/base64.h"
#include "fakes/authorisation/signing_for_test.h"

namespace fakes::sts {
namespace {

using authorisation::allow;
using authorisation::kAdministrator;
using authorisation::Keys;
using authorisation::TestIam;
using nlohmann::json;

const std::string kHost = "token.actions.githubusercontent.com";
const std::string kProvider = "arn:aws:iam::123456789012:oidc-provider/" + kHost;
const std::string kRole = "arn:aws:iam::123456789012:role/ci";

std::string part(const json& value) {
  std::string text = base::base64_encode(value.dump());
  std::erase(text, '=');
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

json claims(const json& more = json::object()) {
  json all{{"iss", "https://" + kHost},
           {"aud", "sts.amazonaws.com"},
           {"sub", "repo:me/code:ref:refs/heads/main"},
           {"exp", 1572952200}};  // 11:10, and kStart is 10:00
  all.update(more);
  return all;
}
std::string token(const json& payload) {
  return part({{"alg", "RS256"}, {"typ", "JWT"}}) + "." + part(payload) + ".c2lnbmF0dXJl";
}

struct WebIdentity : testing::Test {
  WebIdentity() {
    EXPECT_EQ(t.call(kAdministrator, "iam", "CreateOpenIDConnectProvider",
                     {{"Url", "https://" + kHost},
                      {"ClientIDList.member.1", "sts.amazonaws.com"},
                      {"ThumbprintList.member.1", "6938fd4d98bab03faadb97b34396831e3780aea1"}})
                  .at("CreateOpenIDConnectProviderResult/OpenIDConnectProviderArn"),
              kProvider);
    create_role("ci", R"({"StringEquals":{")" + kHost + R"(:aud":"sts.amazonaws.com"},)" +
                          R"("StringLike":{")" + kHost + R"(:sub":"repo:me/code:*"}})");
  }
  void create_role(const std::string& name, const std::string& condition,
                   const std::string& provider = kProvider) {
    EXPECT_EQ(t.code(kAdministrator, "iam", "CreateRole",
                     {{"RoleName", name},
                      {"AssumeRolePolicyDocument",
                       R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":)"
                       R"({"Federated":")" +
                           provider + R"("},"Action":"sts:AssumeRoleWithWebIdentity",)" +
                           R"("Condition":)" + condition + "}}"}}),
              "");
  }
  // Sends the request without a signature.
  Answer assume(const std::string& token, const std::string& role = kRole,
                const std::string& more = "") const {
    return t.send(TestBackend::post(
        "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=" + url_encode(role) +
            "&RoleSessionName=build&" + "WebIdentityToken=" + url_encode(token) + more,
        nullptr));
  }
  std::string code(const json& payload, const std::string& role = kRole) const {
    return assume(token(payload), role).at("Error/Code");
  }
  TestIam t;
};

TEST_F(WebIdentity, GivesTheRolesCredentials) {
  const std::string result = "AssumeRoleWithWebIdentityResult/";
  const Answer made = assume(token(claims()));
  ASSERT_EQ(made.status(), 200) << made.body();
  EXPECT_EQ(made.at(result + "AssumedRoleUser/Arn"),
            "arn:aws:sts::123456789012:assumed-role/ci/build");
  EXPECT_EQ(made.at(result + "SubjectFromWebIdentityToken"), "repo:me/code:ref:refs/heads/main");
  EXPECT_EQ(made.at(result + "Audience"), "sts.amazonaws.com");
  EXPECT_EQ(made.at(result + "Provider"), kProvider);
  const Keys keys{made.at(result + "Credentials/AccessKeyId"),
                  made.at(result + "Credentials/SecretAccessKey"),
                  made.at(result + "Credentials/SessionToken")};
  EXPECT_EQ(t.call(keys, "sts", "GetCallerIdentity").at("GetCallerIdentityResult/Arn"),
            "arn:aws:sts::123456789012:assumed-role/ci/build");
  EXPECT_EQ(t.code(keys, "ec2", "DescribeVolumes"), "UnauthorizedOperation");
  t.backend.iam->put_policy(
      sim::iam::Owner::kRole, "ci", "p",
      R"({"Version":"2012-10-17","Statement":)" + allow(R"("ec2:DescribeVolumes")") + "}");
  EXPECT_EQ(t.code(keys, "ec2", "DescribeVolumes"), "");
}

TEST_F(WebIdentity, SaysThatTheSignatureIsNotVerified) {
  assume(token(claims()));
  const auto line = std::ranges::find(t.events, "sts.token", &sim::Event::kind);
  ASSERT_NE(line, t.events.end());
  EXPECT_EQ(line->fields["role_arn"], kRole);
  EXPECT_EQ(line->fields["checked"], "iss aud exp");
}

TEST_F(WebIdentity, ChecksTheToken) {
  EXPECT_EQ(assume("a.b.c").at("Error/Code"), "InvalidIdentityToken");
  EXPECT_EQ(assume("nothing").at("Error/Code"), "InvalidIdentityToken");
  EXPECT_EQ(code(claims({{"iss", "https://other.example"}})), "InvalidIdentityToken");
  EXPECT_EQ(code(claims({{"aud", "others"}})), "InvalidIdentityToken");
  EXPECT_EQ(code(claims({{"aud", json::array()}})), "InvalidIdentityToken");
  EXPECT_EQ(code(claims({{"aud", json::array({"sts.amazonaws.com"})}})), "");
  EXPECT_EQ(code(claims({{"sub", 7}})), "InvalidIdentityToken");
  EXPECT_EQ(code(claims({{"exp", "late"}})), "InvalidIdentityToken");
  EXPECT_EQ(code(claims({{"exp", 1572940000}})), "ExpiredTokenException");
  EXPECT_EQ(code(claims({{"https://aws.amazon.com/tags", json::object()}})),
            "UnsupportedOperation");
  t.run(2h);
  EXPECT_EQ(code(claims()), "ExpiredTokenException");
}

TEST_F(WebIdentity, AsksTheTrustPolicy) {
  EXPECT_EQ(code(claims({{"sub", "repo:you/code:ref:refs/heads/main"}})), "AccessDenied");
  EXPECT_EQ(t.denied(), "sts:AssumeRoleWithWebIdentity trust\n");
  create_role("other", "{}", "arn:aws:iam::123456789012:oidc-provider/other.example");
  EXPECT_EQ(code(claims(), "arn:aws:iam::123456789012:role/other"), "AccessDenied");
  EXPECT_EQ(code(claims(), "arn:aws:iam::123456789012:role/none"), "AccessDenied");
  t.backend.iam->begin_with({"of-ec2"});
  EXPECT_EQ(code(claims(), "arn:aws:iam::123456789012:role/of-ec2"), "AccessDenied");
  create_role("late", R"({"NumericEquals":{"aws:EpochTime":1}})");
  EXPECT_EQ(code(claims(), "arn:aws:iam::123456789012:role/late"), "AccessDenied");
}

TEST_F(WebIdentity, HasAnAuthorizedPartyAsAudience) {
  create_role("party", R"({"StringEquals":{")" + kHost + R"(:aud":"sts.amazonaws.com",")" + kHost +
                           R"(:oaud":"api"}})");
  const json both{{"azp", "sts.amazonaws.com"}, {"aud", "api"}};
  EXPECT_EQ(code(claims(both), "arn:aws:iam::123456789012:role/party"), "");
  EXPECT_EQ(code(claims(), "arn:aws:iam::123456789012:role/party"), "AccessDenied") << "no oaud";
}

TEST_F(WebIdentity, NeedsNoPermissionOfASigner) {
  const Keys ann = t.user("ann", "");
  EXPECT_EQ(t.code(ann, "sts", "AssumeRoleWithWebIdentity",
                   {{"RoleArn", kRole},
                    {"RoleSessionName", "build"},
                    {"WebIdentityToken", token(claims())}}),
            "");
  EXPECT_EQ(
      t.send(TestBackend::post("Action=GetCallerIdentity&Version=2011-06-15", nullptr)).status(),
      403)
      << "others need a signature";
}

TEST_F(WebIdentity, ProvidersAreResourcesOfPolicies) {
  const Keys bob =
      t.user("bob", allow(R"(["iam:GetOpenIDConnectProvider","iam:CreateOpenIDConnectProvider"])",
                          "arn:aws:iam::123456789012:oidc-provider/token*"));
  EXPECT_EQ(
      t.code(bob, "iam", "GetOpenIDConnectProvider", {{"OpenIDConnectProviderArn", kProvider}}),
      "");
  const auto create = [&](const std::string& url, Fields fields = {}) {
    fields.emplace_back("Url", url);
    fields.emplace_back("ThumbprintList.member.1", std::string(40, 'a'));
    return t.code(bob, "iam", "CreateOpenIDConnectProvider", fields);
  };
  EXPECT_EQ(create("https://token.example"), "");
  EXPECT_EQ(create("https://other.example"), "AccessDenied");
  EXPECT_EQ(
      create("https://token2.example", {{"Tags.member.1.Key", "a"}, {"Tags.member.1.Value", "b"}}),
      "AccessDenied")
      << "may not tag";
}

TEST_F(WebIdentity, ProvidersAreListedChangedAndDeleted) {
  const auto iam = [&](const std::string& action, const Fields& fields = {}) {
    return t.call(kAdministrator, "iam", action, fields);
  };
  const Fields arn{{"OpenIDConnectProviderArn", kProvider}};
  const auto with = [&](const std::string& name, const std::string& value) {
    return Fields{arn[0], {name, value}};
  };
  EXPECT_EQ(iam("ListOpenIDConnectProviders")
                .at("ListOpenIDConnectProvidersResult/OpenIDConnectProviderList/member/Arn"),
            kProvider);
  iam("AddClientIDToOpenIDConnectProvider", with("ClientID", "mine"));
  iam("RemoveClientIDFromOpenIDConnectProvider", with("ClientID", "sts.amazonaws.com"));
  const Answer shown = iam("GetOpenIDConnectProvider", arn);
  EXPECT_EQ(shown.at("GetOpenIDConnectProviderResult/Url"), kHost);
  EXPECT_EQ(shown.all("GetOpenIDConnectProviderResult/ClientIDList/member"),
            std::vector<std::string>{"mine"});
  EXPECT_EQ(code(claims()), "InvalidIdentityToken");
  EXPECT_EQ(iam("CreateOpenIDConnectProvider",
                {{"Url", "https://" + kHost}, {"ThumbprintList.member.1", std::string(40, 'a')}})
                .at("Error/Code"),
            "EntityAlreadyExists");
  EXPECT_EQ(iam("CreateOpenIDConnectProvider",
                {{"Url", "http://" + kHost}, {"ThumbprintList.member.1", std::string(40, 'a')}})
                .at("Error/Code"),
            "ValidationError");
  iam("TagOpenIDConnectProvider",
      {arn[0], {"Tags.member.1.Key", "a"}, {"Tags.member.1.Value", "b"}});
  iam("UntagOpenIDConnectProvider", with("TagKeys.member.1", "A"));
  EXPECT_EQ(iam("ListOpenIDConnectProviderTags", arn)
                .at("ListOpenIDConnectProviderTagsResult/IsTruncated"),
            "false");
  EXPECT_EQ(iam("DeleteOpenIDConnectProvider", arn).status(), 200);
  EXPECT_EQ(iam("DeleteOpenIDConnectProvider", arn).status(), 200) << "once more is no error";
  EXPECT_EQ(iam("GetOpenIDConnectProvider", arn).at("Error/Code"), "NoSuchEntity");
}

TEST_F(WebIdentity, AProviderHasUpToFiveThumbprints) {
  const auto code = [&](int thumbprints) {
    Fields fields{{"Url", "https://token.example/" + std::to_string(thumbprints)}};
    for (int i = 1; i <= thumbprints; ++i)
      fields.emplace_back("ThumbprintList.member." + std::to_string(i), std::string(40, 'a'));
    return t.code(kAdministrator, "iam", "CreateOpenIDConnectProvider", fields);
  };
  EXPECT_EQ(code(0), "");
  EXPECT_EQ(code(5), "");
  EXPECT_EQ(code(6), "InvalidInput");
}

}  // namespace
}  // namespace fakes::sts
