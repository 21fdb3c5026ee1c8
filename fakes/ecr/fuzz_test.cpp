// Damaged requests of ECR's clients.
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

const std::pair<const char*, const char*> kEcrSeeds[] = {
    {"CreateRepository",
     R"({"registryId":"123456789012","repositoryName":"ml/train","imageTagMutability":"IMMUTABLE",)"
     R"("imageScanningConfiguration":{"scanOnPush":true},"encryptionConfiguration":)"
     R"({"encryptionType":"KMS","kmsKey":"alias/own"}})"},
    {"CreateRepository", R"({"repositoryName":"b-c_d.e","tags":[{"Key":"a","Value":"b"}]})"},
    {"DescribeRepositories", R"({"maxResults":1})"},
    {"DescribeRepositories", R"({"repositoryNames":["a"],"registryId":"123456789012"})"},
    {"DeleteRepository", R"({"repositoryName":"a","force":true})"},
    {"DeleteRepository", R"({"repositoryName":"ml/train"})"},
    {"GetAuthorizationToken", R"({"registryIds":["123456789012","111122223333"]})"}};

TEST(EcrFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "ecr",
             .target = "AmazonEC2ContainerRegistry_V20150921.",
             .seeds = kEcrSeeds,
             .prepare =
                 [](TestJson& t) {
                   t.ask(TestJson::request("ecr",
                                           "AmazonEC2ContainerRegistry_V20150921.CreateRepository",
                                           R"({"repositoryName":"a"})"));
                 },
             .pause = 10min});
}

}  // namespace
}  // namespace fakes
