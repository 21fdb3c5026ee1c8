// Damaged requests of STS's clients.
#include "fakes/form_fuzz_for_test.h"

namespace fakes {
namespace {

const char* const kStsSeeds[] = {
    "GetCallerIdentity",
    "AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fa&RoleSessionName=s&"
    "DurationSeconds=900&ExternalId=x",
    "AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fa&RoleSessionName=s&"
    "Policy=%7B%22Version%22%3A%222012-10-17%22%2C%22Statement%22%3A%7B%22Effect%22%3A%22Allow%22"
    "%2C%22Action%22%3A%22s3%3A*%22%2C%22Resource%22%3A%22*%22%7D%7D&PolicyArns.member.1.arn="
    "arn%3Aaws%3Aiam%3A%3Aaws%3Apolicy%2FAmazonS3FullAccess",
    "GetFederationToken&Name=ann&DurationSeconds=3600",
    "GetSessionToken&DurationSeconds=900",
    "DecodeAuthorizationMessage&EncodedMessage=eyJhIjoxfQ"};

TEST(StsFuzz, AnswersAnyFormWithWhatTheServiceHas) {
  fuzz_forms({.service = "sts",
              .version = "2011-06-15",
              .seeds = kStsSeeds,
              .prepare = [](TestBackend& t) { t.backend.iam->begin_with({"a"}); },
              .pause = 10min});
}

}  // namespace
}  // namespace fakes
