// The signatures of S3 beyond the one in a header: chunks, forms, and version 2.
#include <gtest/gtest.h>

#include <random>

#include "api/fuzz/fuzz.h"
#include "base/text/base64.h"
#include "fakes/authorisation/chunk_signatures.h"
#include "fakes/authorisation/older_signature.h"
#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

constexpr const char* kExampleSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

std::string chunk(const std::string& bytes, const std::string& signature) {
  return fmt::format("{:x};chunk-signature={}\r\n{}\r\n", bytes.size(), signature, bytes);
}

// The body of AWS's example: 65 KiB in chunks of 64 KiB.
std::string example(const char* first, const char* second, const char* last,
                    const std::string& trailers = "\r\n") {
  return chunk(std::string(65536, 'a'), first) + chunk(std::string(1024, 'a'), second) +
         fmt::format("0;chunk-signature={}\r\n", last) + trailers;
}

bool is_signed(const std::string& body, const std::string& seed, const std::string& hash) {
  api::HttpRequest http{.method = "PUT",
                        .path = "/examplebucket/chunkObject.txt",
                        .query = {},
                        .headers = {},
                        .body = body};
  http.headers.add("x-amz-content-sha256", std::string(hash));
  const Signature first{.key_id = "AKIAIOSFODNN7EXAMPLE",
                        .date = "20130524",
                        .region = "us-east-1",
                        .service = "s3",
                        .text = seed,
                        .time = "20130524T000000Z"};
  Signer signer;
  EXPECT_TRUE(has_signed_chunks(http));
  return are_chunks_signed({http}, first, signer, kExampleSecret);
}

// S3 API reference, "Signature calculations … in multiple chunks".
TEST(ChunkSignatures, EqualAwssExample) {
  const std::string seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
  const char* const first = "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648";
  const char* const second = "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497";
  const char* const last = "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9";
  const char* const hash = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  EXPECT_TRUE(is_signed(example(first, second, last), seed, hash));
  EXPECT_FALSE(is_signed(example(first, second, first), seed, hash));
  EXPECT_FALSE(is_signed(example(second, second, last), seed, hash));
  std::string changed = example(first, second, last);
  changed[1000] = 'b';
  EXPECT_FALSE(is_signed(changed, seed, hash));
  EXPECT_FALSE(is_signed("0\r\n\r\n", seed, hash)) << "no signature";
  EXPECT_TRUE(is_signed("zz", seed, hash)) << "S3 refuses such a body";
}

// S3 API reference, "Signature calculations … including trailing headers".
TEST(ChunkSignatures, OfTrailersEqualAwssExample) {
  const std::string seed = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";
  const std::string checksum = "x-amz-checksum-crc32c:sOO8/Q==\r\n";
  const auto body = [&](const std::string& trailers) {
    return example("b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
                   "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
                   "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992", trailers);
  };
  const std::string right =
      "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435"
      "\r\n\r\n";
  const char* const hash = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
  EXPECT_TRUE(is_signed(body(checksum + right), seed, hash));
  EXPECT_FALSE(is_signed(body("x-amz-checksum-crc32c:wdBDMA==\r\n" + right), seed, hash));
  EXPECT_FALSE(is_signed(body(checksum + "\r\n"), seed, hash));
}

TEST(ChunkSignatures, OfDamagedBodiesAreReadWithoutHarm) {
  std::mt19937 random(5);
  const std::string whole = chunk("hello", std::string(64, 'a')) + "0;chunk-signature=b\r\n" +
                            "x-amz-checksum-crc32:NhCmhg==\r\nx-amz-trailer-signature:c\r\n\r\n";
  for (int round = 0; round < api::fuzz_rounds(); ++round)
    is_signed(api::damaged(whole, random), "0", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
}

// Amazon S3 REST API, "Query string request authentication alternative".
TEST(OlderSignature, EqualsAwssExample) {
  api::HttpRequest http{.method = "GET",
                        .path = "/photos/puppy.jpg",
                        .query =
                            "AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature="
                            "NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620",
                        .headers = {},
                        .body = {}};
  const auto older = read_older_signature(http, "johnsmith");
  ASSERT_TRUE(older);
  EXPECT_EQ(older->to_sign, "GET\n\n\n1175139620\n/johnsmith/photos/puppy.jpg");
  EXPECT_EQ(sign_older(older->to_sign, kExampleSecret), older->text);
  http.query +=
      "&x-amz-security-token=t&replication&acl&prefix=a&object-lock&response-content-type=text%2F"
      "plain";
  EXPECT_EQ(read_older_signature(http, "")->to_sign,
            "GET\n\n\n1175139620\nx-amz-security-token:t\n"
            "/photos/puppy.jpg?acl&object-lock&replication&response-content-type=text/plain");
  http.query = "Expires=1";
  EXPECT_FALSE(read_older_signature(http, ""));
}

// ---- requests

class S3Signatures : public testing::Test {
 protected:
  void SetUp() override {
    t.backend.objects.create_bucket("data");
    ann = t.user("ann", allow(R"("s3:PutObject")", "arn:aws:s3:::data/in/*"));
  }
  Request upload(const std::string& body, const std::string& hash,
                 const std::string& target = "/data/in/a") {
    Request request{http::verb::put, target, 11};
    const std::string now = t.signing_time();
    request.set(http::field::host, "s3.us-west-2.amazonaws.com");
    request.set("X-Amz-Date", now);
    request.set("x-amz-content-sha256", hash);
    TestIam::sign(request, ann, "s3", "us-west-2", now, hash);
    request.body() = body;
    return request;
  }
  // The form with the policy and the fields of its signature.
  Request form(const std::string& policy, const Fields& fields) {
    std::string body;
    const auto add = [&](const std::string& name, const std::string& value) {
      body += fmt::format("--B\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", name,
                          value);
    };
    add("policy", policy);
    for (const auto& [name, value] : fields) add(name, value);
    add("file", "text");
    Request request{http::verb::post, "/data", 11};
    request.set(http::field::host, "s3.us-west-2.amazonaws.com");
    request.set("Content-Type", "multipart/form-data; boundary=B");
    request.body() = body + "--B--\r\n";
    return request;
  }
  Fields signed_fields(const std::string& policy, const std::string& key) {
    const Signature scope{.date = "20191105", .region = "us-west-2", .service = "s3"};
    return {{"key", key},
            {"X-Amz-Credential", ann.id + "/20191105/us-west-2/s3/aws4_request"},
            {"X-Amz-Date", t.signing_time()},
            {"X-Amz-Signature", Signer().sign_text(policy, scope, ann.secret)}};
  }
  std::string code(const Request& request) { return t.send(request).at("Code"); }
  TestIam t;
  Keys ann;
};

std::string policy(const char* end) {
  return base::base64_encode(
      fmt::format(R"({{"expiration":"{}","conditions":[{{"bucket":"data"}}]}})", end));
}

TEST_F(S3Signatures, AnUploadInSignedChunksNeedsRightSignatures) {
  const std::string hash = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  EXPECT_EQ(code(upload("5;chunk-signature=0\r\nhello\r\n0;chunk-signature=0\r\n\r\n", hash)),
            "SignatureDoesNotMatch");
  EXPECT_EQ(code(upload("5\r\nhello\r\n0\r\n\r\n", "STREAMING-UNSIGNED-PAYLOAD-TRAILER")), "");
  EXPECT_EQ(
      code(upload("5\r\nhello\r\n0\r\n\r\n", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "/data/out")),
      "AccessDenied");
  EXPECT_EQ(code(upload("5\r\nhell", hash)), "IncompleteBody");
}

TEST_F(S3Signatures, AFormsUserNeedsThePermission) {
  const std::string valid = policy("2019-11-05T12:00:00Z");
  EXPECT_EQ(code(form(valid, signed_fields(valid, "in/a"))), "");
  EXPECT_EQ(code(form(valid, signed_fields(valid, "out"))), "AccessDenied");
  EXPECT_EQ(code(form(valid, signed_fields("other", "in/b"))), "SignatureDoesNotMatch");
  const std::string old = policy("2019-11-05T09:00:00Z");
  EXPECT_EQ(t.send(form(old, signed_fields(old, "in/b"))).at("Message"),
            "Invalid according to Policy: Policy expired.");
  EXPECT_EQ(code(form(valid, {{"key", "in/b"}})), "AccessDenied");
  EXPECT_EQ(code(form(valid, {{"key", "in/b"}, {"X-Amz-Credential", "nobody/1/2/3"}})),
            "InvalidAccessKeyId");
  EXPECT_EQ(code(form(valid, {{"key", "in/c"},
                              {"AWSAccessKeyId", ann.id},
                              {"signature", sign_older(valid, ann.secret)}})),
            "");
  EXPECT_EQ(code(form(valid, {{"key", "in/c"}, {"AWSAccessKeyId", ann.id}, {"signature", "x"}})),
            "SignatureDoesNotMatch");
}

TEST_F(S3Signatures, APresignedUrlExpires) {
  const auto get = [&](const std::string& expires) {
    const std::string text = sign_older("PUT\n\n\n" + expires + "\n/data/in/a", ann.secret);
    Request request{http::verb::put,
                    "/data/in/a?AWSAccessKeyId=" + ann.id + "&Expires=" + expires +
                        "&Signature=" + url_encode(text),
                    11};
    request.set(http::field::host, "s3.us-west-2.amazonaws.com");
    return t.send(request);
  };
  EXPECT_EQ(get("1572951600").at("Code"), "");  // 2019-11-05T11:00:00Z
  const Answer late = get("1572944400");
  EXPECT_EQ(late.at("Code"), "AccessDenied");
  EXPECT_EQ(late.at("Message"), "Request has expired");
  EXPECT_EQ(late.at("Expires"), "2019-11-05T09:00:00Z");
  EXPECT_EQ(late.at("ServerTime"), "2019-11-05T10:00:00Z");
}

TEST(UnsignedRequests, ToFisHaveItsErrors) {
  TestIam t;
  Request request{http::verb::get, "/experimentTemplates?maxResults=1", 11};
  request.set(http::field::host, "127.0.0.1:5000");
  const auto answer = t.api(request).response;
  EXPECT_EQ(answer.result_int(), 403U);
  EXPECT_EQ(answer["x-amzn-errortype"], "MissingAuthenticationTokenException");
  EXPECT_NE(answer.body().find("Missing Authentication Token"), std::string::npos);
  request.target("/experiments");
  EXPECT_EQ(t.api(request).response["x-amzn-errortype"], "MissingAuthenticationTokenException");
  t.backend.objects.create_bucket("experiments");
  EXPECT_NE(t.api(request).response.body().find("<Code>AccessDenied</Code>"), std::string::npos);
  request.set(http::field::host, "fis.us-west-2.amazonaws.com");
  EXPECT_EQ(t.api(request).response["x-amzn-errortype"], "MissingAuthenticationTokenException");
}

}  // namespace
}  // namespace fakes::authorisation
