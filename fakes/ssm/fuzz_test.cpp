// What clients can make of Systems Manager: its requests, damaged.
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

const std::pair<const char*, const char*> kSsmSeeds[] = {
    {"GetParameter",
     R"({"Name":"/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2:1"})"},
    {"GetParameter", R"({"Name":"arn:aws:ssm:us-west-2::parameter/aws/service/ami-amazon-linux-)"
                     R"(latest/amzn2-ami-hvm-x86_64-gp2","WithDecryption":true})"},
    {"GetParameters", R"({"Names":["/none","/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-)"
                      R"(x86_64-gp2:2"]})"},
    {"PutParameter",
     R"({"Name":"p","Value":"v","Type":"String","Tier":"Advanced","Overwrite":true,)"
     R"("Policies":"[{\"Type\":\"NoChangeNotification\",\"Version\":\"1.0\",)"
     R"(\"Attributes\":{\"After\":\"1\",\"Unit\":\"Days\"}}]"})"},
    {"PutParameter", R"({"Name":"q","Value":"v","Type":"String","Tier":"Intelligent-Tiering",)"
                     R"("Policies":"[{\"Type\":\"Expiration\",\"Version\":\"1.0\",)"
                     R"(\"Attributes\":{\"Timestamp\":\"2019-11-06T10:00:00Z\"}}]"})"},
    {"PutParameter",
     R"({"Name":"p","Value":"v","Type":"String","Tier":"Advanced","Overwrite":true,)"
     R"("Policies":"[{\"Type\":\"NoChangeNotification\",\"Version\":\"1.0\",)"
     R"(\"Attributes\":{\"After\":\"100000\",\"Unit\":\"Days\"}}]"})"},
    {"PutParameter",
     R"({"Name":"p","Value":"v","Type":"String","Tier":"Advanced","Overwrite":true,)"
     R"("Policies":"[{\"Type\":\"ExpirationNotification\",\"Version\":\"1.0\",)"
     R"(\"Attributes\":{\"Before\":\"100000\",\"Unit\":\"Days\"}},{\"Type\":\"Expiration\",)"
     R"(\"Version\":\"1.0\",\"Attributes\":{\"Timestamp\":\"1678-01-01T00:00:00Z\"}}]"})"},
    {"PutParameter", R"({"Name":"p","Value":"v","Type":"String"})"},
    {"DeleteParameter", R"({"Name":"p"})"},
    {"GetParametersByPath", R"({"Path":"/aws/service","Recursive":true,"MaxResults":2})"},
    {"GetParametersByPath",
     R"({"Path":"/aws/service/","Recursive":true,"NextToken":"L2F3cy9zZXJ2aWNl"})"}};

TEST(SsmFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "ssm",
             .target = "AmazonSSM.",
             .seeds = kSsmSeeds,
             .prepare = [](TestJson&) {},
             .pause = 24h});
}

}  // namespace
}  // namespace fakes
