#include "fakes/authorisation/signature.h"

#include <gtest/gtest.h>

namespace fakes::authorisation {
namespace {

constexpr const char* kSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
constexpr const char* kEmptyHash =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

api::HttpRequest request(const std::string& method, const std::string& path,
                         const std::string& query,
                         std::vector<std::pair<std::string, std::string>> headers) {
  api::HttpRequest made{.method = method, .path = path, .query = query, .headers = {}, .body = {}};
  for (auto& [name, value] : headers) made.headers.add(name, std::move(value));
  return made;
}

std::string signature_of(const api::HttpRequest& http, const char* hash, const char* secret) {
  Signer signer;
  return signer.sign(http, read_signature(http).value(), hash, secret);
}

// S3 API reference, "Examples: Signature Calculations".
TEST(Signature, EqualsAwssExampleForAnObject) {
  const auto http = request(
      "GET", "/test.txt", "",
      {{"Host", "examplebucket.s3.amazonaws.com"},
       {"Range", "bytes=0-9"},
       {"x-amz-content-sha256", kEmptyHash},
       {"x-amz-date", "20130524T000000Z"},
       {"Authorization",
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"}});
  EXPECT_EQ(signature_of(http, kEmptyHash, kSecret), read_signature(http)->text);
  EXPECT_EQ(read_signature(http)->service, "s3");
}

TEST(Signature, EqualsAwssExampleForAList) {
  const auto http = request(
      "GET", "/", "max-keys=2&prefix=J",
      {{"Host", "examplebucket.s3.amazonaws.com"},
       {"x-amz-content-sha256", kEmptyHash},
       {"x-amz-date", "20130524T000000Z"},
       {"Authorization",
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
        "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"}});
  EXPECT_EQ(signature_of(http, kEmptyHash, kSecret), read_signature(http)->text);
}

// S3 API reference, "Authenticating Requests: Using Query Parameters".
TEST(Signature, EqualsAwssPresignedExample) {
  const auto http =
      request("GET", "/test.txt",
              "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2F"
              "us-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&"
              "X-Amz-SignedHeaders=host&X-Amz-Signature="
              "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
              {{"Host", "examplebucket.s3.amazonaws.com"}});
  EXPECT_EQ(read_signature(http)->by, SignedBy::kQuery);
  EXPECT_EQ(signature_of(http, "UNSIGNED-PAYLOAD", kSecret), read_signature(http)->text);
}

// AWS's Signature Version 4 test suite, get-vanilla and get-header-value-trim.
TEST(Signature, EqualsAwssTestSuite) {
  constexpr const char* kOther = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  const std::string scope =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ";
  const auto vanilla =
      request("GET", "/", "",
              {{"Host", "example.amazonaws.com"},
               {"X-Amz-Date", "20150830T123600Z"},
               {"Authorization", scope + "SignedHeaders=host;x-amz-date, Signature=0"}});
  EXPECT_EQ(signature_of(vanilla, kEmptyHash, kOther),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  const auto trimmed =
      request("GET", "/", "",
              {{"Host", "example.amazonaws.com"},
               {"My-Header1", " value1"},
               {"My-Header2", " \"a   b   c\""},
               {"X-Amz-Date", "20150830T123600Z"},
               {"Authorization",
                scope + "SignedHeaders=host;my-header1;my-header2;x-amz-date, Signature=0"}});
  EXPECT_EQ(signature_of(trimmed, kEmptyHash, kOther),
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
}

TEST(Signature, MalformedOnesAreReadWithoutHarm) {
  for (const char* header :
       {"", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Credential=", "AWS4-HMAC-SHA256 Credential=////",
        "AWS4-HMAC-SHA256 Credential=a/b/c,SignedHeaders=;;,Signature="}) {
    auto http = request("GET", "", "%", {{"Authorization", header}});
    const auto signature = read_signature(http);
    if (signature) {
      EXPECT_EQ(Signer().sign(http, *signature, "", "").size(), 64U) << header;
    }
  }
  EXPECT_FALSE(read_signature(request("GET", "/", "", {{"Authorization", "AWS a:b"}})));
  EXPECT_FALSE(read_signing_time("2015-08-30T12:36"));
  EXPECT_EQ(read_signing_time("20191105T100000Z"), sim::parse_time("2019-11-05T10:00:00Z"));
}

}  // namespace
}  // namespace fakes::authorisation
