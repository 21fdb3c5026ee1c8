// S3 performs or refuses what a request asks for, also if the installed service model does not know
// the parameter.
#include <gtest/gtest.h>

#include "base/text/base64.h"
#include "fakes/s3/s3_for_test.h"
#include "sim/objects/digest.h"

namespace fakes {
namespace {

using sim::objects::Algorithm;
using sim::objects::digest_of;

class S3Refusals : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(t.s3({"PUT", "/data", here}).status(), 200);
    etag = std::string(t.s3({"PUT", "/data/key", "bytes"}).response["ETag"]);
  }
  std::string code(const char* method, const std::string& target, const Fields& headers = {},
                   const std::string& body = {}) {
    return t.code({method, target, body, headers});
  }
  std::string key() { return t.s3({"GET", "/data/key"}).body(); }
  const std::string here = TestS3::kHere;
  TestS3 t;
  std::string etag;
};

TEST_F(S3Refusals, AnUnknownQueryKeyOrHeaderIsRefusedAndNothingChanges) {
  EXPECT_EQ(code("PUT", "/data/key?renameObject", {{"x-amz-rename-source", "/data/a"}}),
            "NotImplemented");
  EXPECT_EQ(code("PUT", "/data/key", {{"x-amz-write-offset-bytes", "5"}}, "more"),
            "NotImplemented");
  EXPECT_EQ(code("PUT", "/data/key", {{"If-Unmodified-Since", "x"}}, "more"), "NotImplemented");
  EXPECT_EQ(code("PUT", "/data/key", {{"Content-Range", "bytes 0-1/2"}}, "mo"), "NotImplemented");
  EXPECT_EQ(code("DELETE", "/data/key", {{"x-amz-if-match-size", "3"}}), "NotImplemented");
  EXPECT_EQ(code("DELETE", "/data/key?versionId=1"), "NotImplemented");
  EXPECT_EQ(code("DELETE", "/data?analytics&id=1"), "NotImplemented");
  EXPECT_EQ(code("POST", "/data/key?select&select-type=2"), "NotImplemented");
  EXPECT_EQ(code("GET", "/data?no-such-key=1"), "NotImplemented");
  EXPECT_EQ(key(), "bytes");
  const Answer refused = t.s3({"PUT", "/data/key", "x", {{"X-Amz-Write-Offset-Bytes", "5"}}});
  EXPECT_EQ(refused.status(), 501);
  EXPECT_NE(refused.at("Message").find("x-amz-write-offset-bytes"), std::string::npos);
}

TEST_F(S3Refusals, WhatSdksAddPasses) {
  EXPECT_EQ(code("GET", "/data/key?x-id=GetObject&x-note=1", {{"x-amz-user-agent", "aws-sdk-js"}}),
            "");
  EXPECT_EQ(code("GET", "/data/key", {{"amz-sdk-invocation-id", "1"}, {"x-amz-date", "x"}}), "");
  EXPECT_EQ(code("GET", "/data/key", {{"x-amz-api-version", "2006-03-01"}}), "") << "C++, pyarrow";
  EXPECT_EQ(code("GET", "/data/key", {{"x-amz-te", "append-md5"}}), "") << "Java";
}

// SDKs move the headers of presigned requests into the query string.
TEST_F(S3Refusals, AHeaderInAPresignedQueryIsAHeader) {
  const std::string signed_ =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20191105%2Fus-west-2%2Fs3%2F"
      "aws4_request&X-Amz-Date=20191105T100000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&"
      "X-Amz-Signature=00";
  const auto put = [&](const std::string& more) {
    return code("PUT", "/data/key?" + signed_ + more, {{"Authorization", ""}}, "bytes");
  };
  EXPECT_EQ(put("&x-amz-checksum-crc32=AAAAAA%3D%3D"), "BadDigest");
  EXPECT_EQ(put("&X-Amz-Meta-Step=7"), "");
  EXPECT_EQ(t.s3({"GET", "/data/key"}).response["x-amz-meta-step"], "7");
  EXPECT_EQ(put("&x-amz-write-offset-bytes=5"), "NotImplemented");
}

TEST_F(S3Refusals, ADeleteKeepsToIfMatch) {
  EXPECT_EQ(t.s3({"DELETE", "/data/key", "", {{"If-Match", "\"other\""}}}).status(), 412);
  EXPECT_EQ(key(), "bytes");
  EXPECT_EQ(code("DELETE", "/data/none", {{"If-Match", "*"}}), "NoSuchKey");
  EXPECT_EQ(t.s3({"DELETE", "/data/key", "", {{"If-Match", etag}}}).status(), 204);
  t.s3({"PUT", "/data/key", "bytes"});
  EXPECT_EQ(t.s3({"DELETE", "/data/key", "", {{"If-Match", "*"}}}).status(), 204);
  EXPECT_EQ(t.code({"GET", "/data/key"}), "NoSuchKey");
}

TEST_F(S3Refusals, EachOfManyDeletesKeepsToItsEntityTag) {
  t.s3({"PUT", "/data/other", "other"});
  const auto remove = [&](const std::string& objects) {
    return t.s3({"POST", "/data?delete", "<Delete>" + objects + "</Delete>"});
  };
  const Answer answer = remove(
      "<Object><Key>key</Key><ETag>\"wrong\"</ETag></Object><Object><Key>"
      "other</Key><ETag>*</ETag></Object>");
  EXPECT_EQ(answer.all("Deleted/Key"), std::vector<std::string>{"other"});
  EXPECT_EQ(answer.at("Error/Key"), "key");
  EXPECT_EQ(answer.at("Error/Code"), "PreconditionFailed");
  EXPECT_EQ(key(), "bytes");
  EXPECT_NE(remove("<Object><Key>key</Key><Size>5</Size></Object>").status(), 200)
      << "only directory buckets compare sizes";
}

TEST_F(S3Refusals, CopiesAndUploadsInPartsKeepToTheirConditions) {
  const Fields copy{{"x-amz-copy-source", "data/key"}};
  const auto with = [](Fields fields, const char* name, const std::string& value) {
    fields.emplace_back(name, value);
    return fields;
  };
  EXPECT_EQ(code("PUT", "/data/copy", with(copy, "If-Match", etag)), "NoSuchKey");
  EXPECT_EQ(code("PUT", "/data/copy", with(copy, "If-None-Match", "*")), "");
  EXPECT_EQ(code("PUT", "/data/copy", with(copy, "If-None-Match", "*")), "PreconditionFailed");
  EXPECT_EQ(code("PUT", "/data/copy", {{"If-None-Match", etag}}, "x"), "NotImplemented");

  const std::string at = "/data/key?uploadId=" + t.s3({"POST", "/data/key?uploads"}).at("UploadId");
  const std::string part(t.s3({"PUT", at + "&partNumber=1", "2"}).response["ETag"]);
  const std::string body = "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" +
                           part + "</ETag></Part></CompleteMultipartUpload>";
  EXPECT_EQ(code("POST", at, {{"If-None-Match", "*"}}, body), "PreconditionFailed");
  EXPECT_EQ(code("POST", at, {{"x-amz-mp-object-size", "2"}}, body), "InvalidRequest");
  EXPECT_EQ(code("POST", at, {{"If-Match", etag}}, body), "");
  EXPECT_EQ(key(), "2");
}

// CRC64NVME is the default checksum of aws-cli 2. It covers all bytes, also in a multipart upload.
TEST_F(S3Refusals, Crc64NvmeIsAChecksumOfAllBytes) {
  const std::string body = "123456789", sum = "rosUhgp5mIg=";
  EXPECT_EQ(base::base64_encode(digest_of(Algorithm::kCrc64Nvme, body)), sum);
  EXPECT_EQ(code("PUT", "/data/sum", {{"x-amz-checksum-crc64nvme", "AAAAAAAAAAA="}}, body),
            "BadDigest");
  EXPECT_EQ(code("PUT", "/data/sum", {{"x-amz-checksum-crc64nvme", sum}}, body), "");
  const Fields asked{{"x-amz-checksum-algorithm", "CRC64NVME"}};
  const std::string at =
      "/data/parts?uploadId=" + t.s3({"POST", "/data/parts?uploads", "", asked}).at("UploadId");
  const std::string part(
      t.s3({"PUT", at + "&partNumber=1", body, {{"x-amz-checksum-crc64nvme", sum}}})
          .response["ETag"]);
  const std::string parts = "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" +
                            part + "</ETag></Part></CompleteMultipartUpload>";
  EXPECT_EQ(code("POST", at, {{"x-amz-checksum-crc64nvme", "AAAAAAAAAAA="}}, parts), "BadDigest");
  EXPECT_EQ(t.s3({"POST", at, parts, {{"x-amz-checksum-crc64nvme", sum}}}).at("ChecksumCRC64NVME"),
            sum);
}

// SDKs add a checksum to every request with a body, although the request's model has no member for
// it.
TEST_F(S3Refusals, TheChecksumOfAnXmlBodyIsChecked) {
  const std::string body = "<Delete><Object><Key>none</Key></Object></Delete>";
  const std::string sum = base::base64_encode(digest_of(Algorithm::kCrc32, body));
  EXPECT_EQ(code("POST", "/data?delete", {{"x-amz-checksum-crc32", sum}}, body), "");
  EXPECT_EQ(code("POST", "/data?delete", {{"x-amz-checksum-crc32", "AAAAAA=="}}, body),
            "BadDigest");
}

TEST_F(S3Refusals, BucketsAreListedByPrefixAndInPages) {
  for (const char* name : {"/train-a", "/train-b"}) t.s3({"PUT", name, here});
  const auto names = [](const Answer& answer) { return answer.all("Buckets/Bucket/Name"); };
  EXPECT_EQ(names(t.s3({"GET", "/"})).size(), 3u);
  EXPECT_EQ(names(t.s3({"GET", "/?prefix=train-"})),
            (std::vector<std::string>{"train-a", "train-b"}));
  const Answer page = t.s3({"GET", "/?prefix=train-&max-buckets=1"});
  EXPECT_EQ(names(page), std::vector<std::string>{"train-a"});
  EXPECT_EQ(page.at("Buckets/Bucket/BucketRegion"), "us-west-2");
  EXPECT_EQ(
      names(t.s3({"GET", "/?prefix=train-&continuation-token=" + page.at("ContinuationToken")})),
      std::vector<std::string>{"train-b"});
}

TEST_F(S3Refusals, AnotherExpectedBucketOwnerIsDenied) {
  EXPECT_EQ(code("GET", "/data/key", {{"x-amz-expected-bucket-owner", "999999999999"}}),
            "AccessDenied");
  EXPECT_EQ(code("GET", "/data/key", {{"x-amz-expected-bucket-owner", "123456789012"}}), "");
}

}  // namespace
}  // namespace fakes
