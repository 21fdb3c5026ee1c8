#include "trainer/bucket/bucket.h"

#include <gtest/gtest.h>

#include <deque>

#include "client/fakes_for_test.h"
#include "client/scripted_http_for_test.h"

namespace spottrain {
namespace {

using client::HttpRequest;
using client::HttpResponse;
using client::TransportError;
using client::testing::environment_of;
using client::testing::Variables;

HttpResponse s3_error(int status, const std::string& code) {
  return {status, "<Error><Code>" + code + "</Code><Message>m</Message></Error>"};
}

std::string header(const HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers)
    if (key == name) return value;
  return "";
}

struct ScriptedBucket : testing::Test {
  ScriptedBucket() {
    http.answer = [this](const HttpRequest&) -> HttpResponse {
      if (answers.empty()) throw TransportError("reset");
      const HttpResponse answer = answers.front();
      answers.pop_front();
      return answer;
    };
  }
  const HttpRequest& last() const { return http.requests.back(); }
  const HttpResponse stored{200, "", {{"etag", "\"e\""}}};

  std::deque<HttpResponse> answers;  // when there are no more, the connection breaks
  client::testing::ScriptedHttp http;
  client::testing::FakeClock clock;
  Variables variables = client::testing::kCredentials;
  client::MetadataClient imds{http, clock, "http://imds"};
  client::Credentials credentials{http, imds, clock, environment_of(variables)};
  Bucket bucket{address_of("data", "us-west-2", environment_of(variables)), http, clock,
                credentials, client::testing::numbered_bits()};
};

TEST(BucketAddresses, AreTheEndpointsThatTheEnvironmentNamesOrTheRegions) {
  const auto url = [](const std::string& bucket, const std::string& region,
                      const Variables& variables) {
    return address_of(bucket, region, environment_of(variables)).url;
  };
  EXPECT_EQ(url("data", "us-west-2", {}), "https://data.s3.us-west-2.amazonaws.com");
  EXPECT_EQ(url("data", "cn-north-1", {}), "https://data.s3.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(url("my.data", "us-west-2", {}), "https://s3.us-west-2.amazonaws.com/my.data");
  EXPECT_EQ(url("data", "us-west-2", {{"AWS_ENDPOINT_URL", "http://host:9000/"}}),
            "http://host:9000/data");
  EXPECT_EQ(url("data", "us-west-2",
                {{"AWS_ENDPOINT_URL", "http://a"}, {"AWS_ENDPOINT_URL_S3", "http://b"}}),
            "http://b/data");
}

TEST_F(ScriptedBucket, TheRegionIsTheEnvironmentsElseTheInstances) {
  variables["AWS_DEFAULT_REGION"] = "eu-west-1";
  EXPECT_EQ(region_of(environment_of(variables), imds), "eu-west-1");
  variables["AWS_REGION"] = "eu-west-2";
  EXPECT_EQ(region_of(environment_of(variables), imds), "eu-west-2");
  EXPECT_TRUE(http.requests.empty());
  variables.clear();
  answers = {{200, "token"}, {200, "us-west-2"}};
  EXPECT_EQ(region_of(environment_of(variables), imds), "us-west-2");
  EXPECT_EQ(last().url, "http://imds/latest/meta-data/placement/region");
  EXPECT_THROW(region_of(environment_of(variables), imds), BucketError);
}

TEST_F(ScriptedBucket, ARequestIsSignedAndItsBodyHasAChecksum) {
  variables["AWS_SESSION_TOKEN"] = "token";
  answers = {stored};
  bucket.put("job/a b", "123456789");
  EXPECT_EQ(last().method, "PUT");
  EXPECT_EQ(last().url, "https://data.s3.us-west-2.amazonaws.com/job/a%20b");
  EXPECT_EQ(last().body, "123456789");
  EXPECT_EQ(header(last(), "x-amz-checksum-crc32"), "y/Q5Jg==");  // 0xcbf43926, CRC-32's check
  EXPECT_EQ(header(last(), "x-amz-security-token"), "token");
  EXPECT_EQ(header(last(), "host"), "data.s3.us-west-2.amazonaws.com");
  EXPECT_EQ(last().signing->service, "s3");
  EXPECT_EQ(last().signing->region, "us-west-2");
}

TEST_F(ScriptedBucket, ATemporaryErrorIsTriedAgainAfterAPause) {
  int broken = 0;
  http.answer = [&, answer = http.answer](const HttpRequest& request) {
    if (broken++ == 0) throw TransportError("reset");
    return answer(request);
  };
  answers = {s3_error(503, "SlowDown"), s3_error(500, "InternalError"), stored};
  bucket.put("key", "x");
  EXPECT_EQ(http.requests.size(), 4u);
  EXPECT_EQ(clock.sleeps.size(), 3u);
}

TEST_F(ScriptedBucket, StopsAfterThirtyTries) {
  try {
    bucket.put("job/key", "x");
    FAIL();
  } catch (const BucketError& error) {
    EXPECT_STREQ(error.what(), "PUT s3://data/job/key: reset");
  }
  EXPECT_EQ(http.requests.size(), 30u);
  EXPECT_EQ(clock.sleeps.size(), 29u);
}

TEST_F(ScriptedBucket, ARefusalIsNotTriedAgain) {
  answers = {s3_error(403, "AccessDenied")};
  try {
    bucket.remove("key");
    FAIL();
  } catch (const BucketError& error) {
    EXPECT_STREQ(error.what(), "DELETE s3://data/key: status 403 AccessDenied: m");
  }
  EXPECT_EQ(http.requests.size(), 1u);
}

TEST_F(ScriptedBucket, ExpiredCredentialsAreRequestedAgain) {
  variables.clear();
  const auto role = [&](const std::string& key) -> HttpResponse {
    return {200, R"({"AccessKeyId": ")" + key +
                     R"(", "SecretAccessKey": "s", "Token": "t", "Expiration": ")" +
                     client::iso_time(clock.time + std::chrono::hours{6}) + R"("})"};
  };
  answers = {{200, "imds"}, {200, "role"},  role("FIRST"), s3_error(400, "ExpiredToken"),
             {200, "role"}, role("SECOND"), stored};
  bucket.put("key", "x");
  EXPECT_EQ(last().signing->credentials.access_key_id, "SECOND");
}

TEST_F(ScriptedBucket, AContainersCredentialsComeFromItsService) {
  variables = {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/1"},
               {"AWS_EC2_METADATA_DISABLED", "true"}};
  const HttpResponse role{200, R"({"AccessKeyId": "TASK", "SecretAccessKey": "s", "Token": "t",
                                   "Expiration": "2019-11-05T06:00:00Z"})"};
  answers = {{500, ""}, role, stored};
  bucket.put("key", "x");
  EXPECT_EQ(http.requests[1].url, "http://169.254.170.2/v2/credentials/1");
  EXPECT_EQ(last().signing->credentials.access_key_id, "TASK");
  variables = {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:8080/get"},
               {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "secret"}};
  credentials.forget();
  answers = {role, stored};
  bucket.put("key", "x");
  EXPECT_EQ(http.requests[3].url, "http://127.0.0.1:8080/get");
  EXPECT_EQ(header(http.requests[3], "authorization"), "secret");
}

TEST_F(ScriptedBucket, WithoutCredentialsNothingIsSent) {
  variables = {{"AWS_EC2_METADATA_DISABLED", "true"}};
  EXPECT_THROW(bucket.put("key", "x"), BucketError);
  EXPECT_TRUE(http.requests.empty());
}

TEST_F(ScriptedBucket, AListOfSeveralPagesIsReadToItsEnd) {
  answers = {{200,
              "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a+b"
              "</NextContinuationToken><Contents><Key>job/1</Key></Contents></ListBucketResult>"},
             {200,
              "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>job/2</Key>"
              "</Contents></ListBucketResult>"}};
  EXPECT_EQ(bucket.keys("job/"), (std::vector<std::string>{"job/1", "job/2"}));
  EXPECT_EQ(http.requests[0].url,
            "https://data.s3.us-west-2.amazonaws.com/?list-type=2&prefix=job%2F");
  EXPECT_EQ(last().url,
            "https://data.s3.us-west-2.amazonaws.com/?continuation-token=a%2Bb&list-type=2&prefix="
            "job%2F");
}

TEST_F(ScriptedBucket, AnObjectIsReadInRangesOfTheSameObject) {
  const std::string first(Bucket::kPartBytes, 'a');
  answers = {{206, first, {{"content-range", "bytes 0-8388607/8388610"}, {"etag", "\"e\""}}},
             {206, "bc", {{"content-range", "bytes 8388608-8388609/8388610"}}}};
  const auto object = bucket.get("key", 1 << 30);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->bytes, first + "bc");
  EXPECT_EQ(header(http.requests[0], "range"), "bytes=0-8388607");
  EXPECT_EQ(header(last(), "range"), "bytes=8388608-16777215");
  EXPECT_EQ(header(last(), "if-match"), "\"e\"");
}

TEST_F(ScriptedBucket, AnObjectThatIsReplacedDuringTheReadIsNotRead) {
  answers = {{206,
              std::string(Bucket::kPartBytes, 'a'),
              {{"content-range", "bytes 0-8388607/8388610"}, {"etag", "\"e\""}}},
             s3_error(412, "PreconditionFailed")};
  EXPECT_THROW(bucket.get("key", 1 << 30), ObjectChanged);
}

TEST_F(ScriptedBucket, AnAnswerWithoutARangeDoesNotDescribeTheObject) {
  for (const HttpResponse& odd : {HttpResponse{200, "whole"}, HttpResponse{206, "0123"},
                                  HttpResponse{206, "", {{"content-range", "bytes 0-3/4"}}},
                                  HttpResponse{206, "01234", {{"content-range", "bytes 0-3/4"}}}}) {
    answers = {odd};
    EXPECT_THROW(bucket.get("key", 1 << 30), BucketError) << odd.status << odd.body;
  }
}

TEST_F(ScriptedBucket, A200ThatIsNotFromS3IsTriedAgain) {
  const HttpResponse page{200, "<html>Bad gateway</html>"}, nothing{200, ""};
  answers = {page, nothing, stored};
  bucket.put("key", "x");
  answers = {page, {200, "", {{"etag", "\"2\""}}}};
  EXPECT_EQ(bucket.put_part("key", "u", 1, "x").etag, "\"2\"");
  answers = {nothing, page, {200, "<CompleteMultipartUploadResult/>"}};
  bucket.complete_upload("key", "u", {});
  const std::string list = "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>";
  answers = {{200, list.substr(0, 60)}, page, {200, list}};
  EXPECT_EQ(bucket.keys(""), std::vector<std::string>{"a"});
  EXPECT_TRUE(answers.empty());
}

TEST_F(ScriptedBucket, AListThatDoesNotContinueIsAnError) {
  const HttpResponse again{200,
                           "<ListBucketResult><IsTruncated>true</IsTruncated>"
                           "<NextContinuationToken>a</NextContinuationToken></ListBucketResult>"};
  answers = {again, again, again};
  EXPECT_THROW(bucket.keys(""), BucketError);
  answers = {{200, "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"}};
  EXPECT_THROW(bucket.keys(""), BucketError);
}

TEST_F(ScriptedBucket, NoObjectAnEmptyOneAndOneThatIsTooLong) {
  answers = {s3_error(404, "NoSuchKey"),
             s3_error(416, "InvalidRange"),
             {206, "0123", {{"content-range", "bytes 0-3/4"}}}};
  EXPECT_FALSE(bucket.get("key", 10));
  EXPECT_EQ(bucket.get("key", 10)->bytes, "");
  const auto longer = bucket.get("key", 3);
  EXPECT_EQ(longer->size, 4u);
  EXPECT_EQ(longer->bytes, "");
}

TEST_F(ScriptedBucket, PartsAreCompletedByTheirTagsAndChecksums) {
  answers = {{200,
              "<InitiateMultipartUploadResult><UploadId>u/1</UploadId>"
              "</InitiateMultipartUploadResult>"},
             {200, "", {{"etag", "\"e\""}}},
             {200, "<CompleteMultipartUploadResult/>"}};
  const std::string upload = bucket.begin_upload("key");
  EXPECT_EQ(header(last(), "x-amz-checksum-algorithm"), "CRC32");
  const Bucket::Part part = bucket.put_part("key", upload, 1, "123456789");
  EXPECT_EQ(last().url, "https://data.s3.us-west-2.amazonaws.com/key?partNumber=1&uploadId=u%2F1");
  bucket.complete_upload("key", upload, {part});
  EXPECT_EQ(last().body,
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Part>"
            "<ChecksumCRC32>y/Q5Jg==</ChecksumCRC32><ETag>\"e\"</ETag><PartNumber>1</PartNumber>"
            "</Part></CompleteMultipartUpload>");
}

TEST_F(ScriptedBucket, AnErrorAfterStatus200IsAnError) {
  answers = {{200, "<Error><Code>InternalError</Code></Error>"},
             {200, "<CompleteMultipartUploadResult/>"}};
  bucket.complete_upload("key", "u", {});
  EXPECT_EQ(http.requests.size(), 2u);
}

}  // namespace
}  // namespace spottrain
