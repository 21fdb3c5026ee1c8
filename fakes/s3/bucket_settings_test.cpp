// The settings of a bucket, and S3's errors for settings that a bucket does not have.
#include "fakes/s3/s3_for_test.h"

namespace fakes {
namespace {

struct S3Settings : testing::Test {
  void SetUp() override { ASSERT_EQ(t.s3({"PUT", "/data", TestS3::kHere}).status(), 200); }
  TestS3 t;
};

TEST_F(S3Settings, OfANewBucketAreNoneOrAwsDefaults) {
  for (const auto& [resource, code] : std::vector<std::pair<std::string, std::string>>{
           {"policy", "NoSuchBucketPolicy"},
           {"cors", "NoSuchCORSConfiguration"},
           {"website", "NoSuchWebsiteConfiguration"},
           {"lifecycle", "NoSuchLifecycleConfiguration"},
           {"tagging", "NoSuchTagSet"},
           {"replication", "ReplicationConfigurationNotFoundError"},
           {"object-lock", "ObjectLockConfigurationNotFoundError"}}) {
    const Answer answer = t.s3({"GET", "/data?" + resource});
    EXPECT_EQ(answer.status(), 404) << resource;
    EXPECT_EQ(answer.at("Code"), code) << resource;
    EXPECT_EQ(answer.at("BucketName"), "data") << resource;
    EXPECT_EQ(t.code({"GET", "/none?" + resource}), "NoSuchBucket") << resource;
  }
  EXPECT_EQ(
      t.s3({"GET", "/data?encryption"}).at("Rule/ApplyServerSideEncryptionByDefault/SSEAlgorithm"),
      "AES256");
  EXPECT_EQ(t.s3({"GET", "/data?publicAccessBlock"}).at("BlockPublicAcls"), "true");
  EXPECT_EQ(t.s3({"GET", "/data?ownershipControls"}).at("Rule/ObjectOwnership"),
            "BucketOwnerEnforced");
  EXPECT_EQ(t.s3({"GET", "/data?requestPayment"}).at("Payer"), "BucketOwner");
  for (const char* empty : {"notification", "logging", "accelerate"})
    EXPECT_EQ(t.s3({"GET", "/data?" + std::string(empty)}).status(), 200) << empty;
}

TEST_F(S3Settings, AreKeptAndTakenAway) {
  struct Case {
    std::string resource, body, at, text, missing;
  };
  for (const auto& [resource, body, at, text, missing] : std::vector<Case>{
           {"cors",
            "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod>"
            "<AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>",
            "CORSRule/AllowedMethod", "GET", "NoSuchCORSConfiguration"},
           {"website",
            "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument>"
            "</WebsiteConfiguration>",
            "IndexDocument/Suffix", "index.html", "NoSuchWebsiteConfiguration"},
           {"publicAccessBlock",
            "<PublicAccessBlockConfiguration><BlockPublicAcls>false</BlockPublicAcls>"
            "</PublicAccessBlockConfiguration>",
            "BlockPublicAcls", "false", "NoSuchPublicAccessBlockConfiguration"},
           {"ownershipControls",
            "<OwnershipControls><Rule><ObjectOwnership>BucketOwnerPreferred</ObjectOwnership>"
            "</Rule></OwnershipControls>",
            "Rule/ObjectOwnership", "BucketOwnerPreferred", "OwnershipControlsNotFoundError"}}) {
    const std::string target = "/data?" + resource;
    EXPECT_EQ(t.s3({"PUT", target, body}).status(), 200) << resource;
    EXPECT_EQ(t.s3({"GET", target}).at(at), text) << t.s3({"GET", target}).body();
    EXPECT_EQ(t.s3({"DELETE", target}).status(), 204) << resource;
    EXPECT_EQ(t.code({"GET", target}), missing);
  }
}

TEST_F(S3Settings, APolicyIsTheTextThatWasGiven) {
  const std::string policy = R"({"Version": "2012-10-17", "Statement": []})";
  EXPECT_EQ(t.s3({"PUT", "/data?policy", policy}).status(), 204);
  EXPECT_EQ(t.s3({"GET", "/data?policy"}).body(), policy);
  EXPECT_EQ(t.code({"PUT", "/data?policy", "<xml/>"}), "MalformedPolicy");
  EXPECT_EQ(t.s3({"DELETE", "/data?policy"}).status(), 204);
  EXPECT_EQ(t.code({"GET", "/data?policy"}), "NoSuchBucketPolicy");
}

TEST_F(S3Settings, APolicyNamesPrincipalsThatExist) {
  const auto put = [&](const std::string& principal) {
    return t.code({"PUT", "/data?policy",
                   R"({"Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":)"
                   R"("arn:aws:s3:::data/*","Principal":)" +
                       principal + "}}"});
  };
  EXPECT_EQ(put(R"("*")"), "");
  EXPECT_EQ(put(R"({"AWS":"arn:aws:iam::111122223333:user/ann"})"), "");
  EXPECT_EQ(put(R"({"AWS":"arn:aws:iam::123456789012:user/ann"})"), "MalformedPolicy");
}

TEST_F(S3Settings, GoWithTheirBucket) {
  t.s3({"PUT", "/data?policy", "{}"});
  EXPECT_EQ(t.s3({"DELETE", "/data"}).status(), 204);
  EXPECT_EQ(t.s3({"PUT", "/data", TestS3::kHere}).status(), 200);
  EXPECT_EQ(t.code({"GET", "/data?policy"}), "NoSuchBucketPolicy");
}

TEST_F(S3Settings, TheDefaultEncryptionComesBack) {
  const std::string kms =
      "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>"
      "<SSEAlgorithm>aws:kms</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>"
      "</ServerSideEncryptionConfiguration>";
  const std::string algorithm = "Rule/ApplyServerSideEncryptionByDefault/SSEAlgorithm";
  EXPECT_EQ(t.s3({"PUT", "/data?encryption", kms}).status(), 200);
  EXPECT_EQ(t.s3({"GET", "/data?encryption"}).at(algorithm), "aws:kms");
  EXPECT_EQ(t.s3({"DELETE", "/data?encryption"}).status(), 204);
  EXPECT_EQ(t.s3({"GET", "/data?encryption"}).at(algorithm), "AES256");
}

}  // namespace
}  // namespace fakes
