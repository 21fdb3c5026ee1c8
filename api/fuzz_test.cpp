// Any bytes at all give a request, a response or a Refusal, and what was read can be written and
// read again. The sanitizer build watches the memory.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "api/error.h"
#include "api/protocol.h"
#include "api/roundtrip/services.h"
#include "api/toy_for_test.h"
#include "api/value.h"

namespace api {
namespace {

constexpr int kRounds = 100'000;

struct FuzzSeed {
  const Service* service;
  std::string_view operation;
  HttpRequest request;
  HttpResponse response;
};

std::string damaged(std::string text, std::mt19937& random) {
  static const std::string kMarks("&=.%+{}[]<>/\"\\,:;0129-xe\xff\xc3\0", 27);
  static const std::string kWords[] = {"null",      "1e999", "\\ud800", "&#0;",
                                       "<![CDATA[", ".1.",   "%00",     "\"Child\":{",
                                       "<Child>",   "]]>",   "&lt",     "[[[["};
  for (unsigned changes = random() % 4; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size(), from = random() % text.size();
    switch (random() % 6) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, random() % 9);
        break;
      case 2:
        text.insert(at, text.substr(from, random() % 40));
        break;
      case 3:
        text.insert(at, kWords[random() % std::size(kWords)]);
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text[at] = kMarks[random() % kMarks.size()];
    }
  }
  return text;
}

// How often each of these came about.
struct FuzzCounts {
  int read = 0, refused = 0, strayed = 0;
};

void fuzz_request(const Service& service, HttpRequest request, std::mt19937& random,
                  FuzzCounts& counts) {
  std::vector<std::string*> parts(4, &request.body);  // mostly the one where most is
  parts.push_back(&request.query);
  parts.push_back(&request.path);
  for (auto& header : request.headers) parts.push_back(&header.second);
  std::string& part = *parts[random() % parts.size()];
  part = damaged(part, random);
  const Operation* operation = nullptr;
  std::unique_ptr<Object> object;
  try {
    const auto parameters = parameters_of(service, request);
    operation = route(service, request, parameters);
    if (operation == nullptr) {
      ++counts.strayed;
      return;
    }
    object = std::make_unique<Object>(*operation->input.shape);
    read_request(service, *operation, request, parameters, object->get());
  } catch (const Refusal& refusal) {
    ASSERT_FALSE(error_of(service, refusal).code.empty());
    ++counts.refused;
    return;
  }
  ++counts.read;
  const HttpRequest again = write_request(service, *operation, object->get());
  Object same(*operation->input.shape);
  read_request(service, *operation, again, parameters_of(service, again), same.get());
  const HttpRequest third = write_request(service, *operation, same.get());
  ASSERT_EQ(again.body, third.body);
  ASSERT_EQ(again.query, third.query);
  ASSERT_EQ(again.path, third.path);
}

void fuzz_response(const FuzzSeed& seed, std::mt19937& random, FuzzCounts& counts) {
  HttpResponse response = seed.response;
  response.body = damaged(std::move(response.body), random);
  if (!response.headers.empty() && random() % 4 == 0)
    response.headers[0].second = damaged(std::move(response.headers[0].second), random);
  read_error(*seed.service, response);
  const Operation& operation = *seed.service->find(seed.operation);
  Object object(*operation.output.shape);
  try {
    read_response(*seed.service, operation, response, object.get());
    ++counts.read;
    write_response(*seed.service, operation, object.get(), "r-1");
  } catch (const Refusal&) {
    ++counts.refused;
  }
}

void fuzz(const std::vector<FuzzSeed>& seeds) {
  std::mt19937 random(1);
  FuzzCounts requests, responses;
  for (int round = 0; round < kRounds / 2 && !testing::Test::HasFatalFailure(); ++round) {
    const FuzzSeed& seed = seeds[random() % seeds.size()];
    fuzz_request(*seed.service, seed.request, random, requests);
    fuzz_response(seed, random, responses);
  }
  for (const FuzzCounts& counts : {requests, responses}) {
    EXPECT_GT(counts.read, kRounds / 20);
    EXPECT_GT(counts.refused, kRounds / 50);
  }
}

FuzzSeed form_seed(std::string_view service, std::string_view operation, std::string form,
                   std::string xml) {
  FuzzSeed seed{service_for_test(service), operation, {.body = std::move(form)}, {}};
  seed.request.headers.add("content-type", "application/x-www-form-urlencoded");
  seed.response.body = std::move(xml);
  return seed;
}

TEST(ApiFuzz, Ec2) {
  fuzz({form_seed("ec2", "DescribeVolumes",
                  "Action=DescribeVolumes&Version=2016-11-15&Filter.2.Value.1=b&Filter.1.Name=a&"
                  "Filter.2.Name=tag%3Ax&VolumeId.1=v&MaxResults=5&NextToken=",
                  "<DescribeVolumesResponse><volumeSet><item><volumeId>v</volumeId><size>8</size>"
                  "<createTime>2019-11-05T10:00:00.000Z</createTime><tagSet><item><key>k</key>"
                  "<value>&#252;</value></item></tagSet></item></volumeSet>"
                  "</DescribeVolumesResponse>"),
        form_seed("ec2", "CreateVolume",
                  "Action=CreateVolume&AvailabilityZone=a&Size=7&Encrypted=true&"
                  "TagSpecification.1.ResourceType=volume&TagSpecification.1.Tag.1.Key=k&"
                  "TagSpecification.1.Tag.2.Key=%C3%BC",
                  "<CreateVolumeResponse><volumeId>v</volumeId><encrypted>true</encrypted>"
                  "</CreateVolumeResponse>"),
        form_seed("ec2", "RunInstances",
                  "Action=RunInstances&MinCount=1&MaxCount=1&InstanceMarketOptions.MarketType=spot&"
                  "BlockDeviceMapping.1.Ebs.VolumeSize=8&NetworkInterface.1.DeviceIndex=0",
                  "<RunInstancesResponse><instancesSet><item><instanceState><code>0</code>"
                  "</instanceState></item></instancesSet></RunInstancesResponse>")});
}

TEST(ApiFuzz, Query) {
  fuzz({form_seed("autoscaling", "DescribeAutoScalingGroups",
                  "Action=DescribeAutoScalingGroups&AutoScalingGroupNames.member.1=g&"
                  "Filters.member.1.Name=tag-key&Filters.member.1.Values.member.1=a&MaxRecords=9",
                  "<DescribeAutoScalingGroupsResponse><DescribeAutoScalingGroupsResult>"
                  "<AutoScalingGroups><member><MinSize>1</MinSize><CreatedTime>2019-11-05T10:00:00Z"
                  "</CreatedTime></member></AutoScalingGroups></DescribeAutoScalingGroupsResult>"
                  "</DescribeAutoScalingGroupsResponse>"),
        form_seed("iam", "GetAccountSummary", "Action=GetAccountSummary&Version=2010-05-08",
                  "<GetAccountSummaryResponse><GetAccountSummaryResult><SummaryMap><entry>"
                  "<key>Users</key><value>3</value></entry></SummaryMap></GetAccountSummaryResult>"
                  "</GetAccountSummaryResponse>")});
}

FuzzSeed json_seed(std::string_view service, std::string_view target, std::string_view operation,
                   std::string request, std::string response) {
  FuzzSeed seed{service_for_test(service), operation, {.body = std::move(request)}, {}};
  seed.request.headers.add("x-amz-target", std::string(target));
  seed.response.body = std::move(response);
  return seed;
}

TEST(ApiFuzz, Json) {
  fuzz({json_seed(
            "logs", "Logs_20140328.PutLogEvents", "PutLogEvents",
            R"({"logGroupName":"g","logStreamName":"s\u00fc\ud83d\ude00","logEvents":)"
            R"([{"timestamp":1572948000000,"message":"m","x":[1,{"a":null}]}]})",
            R"({"nextSequenceToken":"t","rejectedLogEventsInfo":{"tooNewLogEventStartIndex":1}})"),
        json_seed(
            "dynamodb", "DynamoDB_20120810.PutItem", "PutItem",
            R"({"TableName":"tab","Item":{"a":{"M":{"b":{"L":[{"S":"x"},{"BS":["AP8="]}]}}}}})",
            R"({"Attributes":{"a":{"M":{"b":{"L":[{"N":"1"},{"NULL":true}]}}}}})"),
        json_seed("wafv2", "AWSWAF_20190729.CreateRuleGroup", "CreateRuleGroup",
                  R"({"Name":"n","Scope":"REGIONAL","Capacity":1,"VisibilityConfig":)"
                  R"({"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":false,)"
                  R"("MetricName":"m"},"Rules":[{"Name":"r","Priority":1,"VisibilityConfig":)"
                  R"({"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":false,)"
                  R"("MetricName":"m"},"Statement":{"NotStatement":{"Statement":)"
                  R"({"GeoMatchStatement":{"CountryCodes":["DE"]}}}}}]})",
                  R"({"Summary":{"Name":"n","Id":"i"}})")});
}

FuzzSeed rest_seed(const Service& service, std::string_view operation, HttpRequest request,
                   std::string response) {
  return {&service, operation, std::move(request), {.body = std::move(response)}};
}

TEST(ApiFuzz, RestJson) {
  const Service& lambda = *service_for_test("lambda");
  fuzz({rest_seed(kToyJson, "PutToy",
                  {"PUT",
                   "/toys/a%20b",
                   "limit=3&hint=1",
                   {},
                   R"({"Name":"n","Child":{"Tags":{"a":"1"},"Words":["x"]},"Children":[{}]})"},
                  R"({"Name":"n","Child":{"Tags":{"a":"1"},"Words":["x"]},"Children":[{}]})"),
        rest_seed(lambda, "Invoke",
                  {"POST", "/2015-03-31/functions/f/invocations", "Qualifier=1", {}, "[1]"}, "[2]"),
        rest_seed(lambda, "UntagResource",
                  {"DELETE", "/2017-03-31/tags/arn", "tagKeys=a&tagKeys=b", {}, ""}, "{}"),
        rest_seed(lambda, "ListFunctions", {"GET", "/2015-03-31/functions/", "MaxItems=5", {}, ""},
                  R"({"Functions":[{"FunctionName":"f","CodeSize":1,"Environment":{"Variables":)"
                  R"({"A":"b"}}}],"NextMarker":null})")});
}

TEST(ApiFuzz, RestXml) {
  const Service& s3 = *service_for_test("s3");
  HttpRequest put{"PUT", "/b/a%20dir/x", "", {}, "data"};
  put.headers.add("expires", "Tue, 05 Nov 2019 10:00:00 GMT");
  fuzz({rest_seed(kToyXml, "PutToy",
                  {"PUT",
                   "/toys/a",
                   "limit=3",
                   {},
                   "<Toy Color=\"red\"><Name>n</Name><Child><Tags><entry><key>a</key>"
                   "<value>1</value></entry></Tags></Child><Words>x</Words></Toy>"},
                  "<Toy Color=\"red\"><Child><Size>1</Size></Child><Children><member/></Children>"
                  "</Toy>"),
        rest_seed(s3, "CompleteMultipartUpload",
                  {"POST",
                   "/b/k",
                   "uploadId=u",
                   {},
                   "<CompleteMultipartUpload><Part><ETag>e</ETag><PartNumber>1</PartNumber></Part>"
                   "</CompleteMultipartUpload>"},
                  "<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>"),
        rest_seed(s3, "PutObject", put, ""),
        rest_seed(s3, "ListObjectsV2", {"GET", "/b", "list-type=2&prefix=a%2Fb&max-keys=9", {}, ""},
                  "<ListBucketResult><Contents><Key>k</Key><Size>1</Size><LastModified>"
                  "2019-11-05T10:00:00.000Z</LastModified></Contents></ListBucketResult>")});
}

}  // namespace
}  // namespace api
