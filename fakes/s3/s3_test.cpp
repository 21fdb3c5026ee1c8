// S3's requests and responses on the wire.
#include <gtest/gtest.h>

#include "base/text/base64.h"
#include "fakes/s3/s3_for_test.h"
#include "sim/objects/digest.h"

namespace fakes {
namespace {

using sim::objects::Algorithm;
using sim::objects::digest_of;
using sim::objects::to_hex;

class S3 : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(t.s3({"PUT", "/data", kHere}).status(), 200); }
  static constexpr const char* kHere = TestS3::kHere;
  void put(const std::string& key, const std::string& body, const Fields& headers = {}) {
    ASSERT_EQ(t.s3({"PUT", "/data/" + key, body, headers}).status(), 200);
  }
  std::string header(const Answer& answer, const char* name) const {
    const auto value = answer.response[name];
    return {value.data(), value.size()};
  }
  TestS3 t;
};

TEST_F(S3, AnObjectComesBackWithWhatWasSaidOfIt) {
  const Answer stored = t.s3({"PUT",
                              "/data/a%20dir/x+y",
                              "bytes",
                              {{"Content-Type", "text/plain"},
                               {"x-amz-meta-Epoch", "7"},
                               {"Cache-Control", "no-cache"},
                               {"x-amz-tagging", "job=a%20b&x="}}});
  EXPECT_EQ(stored.status(), 200);
  const std::string etag = '"' + to_hex(digest_of(Algorithm::kMd5, std::string("bytes"))) + '"';
  EXPECT_EQ(header(stored, "ETag"), etag);
  t.run(90s);
  const Answer got = t.s3({"GET", "/data/a%20dir/x%2By"});
  EXPECT_EQ(got.body(), "bytes");
  EXPECT_EQ(header(got, "ETag"), etag);
  EXPECT_EQ(header(got, "Content-Type"), "text/plain");
  EXPECT_EQ(header(got, "x-amz-meta-epoch"), "7");
  EXPECT_EQ(header(got, "Cache-Control"), "no-cache");
  EXPECT_EQ(header(got, "Last-Modified"), "Tue, 05 Nov 2019 10:00:00 GMT");
  EXPECT_EQ(header(got, "x-amz-tagging-count"), "2");
  EXPECT_EQ(header(t.s3({"HEAD", "/data/a%20dir/x+y"}), "ETag"), etag);
  EXPECT_EQ(t.s3({"GET", "/data/a%20dir/x+y?tagging"}).at("TagSet/Tag[Key='job']/Value"), "a b");
}

TEST_F(S3, ABucketMayBeInTheHostsName) {
  put("key", "bytes");
  for (const char* host :
       {"data.s3.us-west-2.amazonaws.com", "data.s3.amazonaws.com",
        "data.s3-us-west-2.amazonaws.com", "data.s3.dualstack.us-west-2.amazonaws.com",
        "data.localhost:4566", "data.s3.localhost:4566"})
    EXPECT_EQ(t.s3({"GET", "/key", "", {{"Host", host}}}).body(), "bytes") << host;
  ASSERT_EQ(t.s3({"PUT", "/with.dots", kHere}).status(), 200);
  EXPECT_EQ(t.s3({"GET", "/?location", "", {{"Host", "with.dots.s3.us-west-2.amazonaws.com"}}})
                .xml.document_element()
                .text()
                .get(),
            std::string("us-west-2"));
}

TEST_F(S3, ReadsAPartWhereARangeAsksForIt) {
  put("key", "0123456789");
  const auto get = [&](const char* range) {
    return t.s3({"GET", "/data/key", "", {{"Range", range}}});
  };
  EXPECT_EQ(get("bytes=2-4").body(), "234");
  EXPECT_EQ(get("bytes=2-4").status(), 206);
  EXPECT_EQ(header(get("bytes=2-4"), "Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(get("bytes=-3").body(), "789");
  EXPECT_EQ(get("bytes=7-").body(), "789");
  EXPECT_EQ(get("bytes=0-").body(), "0123456789");
  EXPECT_EQ(get("bytes=10-").at("Code"), "InvalidRange");
  EXPECT_EQ(get("bytes=10-").status(), 416);
  EXPECT_EQ(get("lines=1-2").body(), "0123456789");
}

TEST_F(S3, AnswersOnlyWhereTheConditionsHold) {
  put("key", "bytes");
  const std::string etag = '"' + to_hex(digest_of(Algorithm::kMd5, std::string("bytes"))) + '"';
  const auto status = [&](const char* name, const std::string& value) {
    return t.s3({"GET", "/data/key", "", {{name, value}}}).status();
  };
  EXPECT_EQ(status("If-Match", etag), 200);
  EXPECT_EQ(status("If-Match", "\"other\""), 412);
  EXPECT_EQ(status("If-None-Match", etag), 304);
  EXPECT_EQ(status("If-None-Match", "\"other\""), 200);
  EXPECT_EQ(status("If-Modified-Since", "Tue, 05 Nov 2019 10:00:00 GMT"), 304);
  EXPECT_EQ(status("If-Modified-Since", "Tue, 05 Nov 2019 09:59:59 GMT"), 200);
  EXPECT_EQ(status("If-Unmodified-Since", "Tue, 05 Nov 2019 09:59:59 GMT"), 412);
  EXPECT_EQ(t.s3({"GET", "/data/key", "", {{"If-None-Match", etag}}}).body(), "");
}

TEST_F(S3, WritesOnlyWhereTheConditionsHold) {
  const auto status = [&](const Fields& headers) {
    return t.s3({"PUT", "/data/key", "bytes", headers}).status();
  };
  EXPECT_EQ(status({{"If-Match", "\"other\""}}), 404);
  EXPECT_EQ(status({{"If-None-Match", "*"}}), 200);
  EXPECT_EQ(status({{"If-None-Match", "*"}}), 412);
  EXPECT_EQ(status({{"If-Match", "\"other\""}}), 412);
  EXPECT_EQ(status({{"If-Match", to_hex(digest_of(Algorithm::kMd5, std::string("bytes")))}}), 200);
}

TEST_F(S3, ABodyMustHaveTheStatedDigests) {
  const std::string body = "bytes", md5 = digest_of(Algorithm::kMd5, body);
  const auto code = [&](const char* name, const std::string& value) {
    return t.code({"PUT", "/data/checked", body, {{name, value}}});
  };
  EXPECT_EQ(code("Content-MD5", base::base64_encode(md5)), "");
  EXPECT_EQ(code("Content-MD5", base::base64_encode(std::string(16, 'x'))), "BadDigest");
  EXPECT_EQ(code("Content-MD5", "no digest"), "InvalidDigest");
  EXPECT_EQ(code("x-amz-content-sha256", to_hex(digest_of(Algorithm::kSha256, body))), "");
  EXPECT_EQ(code("x-amz-content-sha256", std::string(64, '0')), "XAmzContentSHA256Mismatch");
  const std::pair<const char*, Algorithm> kChecksums[] = {
      {"x-amz-checksum-crc32", Algorithm::kCrc32},
      {"x-amz-checksum-crc32c", Algorithm::kCrc32c},
      {"x-amz-checksum-sha1", Algorithm::kSha1},
      {"x-amz-checksum-sha256", Algorithm::kSha256}};
  for (const auto& [name, algorithm] : kChecksums) {
    const std::string sum = base::base64_encode(digest_of(algorithm, body));
    EXPECT_EQ(code(name, "AAAA"), "BadDigest") << name;
    EXPECT_EQ(code(name, sum), "") << name;
    const Answer got = t.s3({"GET", "/data/checked", "", {{"x-amz-checksum-mode", "ENABLED"}}});
    EXPECT_EQ(header(got, name), sum);
  }
}

TEST_F(S3, AChunkedBodyIsTakenApart) {
  const std::string sum =
      base::base64_encode(digest_of(Algorithm::kCrc32, std::string("hello world")));
  const std::string coded =
      "5;chunk-signature=aa\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:" + sum +
      "\r\n\r\n";
  const Fields headers{{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
                       {"Content-Encoding", "aws-chunked,gzip"},
                       {"x-amz-decoded-content-length", "11"}};
  put("chunked", coded, headers);
  const Answer got = t.s3({"GET", "/data/chunked", "", {{"x-amz-checksum-mode", "ENABLED"}}});
  EXPECT_EQ(got.body(), "hello world");
  EXPECT_EQ(header(got, "Content-Encoding"), "gzip");
  EXPECT_EQ(header(got, "x-amz-checksum-crc32"), sum);
  for (const std::string& damaged : {coded.substr(0, 20), std::string("zz\r\n"), std::string(),
                                     "b\r\nhello world\r\n" + std::string("1\r\n")})
    EXPECT_EQ(t.code({"PUT", "/data/chunked", damaged, headers}), "IncompleteBody") << damaged;
  Fields longer = headers;
  longer.back().second = "12";
  EXPECT_EQ(t.code({"PUT", "/data/chunked", coded, longer}), "IncompleteBody");
}

TEST_F(S3, ListsInPagesWithCommonPrefixes) {
  for (const char* key : {"a/1", "a/2", "b", "c%20d"}) put(key, "x");
  const Answer all = t.s3({"GET", "/data?list-type=2&delimiter=%2F&encoding-type=url"});
  EXPECT_EQ(all.all("Contents/Key"), (std::vector<std::string>{"b", "c%20d"}));
  EXPECT_EQ(all.all("CommonPrefixes/Prefix"), std::vector<std::string>{"a/"});
  EXPECT_EQ(all.at("KeyCount"), "3");
  EXPECT_EQ(all.at("IsTruncated"), "false");
  const Answer first = t.s3({"GET", "/data?list-type=2&max-keys=3"});
  EXPECT_EQ(first.all("Contents/Key").size(), 3u);
  EXPECT_EQ(first.at("IsTruncated"), "true");
  const Answer rest = t.s3({"GET", "/data?list-type=2&continuation-token=" +
                                       url_encode(first.at("NextContinuationToken"))});
  EXPECT_EQ(rest.all("Contents/Key"), std::vector<std::string>{"c d"});
  const Answer old = t.s3({"GET", "/data?max-keys=1&delimiter=%2F"});
  EXPECT_EQ(old.at("NextMarker"), "a/");
  EXPECT_EQ(t.s3({"GET", "/data?marker=a%2F&delimiter=%2F"}).all("Contents/Key"),
            (std::vector<std::string>{"b", "c d"}));
}

TEST_F(S3, CopiesAndRemoves) {
  put("a", "bytes", {{"x-amz-meta-x", "1"}});
  EXPECT_NE(t.s3({"PUT", "/data/b", "", {{"x-amz-copy-source", "/data/a"}}}).at("ETag"), "");
  EXPECT_EQ(header(t.s3({"GET", "/data/b"}), "x-amz-meta-x"), "1");
  EXPECT_EQ(t.code({"PUT", "/data/a", "", {{"x-amz-copy-source", "data/a"}}}), "InvalidRequest");
  t.s3({"PUT",
        "/data/a",
        "",
        {{"x-amz-copy-source", "data/a"}, {"x-amz-metadata-directive", "REPLACE"}}});
  EXPECT_EQ(header(t.s3({"GET", "/data/a"}), "x-amz-meta-x"), "");
  const Answer gone = t.s3({"POST", "/data?delete",
                            "<Delete><Object><Key>a</Key></Object><Object><Key>none</Key></Object>"
                            "</Delete>"});
  EXPECT_EQ(gone.all("Deleted/Key"), (std::vector<std::string>{"a", "none"}));
  EXPECT_EQ(t.s3({"DELETE", "/data/b"}).status(), 204);
  EXPECT_EQ(t.code({"GET", "/data/b"}), "NoSuchKey");
  EXPECT_EQ(t.s3({"DELETE", "/data"}).status(), 204);
}

TEST_F(S3, UploadsInParts) {
  const std::string id = t.s3({"POST", "/data/big?uploads"}).at("UploadId");
  const std::string one(5 << 20, '1'), at = "/data/big?uploadId=" + id;
  const std::string first = header(t.s3({"PUT", at + "&partNumber=1", one}), "ETag"),
                    second = header(t.s3({"PUT", at + "&partNumber=2", "2"}), "ETag");
  EXPECT_EQ(t.s3({"GET", at + "&max-parts=1"}).at("IsTruncated"), "true");
  EXPECT_EQ(t.s3({"GET", at}).all("Part/Size"), (std::vector<std::string>{"5242880", "1"}));
  EXPECT_EQ(t.s3({"GET", "/data?uploads"}).all("Upload/Key"), std::vector<std::string>{"big"});
  const Answer done = t.s3({"POST", at,
                            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" +
                                first + "</ETag></Part><Part><PartNumber>2</PartNumber><ETag>" +
                                second + "</ETag></Part></CompleteMultipartUpload>"});
  EXPECT_TRUE(done.at("ETag").ends_with("-2\"")) << done.body();
  EXPECT_EQ(t.s3({"GET", "/data/big"}).body(), one + "2");
  EXPECT_EQ(t.s3({"GET", "/data/big?partNumber=2"}).body(), "2");
  EXPECT_EQ(t.code({"PUT", at + "&partNumber=3", "3"}), "NoSuchUpload");
  EXPECT_EQ(t.code({"PUT", "/data/big?partNumber=10001&uploadId=" + id, "3"}), "NoSuchUpload");
}

TEST_F(S3, WhatIsPresignedHoldsForItsTime) {
  put("key", "bytes");
  const auto get = [&](const std::string& query) {
    return t.s3({"GET", "/data/key?" + query, "", {{"Authorization", ""}}});
  };
  const std::string v4 =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20191105%2Fus-west-2%2Fs3%2F"
      "aws4_request&X-Amz-Date=20191105T100000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&"
      "X-Amz-Signature=00";
  const std::string v2 = "AWSAccessKeyId=AKID&Signature=x&Expires=1572948060";  // 10:01:00
  EXPECT_EQ(get(v4).body(), "bytes");
  EXPECT_EQ(get(v2).body(), "bytes");
  EXPECT_EQ(get("").at("Code"), "AccessDenied");
  t.run(61s);
  EXPECT_EQ(get(v4).at("Message"), "Request has expired");
  EXPECT_EQ(get(v2).at("Message"), "Request has expired");
  EXPECT_EQ(get(v2).status(), 403);
}

TEST_F(S3, RefusesWithS3sErrorCodes) {
  EXPECT_EQ(t.code({"GET", "/none/key"}), "NoSuchBucket");
  EXPECT_EQ(t.s3({"GET", "/none/key"}).status(), 404);
  EXPECT_EQ(t.code({"PUT", "/Bad_Name", kHere}), "InvalidBucketName");
  EXPECT_EQ(t.code({"PUT", "/other"}), "IllegalLocationConstraintException");
  EXPECT_EQ(t.code({"PUT", "/data/" + std::string(1025, 'k'), "x"}), "KeyTooLongError");
  EXPECT_EQ(t.code({"GET", "/data?analytics&id=1"}), "NotImplemented") << "and no list";
  put("kept", "bytes");
  EXPECT_EQ(t.code({"PUT", "/data/kept?acl", "", {{"x-amz-acl", "private"}}}), "NotImplemented");
  EXPECT_EQ(t.code({"PUT", "/data?versioning", "<VersioningConfiguration/>"}), "NotImplemented");
  EXPECT_EQ(t.code({"PUT", "/data/kept?uploadId=x", "other"}), "InvalidRequest");
  EXPECT_EQ(t.s3({"GET", "/data/kept"}).body(), "bytes");
  EXPECT_EQ(t.code({"GET", "/data/kept?response-content-type=a%0D%0Ab"}), "InvalidArgument");
  EXPECT_EQ(t.code({"PATCH", "/data/key"}), "NotImplemented");
  EXPECT_EQ(t.code({"PUT", "/data?tagging", "<Tagging>"}), "MalformedXML");
  EXPECT_EQ(t.code({"PUT", "/data?acl", "", {{"x-amz-acl", "public-read"}}}),
            "AccessControlListNotSupported");
  EXPECT_EQ(t.code({"GET", "/data?list-type=2&max-keys=x"}), "InvalidArgument");
  const Answer elsewhere =
      t.s3({"GET",
            "/data",
            "",
            {{"Authorization",
              "AWS4-HMAC-SHA256 Credential=AKID/20191105/us-east-1/s3/aws4_request, "
              "SignedHeaders=host, Signature=00"}}});
  EXPECT_EQ(elsewhere.at("Code"), "AuthorizationHeaderMalformed");
  EXPECT_EQ(header(elsewhere, "x-amz-bucket-region"), "us-west-2") << "where clients go then";
  EXPECT_EQ(elsewhere.at("Region"), "us-west-2");
}

TEST_F(S3, LogsRequestsAndChanges) {
  put("dir/key", "bytes");
  const auto& calls = t.events;
  const auto last = [&](const char* kind) {
    const auto at = std::find_if(calls.rbegin(), calls.rend(),
                                 [&](const sim::Event& event) { return event.kind == kind; });
    return at == calls.rend() ? std::string() : at->fields.dump();
  };
  EXPECT_EQ(last("object.stored"),
            "{\"bucket\":\"data\",\"key\":\"dir/key\",\"bytes\":5,\"etag\":\"" +
                to_hex(digest_of(Algorithm::kMd5, std::string("bytes"))) + "\"}");
  EXPECT_EQ(
      last("api.call"),
      "{\"service\":\"s3\",\"action\":\"PutObject\",\"caller\":\"operator\",\"result\":\"ok\","
      "\"request\":{\"Bucket\":\"data\",\"Key\":\"dir/key\"}}");
  EXPECT_EQ(t.delay, t.backend.latencies.s3);
}

TEST_F(S3, AnEmptyObjectHasOnePartOfNothing) {
  put("empty", "");
  const Answer got = t.s3({"GET", "/data/empty?partNumber=1"});
  EXPECT_EQ(got.status(), 200);
  EXPECT_EQ(header(got, "Content-Range"), "");
}

TEST_F(S3, PagesOfUploadsShowEachPrefixOnce) {
  for (const char* key : {"a/1", "a/2", "b", "c/1"})
    t.s3({"POST", "/data/" + std::string(key) + "?uploads"});
  std::vector<std::string> shown;
  std::string marker;
  for (int page = 0; page < 4; ++page) {
    const Answer answer =
        t.s3({"GET", "/data?uploads&delimiter=%2F&max-uploads=1&key-marker=" + url_encode(marker)});
    for (const char* path : {"CommonPrefixes/Prefix", "Upload/Key"})
      for (const auto& name : answer.all(path)) shown.push_back(name);
    if (answer.at("IsTruncated") == "false") break;
    marker = answer.at("NextKeyMarker");
  }
  EXPECT_EQ(shown, (std::vector<std::string>{"a/", "b", "c/"}));
}

// Older SDKs send this request to the global endpoint by default.
TEST(Sts, ReportsTheCallersIdentity) {
  TestBackend t;
  Request request = TestBackend::post(
      "Action=GetCallerIdentity&Version=2011-06-15",
      "AWS4-HMAC-SHA256 Credential=AKID/20191105/us-east-1/sts/aws4_request, SignedHeaders=host, "
      "Signature=00");
  const Answer answer = t.send(request);
  EXPECT_EQ(answer.at("GetCallerIdentityResult/Account"), "123456789012");
  EXPECT_EQ(answer.at("GetCallerIdentityResult/Arn"),
            "arn:aws:sts::123456789012:assumed-role/operator/operator");
  const std::string id = t.instance({{"IamInstanceProfile.Name", "training"}});
  const Answer of_instance = [&] {
    Answer found;
    found.response = aws(t.backend, id)(request).response;
    found.xml.load_string(found.body().c_str());
    return found;
  }();
  EXPECT_EQ(of_instance.at("GetCallerIdentityResult/Arn"),
            "arn:aws:sts::123456789012:assumed-role/training/" + id);
}

}  // namespace
}  // namespace fakes
