// CloudWatch Logs' requests and answers, as they are on the wire.
#include <gtest/gtest.h>

#include "fakes/json_for_test.h"

namespace fakes {
namespace {

using nlohmann::json;

class Logs : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(t.logs("CreateLogGroup", {{"logGroupName", "g"}}).status, 200);
    ASSERT_EQ(t.logs("CreateLogStream", {{"logGroupName", "g"}, {"logStreamName", "s"}}).status,
              200);
  }
  json put(const std::string& stream, const std::vector<std::pair<int, std::string>>& events) {
    json list = json::array();
    for (const auto& [after, message] : events)
      list.push_back({{"timestamp", kBegin + after}, {"message", message}});
    return t
        .logs("PutLogEvents",
              {{"logGroupName", "g"}, {"logStreamName", stream}, {"logEvents", list}})
        .body;
  }
  TestJson::JsonAnswer get(json more = json::object()) {
    more.update({{"logGroupName", "g"}, {"logStreamName", "s"}});
    return t.logs("GetLogEvents", more);
  }
  static std::string messages(const json& answer) {
    std::string all;
    for (const auto& event : answer.at("events")) all += event.at("message").get<std::string>();
    return all;
  }
  static constexpr std::int64_t kBegin = 1572948000000;  // kStart
  TestJson t;
};

TEST_F(Logs, WhatWasPutIsReadInOrderWithItsTimes) {
  const json answer = put("s", {{0, "a"}, {1, "b"}, {1, "c"}});
  EXPECT_EQ(answer.at("nextSequenceToken").get<std::string>().size(), 56u);
  EXPECT_FALSE(answer.contains("rejectedLogEventsInfo"));
  t.run(10s);
  const json got = get().body;
  EXPECT_EQ(messages(got), "abc");
  EXPECT_EQ(got.at("events")[1],
            (json{{"timestamp", kBegin + 1}, {"ingestionTime", kBegin}, {"message", "b"}}));
  EXPECT_EQ(messages(get({{"startTime", kBegin + 1}}).body), "bc");
  EXPECT_EQ(messages(get({{"endTime", kBegin + 1}}).body), "a");
}

// GetLogEvents begins with the latest, and a reader is at the end when its token comes back.
TEST_F(Logs, TokensGoBothWaysAndStayTheSameAtTheEnd) {
  put("s", {{0, "a"}, {1, "b"}, {2, "c"}, {3, "d"}, {4, "e"}});
  json page = get({{"limit", 2}}).body;
  EXPECT_EQ(messages(page), "de");
  page = get({{"limit", 2}, {"nextToken", page.at("nextBackwardToken")}}).body;
  EXPECT_EQ(messages(page), "bc");
  page = get({{"limit", 2}, {"nextToken", page.at("nextBackwardToken")}}).body;
  EXPECT_EQ(messages(page), "a");
  const json first = get({{"limit", 2}, {"nextToken", page.at("nextBackwardToken")}}).body;
  EXPECT_EQ(messages(first), "");
  EXPECT_EQ(first.at("nextBackwardToken"), page.at("nextBackwardToken"));

  page = get({{"limit", 3}, {"startFromHead", true}}).body;
  EXPECT_EQ(messages(page), "abc");
  page = get({{"startFromHead", true}, {"nextToken", page.at("nextForwardToken")}}).body;
  EXPECT_EQ(messages(page), "de");
  json last = get({{"startFromHead", true}, {"nextToken", page.at("nextForwardToken")}}).body;
  EXPECT_EQ(last.at("nextForwardToken"), page.at("nextForwardToken"));
  put("s", {{5, "f"}});
  last = get({{"startFromHead", true}, {"nextToken", last.at("nextForwardToken")}}).body;
  EXPECT_EQ(messages(last), "f");
  EXPECT_EQ(get({{"nextToken", "f"}}).error(),
            "InvalidParameterException: The specified nextToken is invalid.");
}

TEST_F(Logs, ATokenOfAnEmptyStreamShowsWhatComesLater) {
  const json head = get({{"startFromHead", true}}).body, tail = get().body;
  EXPECT_EQ(head.at("events"), json::array());
  put("s", {{0, "a"}});
  EXPECT_EQ(messages(get({{"nextToken", head.at("nextForwardToken")}}).body), "a");
  EXPECT_EQ(messages(get({{"nextToken", tail.at("nextForwardToken")}}).body), "a");
}

TEST_F(Logs, StreamsAreListedByNameOrByTheirLastEvent) {
  for (const char* name : {"job/algo-1-2", "job/algo-1-1", "other"})
    t.logs("CreateLogStream", {{"logGroupName", "g"}, {"logStreamName", name}});
  put("job/algo-1-1", {{9, "x"}});
  put("other", {{5, "x"}});
  const auto names = [](const json& answer) {
    std::string all;
    for (const auto& stream : answer.at("logStreams"))
      all += stream.at("logStreamName").get<std::string>() + " ";
    return all;
  };
  const auto list = [&](json more) {
    more["logGroupName"] = "g";
    return t.logs("DescribeLogStreams", more);
  };
  EXPECT_EQ(names(list(json::object()).body), "job/algo-1-1 job/algo-1-2 other s ");
  json page =
      list({{"logStreamNamePrefix", "job/"}, {"orderBy", "LogStreamName"}, {"limit", 1}}).body;
  EXPECT_EQ(names(page), "job/algo-1-1 ");
  page = list({{"logStreamNamePrefix", "job/"}, {"nextToken", page.at("nextToken")}}).body;
  EXPECT_EQ(names(page), "job/algo-1-2 ");
  EXPECT_FALSE(page.contains("nextToken"));
  page = list({{"orderBy", "LastEventTime"}, {"descending", true}, {"limit", 2}}).body;
  EXPECT_EQ(names(page), "job/algo-1-1 other ");
  EXPECT_EQ(page.at("logStreams")[0].at("lastEventTimestamp"), kBegin + 9);
  EXPECT_EQ(page.at("logStreams")[0].at("arn"),
            "arn:aws:logs:us-west-2:123456789012:log-group:g:log-stream:job/algo-1-1");
  page =
      list(
          {{"orderBy", "LastEventTime"}, {"descending", true}, {"nextToken", page.at("nextToken")}})
          .body;
  EXPECT_EQ(names(page), "s job/algo-1-2 ");
  EXPECT_EQ(list({{"orderBy", "LastEventTime"}, {"logStreamNamePrefix", "job"}}).error(),
            "InvalidParameterException: Cannot order by LastEventTime with a logStreamNamePrefix.");
}

TEST_F(Logs, AFilterFindsTermsInAllStreams) {
  t.logs("CreateLogStream", {{"logGroupName", "g"}, {"logStreamName", "job/1"}});
  put("s", {{0, "ERROR one"}, {2, "INFO two"}});
  put("job/1", {{1, "ERROR three"}, {3, "WARN four"}});
  const auto filter = [&](json more) {
    more["logGroupName"] = "g";
    return t.logs("FilterLogEvents", more);
  };
  const json found = filter({{"filterPattern", "?ERROR ?WARN"}}).body;
  EXPECT_EQ(messages(found), "ERROR oneERROR threeWARN four");
  EXPECT_EQ(found.at("events")[1].at("logStreamName"), "job/1");
  EXPECT_EQ(found.at("searchedLogStreams"), json::array());
  EXPECT_LT(found.at("events")[0].at("eventId"), found.at("events")[1].at("eventId"));
  EXPECT_EQ(messages(filter({{"logStreamNamePrefix", "job/"}, {"endTime", kBegin + 1}}).body),
            "ERROR three");
  EXPECT_EQ(messages(filter({{"logStreamNames", {"s"}}, {"startTime", kBegin + 1}}).body),
            "INFO two");
  std::string all;
  json page = {{"nextToken", nullptr}};
  while (page.contains("nextToken")) {
    page = filter({{"limit", 1}, {"nextToken", page.at("nextToken")}}).body;
    all += messages(page).substr(0, 1);
  }
  EXPECT_EQ(all, "EEIW");
  EXPECT_EQ(filter({{"logStreamNames", {"none"}}}).error(),
            "ResourceNotFoundException: The specified log stream does not exist.");
  EXPECT_EQ(filter({{"filterPattern", "{ $.a = 1 }"}}).error().substr(0, 20),
            "UnsupportedOperation");
}

TEST_F(Logs, GroupsHaveTagsAndARetention) {
  ASSERT_EQ(t.logs("CreateLogGroup",
                   {{"logGroupName", "/aws/sagemaker/TrainingJobs"}, {"tags", {{"a", "1"}}}})
                .status,
            200);
  ASSERT_EQ(t.logs("PutRetentionPolicy", {{"logGroupName", "g"}, {"retentionInDays", 7}}).status,
            200);
  const json groups = t.logs("DescribeLogGroups", json::object()).body.at("logGroups");
  EXPECT_EQ(groups[0].at("logGroupName"), "/aws/sagemaker/TrainingJobs");
  EXPECT_EQ(groups[1].at("retentionInDays"), 7);
  EXPECT_EQ(groups[1].at("arn"), "arn:aws:logs:us-west-2:123456789012:log-group:g:*");
  const json page = t.logs("DescribeLogGroups", {{"limit", 1}}).body;
  EXPECT_EQ(t.logs("DescribeLogGroups", {{"nextToken", page.at("nextToken")}})
                .body.at("logGroups")[0]
                .at("logGroupName"),
            "g");
  EXPECT_EQ(t.logs("DescribeLogGroups", {{"logGroupNamePattern", "TRAINING"}})
                .body.at("logGroups")
                .size(),
            1u);
  const std::string arn =
      "arn:aws:logs:us-west-2:123456789012:log-group:/aws/sagemaker/TrainingJobs";
  t.logs("TagResource", {{"resourceArn", arn}, {"tags", {{"b", "2"}}}});
  t.logs("UntagResource", {{"resourceArn", arn}, {"tagKeys", {"a"}}});
  EXPECT_EQ(t.logs("ListTagsForResource", {{"resourceArn", arn}}).body.at("tags"),
            (json{{"b", "2"}}));
  EXPECT_EQ(t.logs("PutRetentionPolicy", {{"logGroupName", "g"}, {"retentionInDays", 2}})
                .error()
                .substr(0, 25),
            "InvalidParameterException");
}

TEST_F(Logs, RefusesWithTheServicesMessages) {
  EXPECT_EQ(t.logs("CreateLogGroup", {{"logGroupName", "g"}}).error(),
            "ResourceAlreadyExistsException: The specified log group already exists");
  EXPECT_EQ(t.logs("DeleteLogGroup", {{"logGroupName", "none"}}).error(),
            "ResourceNotFoundException: The specified log group does not exist.");
  EXPECT_EQ(t.logs("GetLogEvents", {{"logGroupName", "g"}, {"logStreamName", "none"}}).error(),
            "ResourceNotFoundException: The specified log stream does not exist.");
  EXPECT_EQ(get({{"limit", 10001}}).error(),
            "InvalidParameterException: 1 validation error detected: Value '10001' at 'limit' "
            "failed to satisfy constraint: Member must have value less than or equal to 10000");
  EXPECT_EQ(t.logs("DescribeLogStreams", json::object()).error(),
            "InvalidParameterException: 1 validation error detected: Value null at 'logGroupName' "
            "failed to satisfy constraint: Member must not be null");
}

TEST_F(Logs, RefusesUnknownParametersAndTakesThoseOfNewerAgents) {
  EXPECT_EQ(t.logs("DescribeLogStreams", {{"logGroupName", "g"}, {"prefix", "s"}}).error(),
            "InvalidParameterException: Unknown parameter in input: \"prefix\", must be one of: "
            "logGroupName, logStreamNamePrefix, orderBy, descending, nextToken, limit");
  EXPECT_EQ(t.logs("DescribeLogGroups", {{"logGroupClass", "DELIVERY"}}).error().substr(0, 25),
            "InvalidParameterException");
  EXPECT_EQ(t.logs("CreateLogGroup", {{"logGroupName", "h"}, {"logGroupClass", "STANDARD"}}).status,
            200);
  const auto taken = t.logs(
      "PutLogEvents", {{"logGroupName", "g"},
                       {"logStreamName", "s"},
                       {"entity", {{"keyAttributes", {{"Type", "AWS"}}}}},
                       {"logEvents", json::array({{{"timestamp", kBegin}, {"message", "m"}}})}});
  EXPECT_EQ(taken.status, 200) << taken.body;
}

TEST_F(Logs, ReportsUnknownActionsAndOtherRegions) {
  EXPECT_EQ(t.logs("StartQuery", json::object()).error(),
            "UnknownOperationException: The action Logs_20140328.StartQuery is not part of this "
            "simulated AWS.");
  Request request = TestJson::request("logs", "Logs_20140328.DescribeLogGroups", "{}");
  std::string signature(request["Authorization"]);
  signature.replace(signature.find("us-west-2"), 9, "eu-west-1");
  request.set("Authorization", signature);
  EXPECT_EQ(t.ask(request).error(),
            "InvalidSignatureException: Credential should be scoped to a valid region, not "
            "'eu-west-1'.");
}

TEST_F(Logs, RejectedEventsAreCountedAndTheOthersKept) {
  EXPECT_EQ(put("s", {{0, "a"}, {7'200'001, "late"}}).at("rejectedLogEventsInfo"),
            (json{{"tooNewLogEventStartIndex", 1}}));
  EXPECT_EQ(messages(get().body), "a");
}

TEST_F(Logs, TheLogNamesWhatAShortRequestNames) {
  get();
  EXPECT_NE(t.lines.back().find("\"action\":\"GetLogEvents\""), std::string::npos)
      << t.lines.back();
  EXPECT_NE(t.lines.back().find("\"logStreamName\":\"s\""), std::string::npos) << t.lines.back();
}

// Unsigned, which `spotsim serve --profile instant` accepts.
TEST_F(Logs, ARequestWithoutSignatureIsTakenByItsTargetOrItsHost) {
  t.api = aws(t.backend, "operator", Access::kAnyone);
  Request request = TestJson::request("x", "Logs_20140328.DescribeLogGroups", "{}");
  request.erase("Authorization");
  EXPECT_EQ(t.ask(request).status, 200);
  request.set("X-Amz-Target", "Unknown_1.DescribeLogGroups");
  request.set("Host", "logs.us-west-2.amazonaws.com");
  EXPECT_EQ(t.ask(request).error().substr(0, 25), "UnknownOperationException");
}

}  // namespace
}  // namespace fakes
