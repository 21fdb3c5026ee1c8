#include "api/rest.h"

#include <gtest/gtest.h>

#include "api/lambda.h"
#include "api/protocol.h"
#include "api/rest_route.h"
#include "api/s3.h"
#include "api/toy_for_test.h"
#include "api/value.h"

namespace api {
namespace {

using Why = Refusal::Why;

HttpRequest http(std::string method, std::string path, std::string query = "",
                 std::vector<std::pair<std::string, std::string>> headers = {},
                 std::string body = "") {
  HttpRequest request{std::move(method), std::move(path), std::move(query), {}, std::move(body)};
  for (auto& [name, value] : headers) request.headers.add(name, std::move(value));
  return request;
}

std::string_view routed(const Service& service, const HttpRequest& request) {
  const Operation* const found = route(service, request, parameters_of(service, request));
  return found == nullptr ? "none" : found->name;
}

template <class Request>
Request read_by(const Service& service, const HttpRequest& request) {
  const auto parameters = parameters_of(service, request);
  Request out;
  read_request(service, *route(service, request, parameters), request, parameters, &out);
  return out;
}

PutToyRequest toy_by_json(const HttpRequest& request) {
  return read_by<PutToyRequest>(kToyJson, request);
}

TEST(ApiRest, PathsMatchLabelByLabel) {
  const auto labels = match_path("/{Bucket}/{Key+}", "/b/a%2Fdir/file/");
  ASSERT_TRUE(labels);
  EXPECT_EQ(*labels, (PathLabels{{"Bucket", "b"}, {"Key", "a%2Fdir/file/"}}));
  EXPECT_EQ(*match_path("/f/{Name}/invocations", "/f/x/invocations/"), (PathLabels{{"Name", "x"}}));
  EXPECT_EQ(*match_path("/a/{All+}/end", "/a/b/end/c/end"), (PathLabels{{"All", "b/end/c"}}));
  EXPECT_TRUE(match_path("/", ""));
  EXPECT_TRUE(match_path("/functions/", "/functions"));
  EXPECT_TRUE(match_path("/functions", "/functions/"));
  for (const auto& [pattern, path] :
       {std::pair("/{Bucket}", "/"), std::pair("/{Bucket}", "/b/k"), std::pair("/{Bucket}", ""),
        std::pair("/{Bucket}/{Key+}", "/b/"), std::pair("/{Bucket}/{Key+}", "/b"),
        std::pair("/f/{Name}/x", "/f//x"), std::pair("/f/{Name}/x", "/f/a/y"),
        std::pair("/a/{All+}/end", "/a/b/c"), std::pair("/", "/a"), std::pair("/a", "b")})
    EXPECT_FALSE(match_path(pattern, path)) << pattern << " " << path;
}

TEST(ApiRest, OnePathOfS3IsSeveralOperations) {
  const auto s3 = [](const HttpRequest& request) { return routed(s3::kService, request); };
  EXPECT_EQ(s3(http("PUT", "/b/k")), "PutObject");
  EXPECT_EQ(s3(http("PUT", "/b/k", "x-id=PutObject")), "PutObject");
  EXPECT_EQ(s3(http("PUT", "/b/k", "", {{"X-Amz-Copy-Source", "/b/o"}})), "CopyObject");
  EXPECT_EQ(s3(http("PUT", "/b/k", "partNumber=1&uploadId=u")), "UploadPart");
  EXPECT_EQ(s3(http("PUT", "/b/k", "partNumber=1&uploadId=u", {{"x-amz-copy-source", "/b/o"}})),
            "UploadPartCopy");
  EXPECT_EQ(s3(http("PUT", "/b/k", "tagging")), "PutObjectTagging");
  EXPECT_EQ(s3(http("PUT", "/b", "acl")), "PutBucketAcl");
  EXPECT_EQ(s3(http("PUT", "/b")), "CreateBucket");
  EXPECT_EQ(s3(http("GET", "/b")), "ListObjects");
  EXPECT_EQ(s3(http("GET", "/b/", "prefix=a&list-type=2")), "ListObjectsV2");
  EXPECT_EQ(s3(http("GET", "/b", "location=")), "GetBucketLocation");
  EXPECT_EQ(s3(http("GET", "/b", "uploads")), "ListMultipartUploads");
  EXPECT_EQ(s3(http("GET", "/b/k", "uploadId=u")), "ListParts");
  EXPECT_EQ(s3(http("GET", "/b/k")), "GetObject");
  EXPECT_EQ(s3(http("HEAD", "/b/k")), "HeadObject");
  EXPECT_EQ(s3(http("GET", "/")), "ListBuckets");
  EXPECT_EQ(s3(http("DELETE", "/b/k")), "DeleteObject");
  EXPECT_EQ(s3(http("DELETE", "/b/k", "uploadId=u")), "AbortMultipartUpload");
  EXPECT_EQ(s3(http("POST", "/b", "delete")), "DeleteObjects");
  EXPECT_EQ(s3(http("POST", "/b/k", "uploads")), "CreateMultipartUpload");
  EXPECT_EQ(s3(http("POST", "/b/k", "uploadId=u")), "CompleteMultipartUpload");
  EXPECT_EQ(s3(http("PATCH", "/b/k")), "none");
  EXPECT_EQ(s3(http("POST", "/b")), "none");
}

TEST(ApiRest, ASingleMissingPartIsNamed) {
  const auto request = http("DELETE", "/2017-03-31/tags/arn");
  EXPECT_EQ(routed(lambda::kService, request), "UntagResource");
  const Refusal refusal =
      refusal_of([&] { read_by<lambda::op::UntagResource::Request>(lambda::kService, request); });
  EXPECT_EQ(refusal.why, Why::kMissing);
  EXPECT_EQ(refusal.where, "tagKeys");
}

TEST(ApiRest, PathQueryHeadersAndBodyAreOneRequest) {
  const auto put = read_by<s3::op::PutObject::Request>(
      s3::kService, http("PUT", "/b/a%20dir/x+y", "x-id=PutObject",
                         {{"X-AMZ-Meta-Job", "7"},
                          {"x-amz-meta-", "nameless"},
                          {"Content-Type", "text/plain"},
                          {"x-amz-server-side-encryption-bucket-key-enabled", "True"},
                          {"Expires", "Tue, 05 Nov 2019 10:00:00 GMT"},
                          {"X-Unknown", "1"}},
                         "data"));
  EXPECT_EQ(put.bucket, "b");
  EXPECT_EQ(put.key, "a dir/x+y");
  EXPECT_EQ(put.metadata.size(), 1u);
  EXPECT_EQ(put.metadata.at("Job"), "7");
  EXPECT_EQ(put.content_type, "text/plain");
  EXPECT_EQ(put.bucket_key_enabled, true);
  EXPECT_EQ(put.expires, Timestamp(std::chrono::seconds(1572948000)));
  EXPECT_EQ(put.body, "data");

  const auto remove = read_by<s3::op::DeleteObjects::Request>(
      s3::kService, http("POST", "/b", "delete", {},
                         "<Delete><Object><Key>a</Key></Object><Object><Key>b</Key></Object>"
                         "<Quiet>true</Quiet></Delete>"));
  ASSERT_EQ(remove.delete_->objects.size(), 2u);
  EXPECT_EQ(remove.delete_->objects[1].key, "b");
  EXPECT_EQ(remove.delete_->quiet, true);

  const auto tags = read_by<lambda::op::UntagResource::Request>(
      lambda::kService, http("DELETE", "/2017-03-31/tags/arn%3Aaws", "tagKeys=a&tagKeys=b"));
  EXPECT_EQ(tags.resource, "arn:aws");
  EXPECT_EQ(tags.tag_keys, (std::vector<std::string>{"a", "b"}));

  const auto attributes = read_by<s3::op::GetObjectAttributes::Request>(
      s3::kService, http("GET", "/b/k", "attributes",
                         {{"x-amz-object-attributes", "ETag, ObjectParts,ObjectSize"}}));
  EXPECT_EQ(attributes.object_attributes,
            (std::vector<std::string>{"ETag", "ObjectParts", "ObjectSize"}));
}

TEST(ApiRest, RefusedMembersAreRefusedWhereverTheyAre) {
  const struct {
    HttpRequest request;
    const char* where;
  } kRefused[] = {
      {http("PUT", "/toys/a", "old=1"), "old"},
      {http("PUT", "/toys/a", "", {{"X-Old", "1"}}), "x-old"},
      {http("PUT", "/toys/a", "", {{"x-old-a", "1"}}), "x-old-"},
      {http("PUT", "/toys/a", "", {}, R"({"Old":1})"), "Old"},
      {http("PUT", "/toys/a", "", {}, R"({"Child":{"Old":1}})"), "Child.Old"},
      {http("PUT", "/toys/a", "", {}, R"({"Children":[{},{"Old":1}]})"), "Children.2.Old"}};
  for (const auto& [request, where] : kRefused) {
    const Refusal refusal = refusal_of([request = request] { toy_by_json(request); });
    EXPECT_EQ(refusal.why, Why::kUnsupported) << where;
    EXPECT_EQ(refusal.where, where);
  }
  const auto ignored = toy_by_json(http("PUT", "/toys/a", "hint=1&hint=2&limit=3",
                                        {{"x-hint", "1"}}, R"({"Hint":{"a":[]},"Name":"n"})"));
  EXPECT_EQ(ignored.limit, 3);
  EXPECT_EQ(ignored.toy->name, "n");
  const auto xml = http("PUT", "/toys/a", "", {}, "<Toy><Child><Old/></Child></Toy>");
  EXPECT_EQ(refusal_of([&] { read_by<PutToyRequest>(kToyXml, xml); }).why, Why::kUnsupported);
}

TEST(ApiRest, WhatNoMemberTakesIsRefused) {
  const struct {
    HttpRequest request;
    const char* where;
  } kRefused[] = {
      {http("PUT", "/b/k", "renameObject"), "?renameObject"},
      {http("PUT", "/b/k", "x-amz-new=1"), "?x-amz-new"},
      {http("PUT", "/b/k", "", {{"X-Amz-Write-Offset-Bytes", "1"}}), "x-amz-write-offset-bytes"},
      {http("GET", "/b", "", {{"If-Match", "e"}}), "if-match"},
      {http("PUT", "/b/k", "", {{"Content-Range", "bytes 0-1/2"}}), "content-range"}};
  for (const auto& [request, where] : kRefused) {
    const Refusal refusal = refusal_of([request = request] {
      const auto parameters = parameters_of(s3::kService, request);
      const Operation& operation = *route(s3::kService, request, parameters);
      Object object(*operation.input.shape);
      read_request(s3::kService, operation, request, parameters, object.get());
    });
    EXPECT_EQ(refusal.why, Why::kUnsupported) << where;
    EXPECT_EQ(refusal.where, where);
  }
  const auto unknown = http("PUT", "/toys/a", "x=y");
  EXPECT_EQ(refusal_of([&] { toy_by_json(unknown); }).where, "?x");
}

TEST(ApiRest, WhatIsNoRequestIsRefused) {
  const struct {
    HttpRequest request;
    Why why;
  } kWrong[] = {{http("PUT", "/toys/a%"), Why::kMalformed},
                {http("PUT", "/toys/%ff"), Why::kMalformed},
                {http("PUT", "/toys/a", "limit=x"), Why::kType},
                {http("PUT", "/toys/a", "limit=1&limit=1"), Why::kMalformed},
                {http("PUT", "/toys/a", "limit=101"), Why::kMax},
                {http("PUT", "/toys/a", "", {{"x-quick", "yes"}}), Why::kType},
                {http("PUT", "/toys/a", "", {}, "{"), Why::kMalformed},
                {http("PUT", "/toys/a", "", {}, R"({"Size":-1})"), Why::kMin}};
  for (const auto& [request, why] : kWrong)
    EXPECT_EQ(refusal_of([request = request] { toy_by_json(request); }).why, why)
        << request.path << request.query << request.body;
  for (const char* query : {"limit=%zz", "=1"}) {
    const auto request = http("PUT", "/toys/a", query);
    EXPECT_EQ(refusal_of([&] { parameters_of(kToyJson, request); }).why, Why::kMalformed);
  }
  const auto metadata = http("PUT", "/b/k", "", {{"x-amz-meta-a", "\xff"}});
  EXPECT_EQ(refusal_of([&] { read_by<s3::op::PutObject::Request>(s3::kService, metadata); }).why,
            Why::kType);
}

TEST(ApiRest, ARequestWithoutAPartOfItsPathIsNotWritten) {
  for (const auto& name : {Opt<std::string>(), Opt<std::string>("")}) {
    const PutToyRequest request{.name = name};
    const Refusal refusal =
        refusal_of([&] { write_request(kToyJson, kToyJson.operations[0], &request); });
    EXPECT_EQ(refusal.why, Why::kMissing);
    EXPECT_EQ(refusal.where, "Name");
  }
}

TEST(ApiRest, WhatIsWrittenCanBeReadAgain) {
  const PutToyRequest request{.name = "a b/c",
                              .limit = 3,
                              .quick = false,
                              .toy = Toy{.name = "n", .child = Toy{.size = 1}}};
  for (const Service* const service : {&kToyJson, &kToyXml}) {
    const HttpRequest sent = write_request(*service, service->operations[0], &request);
    EXPECT_EQ(sent.method, "PUT");
    EXPECT_EQ(sent.path, "/toys/a%20b%2Fc");
    EXPECT_EQ(sent.query, "limit=3");
    const auto again = read_by<PutToyRequest>(*service, sent);
    EXPECT_EQ(again.name, request.name);
    EXPECT_EQ(again.limit, 3);
    EXPECT_EQ(again.quick, false);
    EXPECT_EQ(again.toy->child->size, 1);
  }
}

TEST(ApiRest, AResponseHasStatusHeadersAndBody) {
  lambda::op::Invoke::Response invoked{
      .function_error = "Unhandled", .payload = "[1]", .status_code = 202};
  const Operation& invoke = *lambda::kService.find("Invoke");
  HttpResponse response = write_response(lambda::kService, invoke, &invoked, "r-1");
  EXPECT_EQ(response.status, 202);
  EXPECT_EQ(*response.headers.find("x-amz-function-error"), "Unhandled");
  EXPECT_EQ(*response.headers.find("x-amzn-requestid"), "r-1");
  EXPECT_EQ(response.body, "[1]");
  lambda::op::Invoke::Response again;
  read_response(lambda::kService, invoke, response, &again);
  EXPECT_EQ(again.status_code, 202);
  EXPECT_EQ(again.payload, "[1]");

  const s3::op::HeadObject::Response head{.content_length = 5, .e_tag = "\"e\""};
  response = write_response(s3::kService, *s3::kService.find("HeadObject"), &head, "r-1");
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(*response.headers.find("content-length"), "5");
  EXPECT_EQ(*response.headers.find("x-amz-request-id"), "r-1");
}

TEST(ApiRest, AResponseInXmlHasADeclarationAndTheServicesNamespace) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                    xmlns = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";
  const s3::op::ListBuckets::Response buckets{.buckets = {{.name = "b"}}};
  EXPECT_EQ(write_response(s3::kService, *s3::kService.find("ListBuckets"), &buckets, "r").body,
            head + "<ListAllMyBucketsResult" + xmlns +
                "><Buckets><Bucket><Name>b</Name></Bucket></Buckets></ListAllMyBucketsResult>");
  const s3::op::CopyObject::Response copied{.copy_object_result = {{.e_tag = "e"}}};
  EXPECT_EQ(write_response(s3::kService, *s3::kService.find("CopyObject"), &copied, "r").body,
            head + "<CopyObjectResult" + xmlns + "><ETag>e</ETag></CopyObjectResult>");
}

}  // namespace
}  // namespace api
