// What clients can make of CloudWatch Logs: its requests, damaged.
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

const std::pair<const char*, const char*> kLogsSeeds[] = {
    {"CreateLogGroup", R"({"logGroupName":"h","tags":{"a":"b"},"kmsKeyId":"k"})"},
    {"CreateLogStream", R"({"logGroupName":"g","logStreamName":"t"})"},
    {"DeleteLogStream", R"({"logGroupName":"g","logStreamName":"t"})"},
    {"DescribeLogGroups", R"({"logGroupNamePrefix":"g","limit":5,"nextToken":"Zw=="})"},
    {"DescribeLogStreams",
     R"({"logGroupName":"g","orderBy":"LastEventTime","descending":true,"limit":3})"},
    {"DescribeLogStreams",
     R"({"logGroupName":"g","logStreamNamePrefix":"s","nextToken":"LTEgcw=="})"},
    {"PutLogEvents", R"({"logGroupName":"g","logStreamName":"s","logEvents":[)"
                     R"({"timestamp":1572948000000,"message":"one"},)"
                     R"({"timestamp":1572948000001,"message":"two"}]})"},
    {"GetLogEvents",
     R"({"logGroupName":"g","logStreamName":"s","startTime":1572948000000,"endTime":1572948000009,)"
     R"("limit":2,"startFromHead":true})"},
    {"GetLogEvents", R"({"logGroupName":"g","logStreamName":"s","nextToken":)"
                     R"("f/00000000000000000000000157294800000000000000000000000001"})"},
    {"FilterLogEvents",
     R"({"logGroupName":"g","logStreamNames":["s"],"filterPattern":"?one -\"t w\" ?three"})"},
    {"PutRetentionPolicy", R"({"logGroupName":"g","retentionInDays":1})"},
    {"TagLogGroup", R"({"logGroupName":"g","tags":{"a":"b"}})"},
    {"ListTagsForResource",
     R"({"resourceArn":"arn:aws:logs:us-west-2:123456789012:log-group:g:*"})"}};

TEST(LogsFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "logs",
             .target = "Logs_20140328.",
             .seeds = kLogsSeeds,
             .prepare =
                 [](TestJson& t) {
                   t.logs("CreateLogGroup", {{"logGroupName", "g"}});
                   t.logs("CreateLogStream", {{"logGroupName", "g"}, {"logStreamName", "s"}});
                 },
             .pause = 6h});
}

}  // namespace
}  // namespace fakes
