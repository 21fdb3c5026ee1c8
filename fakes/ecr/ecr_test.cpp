// ECR's requests and answers, as they are on the wire.
#include "base/text/base64.h"
#include "fakes/json_for_test.h"

namespace fakes {
namespace {

using nlohmann::json;

struct Ecr : testing::Test {
  TestJson::JsonAnswer ask(const std::string& action, const json& body) const {
    return t.ask(
        TestJson::request("ecr", "AmazonEC2ContainerRegistry_V20150921." + action, body.dump()));
  }
  TestJson t;
};

// What published build scripts do: look, create, log in.
TEST_F(Ecr, ARepositoryIsMadeOnceAndFoundByItsName) {
  EXPECT_EQ(ask("DescribeRepositories", {{"repositoryNames", {"team/train"}}}).error(),
            "RepositoryNotFoundException: The repository with name 'team/train' does not exist in "
            "the registry with id '123456789012'");
  const json made =
      ask("CreateRepository", {{"repositoryName", "team/train"}}).body.at("repository");
  EXPECT_EQ(made.at("repositoryUri"), "123456789012.dkr.ecr.us-west-2.amazonaws.com/team/train");
  EXPECT_EQ(made.at("repositoryArn"), "arn:aws:ecr:us-west-2:123456789012:repository/team/train");
  EXPECT_EQ(made.at("createdAt"), 1572948000);
  EXPECT_EQ(
      ask("DescribeRepositories", {{"repositoryNames", {"team/train"}}}).body.at("repositories"),
      json::array({made}));
  EXPECT_EQ(ask("CreateRepository", {{"repositoryName", "team/train"}}).error(),
            "RepositoryAlreadyExistsException: The repository with name 'team/train' already "
            "exists in the registry with id '123456789012'");
  EXPECT_EQ(ask("DeleteRepository", {{"repositoryName", "team/train"}}).body.at("repository"),
            made);
  EXPECT_EQ(ask("DescribeRepositories", json::object()).body.at("repositories"), json::array());
}

TEST_F(Ecr, UnknownParametersAreRefused) {
  EXPECT_EQ(
      ask("DescribeRepositories", {{"repositoryName", "team/train"}}).error(),
      "InvalidParameterException: Unknown parameter in input: \"repositoryName\", must be one "
      "of: registryId, repositoryNames, nextToken, maxResults");
}

TEST_F(Ecr, AListComesInPages) {
  for (const char* name : {"cc", "aa", "bb"}) ask("CreateRepository", {{"repositoryName", name}});
  std::string all;
  json page = {{"nextToken", nullptr}};
  while (page.contains("nextToken")) {
    page =
        ask("DescribeRepositories", {{"maxResults", 2}, {"nextToken", page.at("nextToken")}}).body;
    for (const auto& one : page.at("repositories"))
      all += one.at("repositoryName").get<std::string>() + " ";
    all += "| ";
  }
  EXPECT_EQ(all, "aa bb | cc | ");
}

TEST_F(Ecr, AnAuthorizationTokenIsForTwelveHours) {
  const json data = ask("GetAuthorizationToken", json::object()).body.at("authorizationData")[0];
  EXPECT_EQ(data.at("proxyEndpoint"), "https://123456789012.dkr.ecr.us-west-2.amazonaws.com");
  EXPECT_EQ(data.at("expiresAt"), 1572948000 + 12 * 3600);
  const auto token = base::base64_decode(data.at("authorizationToken").get<std::string>());
  ASSERT_TRUE(token);
  EXPECT_EQ(token->substr(0, 4), "AWS:");
  EXPECT_GT(token->size(), 100u);
}

TEST_F(Ecr, NamesAreAsTheServiceHasThem) {
  for (const char* name : {"ab", "a-b", "a1/b.c/d_e", "sagemaker-training"})
    EXPECT_EQ(ask("CreateRepository", {{"repositoryName", name}}).status, 200) << name;
  for (const char* name : {"Ab", "a--b", "-ab", "ab-", "/ab", "ab/", "a b"})
    EXPECT_EQ(ask("CreateRepository", {{"repositoryName", name}}).error().substr(0, 65),
              "InvalidParameterException: Invalid parameter at 'repositoryName' ")
        << name;
  EXPECT_EQ(ask("CreateRepository", {{"repositoryName", "a"}}).error(),
            "InvalidParameterException: 1 validation error detected: Value 'a' at 'repositoryName' "
            "failed to satisfy constraint: Member must have length greater than or equal to 2");
}

}  // namespace
}  // namespace fakes
