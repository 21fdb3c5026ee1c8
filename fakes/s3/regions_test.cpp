// Buckets of several regions behind one endpoint, as in `spotsim serve --profile instant`. The
// region of a request is the one in its signature.
#include "fakes/s3/s3_for_test.h"

namespace fakes {
namespace {

struct S3Regions : testing::Test {
  // Sends the request as a client of `region`.
  Answer ask(const std::string& region, TestS3::Asked asked) {
    if (!region.empty())
      asked.headers.emplace_back("Authorization",
                                 "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/" + region +
                                     "/s3/aws4_request, SignedHeaders=host, Signature=00");
    else
      asked.headers.emplace_back("Authorization", "");
    Answer answer;
    Reply reply = anyone(TestS3::request(asked));
    answer.response = std::move(reply.response);
    if (reply.body && asked.method != "HEAD") {
      answer.response.body().resize(reply.body->size);
      EXPECT_TRUE(reply.body->read(0, answer.response.body()));
    }
    answer.xml.load_string(answer.body().c_str());
    return answer;
  }
  Answer make(const std::string& region, const std::string& bucket,
              const std::string& constraint = "") {
    const std::string body = "<CreateBucketConfiguration><LocationConstraint>" + constraint +
                             "</LocationConstraint></CreateBucketConfiguration>";
    return ask(region, {"PUT", "/" + bucket, constraint.empty() ? "" : body});
  }

  TestS3 t;  // us-west-2
  Handler anyone = aws(t.backend, "operator", Access::kAnyone);
};

TEST_F(S3Regions, ABucketIsMadeWhereTheEndpointMayMakeIt) {
  EXPECT_EQ(make("eu-west-1", "ireland", "eu-west-1").status(), 200);
  EXPECT_EQ(make("us-east-1", "virginia").status(), 200);
  EXPECT_EQ(make("us-east-1", "frankfurt", "eu-central-1").status(), 200);
  EXPECT_EQ(make("us-east-1", "old", "EU").status(), 200);
  const Answer none = make("eu-west-1", "none");
  EXPECT_EQ(none.at("Code"), "IllegalLocationConstraintException");
  EXPECT_EQ(none.at("Message"),
            "The unspecified location constraint is incompatible for the region specific endpoint "
            "this request was sent to.");
  EXPECT_EQ(make("eu-west-1", "none", "us-west-2").at("Message"),
            "The us-west-2 location constraint is incompatible for the region specific endpoint "
            "this request was sent to.");
  for (const char* constraint : {"us-east-1", "mars"})
    EXPECT_EQ(make("us-east-1", "none", constraint).at("Code"), "InvalidLocationConstraint")
        << constraint;
  EXPECT_EQ(make("us-east-1", "virginia").status(), 200) << "as long ago";
  EXPECT_EQ(make("eu-west-1", "ireland", "eu-west-1").at("Code"), "BucketAlreadyOwnedByYou");
  EXPECT_EQ(make("us-east-1", "ireland").at("Code"), "BucketAlreadyOwnedByYou");
}

TEST_F(S3Regions, ABucketReportsItsRegion) {
  make("us-east-1", "frankfurt", "eu-central-1");
  make("us-east-1", "virginia");
  const auto location = [&](const std::string& region, const std::string& bucket) {
    const Answer answer = ask(region, {"GET", "/" + bucket + "?location"});
    return std::string(answer.xml.document_element().text().get());
  };
  EXPECT_EQ(location("us-east-1", "frankfurt"), "eu-central-1");
  EXPECT_EQ(location("eu-central-1", "frankfurt"), "eu-central-1");
  EXPECT_EQ(location("us-east-1", "virginia"), "");
  EXPECT_EQ(ask("eu-central-1", {"HEAD", "/frankfurt"}).response["x-amz-bucket-region"],
            "eu-central-1");
  const Answer all = ask("eu-central-1", {"GET", "/?bucket-region=eu-central-1"});
  EXPECT_EQ(all.all("Buckets/Bucket/Name"), std::vector<std::string>{"frankfurt"});
  EXPECT_EQ(all.at("Buckets/Bucket/BucketRegion"), "eu-central-1");
}

// SDKs use these elements and this header to repeat the request in the right region.
TEST_F(S3Regions, AnotherRegionsEndpointRedirects) {
  make("eu-west-1", "ireland", "eu-west-1");
  ask("eu-west-1", {"PUT", "/ireland/key", "bytes"});
  const Answer redirected = ask("us-east-1", {"GET", "/ireland/key"});
  EXPECT_EQ(redirected.status(), 301);
  EXPECT_EQ(redirected.at("Code"), "PermanentRedirect");
  EXPECT_EQ(redirected.at("Bucket"), "ireland");
  EXPECT_EQ(redirected.at("Endpoint"), "ireland.s3-eu-west-1.amazonaws.com");
  EXPECT_EQ(redirected.response["x-amz-bucket-region"], "eu-west-1");
  const Answer head = ask("us-east-1", {"HEAD", "/ireland"});
  EXPECT_EQ(head.status(), 301);
  EXPECT_EQ(head.response["x-amz-bucket-region"], "eu-west-1");
  EXPECT_EQ(ask("us-east-1", {"PUT", "/ireland/key", "other"}).status(), 301);
  EXPECT_EQ(ask("eu-central-1", {"GET", "/ireland?location"}).status(), 301);
  EXPECT_EQ(ask("eu-west-1", {"GET", "/ireland/key"}).body(), "bytes");
  EXPECT_EQ(ask("", {"GET", "/ireland/key"}).body(), "bytes") << "a client that names no region";
  make("us-east-1", "virginia");
  EXPECT_EQ(ask("eu-west-1", {"GET", "/virginia"}).at("Endpoint"), "virginia.s3.amazonaws.com");
}

TEST_F(S3Regions, AWorldOfOneRegionHasNoOther) {
  EXPECT_EQ(t.s3({"PUT", "/here", TestS3::kHere}).status(), 200);
  EXPECT_EQ(t.s3({"HEAD", "/here"}).response["x-amz-bucket-region"], "us-west-2");
  EXPECT_EQ(t.code({"PUT", "/elsewhere",
                    "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint>"
                    "</CreateBucketConfiguration>"}),
            "IllegalLocationConstraintException");
}

}  // namespace
}  // namespace fakes
