// Rules and their targets without a socket, and the events of the services.
#include "fakes/events/events_for_test.h"
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

using nlohmann::json;

TEST(Events, StatesOfInstancesComeToAQueue) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2"}}, {"detail-type", {"EC2 Instance State-change Notification"}}});
  const std::string id = t.instance();
  const auto got = t.received();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[1]["detail"], (json{{"instance-id", id}, {"state", "running"}}));
  EXPECT_EQ(got[1]["resources"][0], "arn:aws:ec2:us-west-2:123456789012:instance/" + id);
  EXPECT_EQ(got[1]["account"], "123456789012");
  EXPECT_EQ(got[1]["version"], "0");
}

TEST(Events, ARuleThatIsDisabledOrHasNoTargetSendsNothing) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2"}}});
  t.events("DisableRule", {{"Name", "r"}});
  t.instance();
  EXPECT_EQ(t.received().size(), 0U);
  t.events("EnableRule", {{"Name", "r"}});
  t.instance();
  EXPECT_EQ(t.received().size(), 2U);
  EXPECT_EQ(t.events("DeleteRule", {{"Name", "r"}})["__type"], "ValidationException");
  t.events("RemoveTargets", {{"Rule", "r"}, {"Ids", {"1"}}});
  t.instance();
  EXPECT_EQ(t.received().size(), 0U);
  t.events("DeleteRule", {{"Name", "r"}});
  EXPECT_EQ(t.events("DescribeRule", {{"Name", "r"}})["__type"], "ResourceNotFoundException");
}

TEST(Events, RefusalsHaveAwsTexts) {
  const TestEvents t;
  const auto tags_of = [&](const std::string& resource) {
    return t
        .events("ListTagsForResource",
                {{"ResourceARN", "arn:aws:events:us-west-2:123456789012:" + resource}})
        .value("message", "");
  };
  EXPECT_EQ(tags_of("rule/none"), "Rule none does not exist on EventBus default.");
  EXPECT_EQ(tags_of("rule/mine/none"), "Rule none does not exist on EventBus mine.");
  EXPECT_EQ(tags_of("event-bus/none"), "Event bus none does not exist.");
  EXPECT_EQ(
      t.events("PutTargets",
               {{"Rule", "none"},
                {"Targets", {{{"Id", "f"}, {"Arn", "arn:aws:sqs:us-west-2:123456789012:q.fifo"}}}}})
          .value("message", ""),
      "Parameter(s) SqsParameters must be specified for target: f.");
}

TEST(Events, VolumesAndSnapshotsNotify) {
  TestEvents t;
  t.rule({{"source", {"aws.ec2"}}, {"detail-type", json::array({{{"prefix", "EBS "}}})}});
  const std::string volume = t.volume();
  t.ec2("CreateSnapshot", {{"VolumeId", volume}});
  t.run(5min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0]["detail"]["event"], "createVolume");
  EXPECT_EQ(got[0]["detail"]["result"], "available");
  EXPECT_EQ(got[1]["detail-type"], "EBS Snapshot Notification");
  EXPECT_EQ(got[1]["detail"]["result"], "succeeded");
  EXPECT_EQ(got[1]["detail"]["source"], "arn:aws:ec2::us-west-2:volume/" + volume);
}

TEST(Events, ADeletedVolumeNotifies) {
  TestEvents t;
  t.rule({{"detail-type", {"EBS Volume Notification"}}, {"detail", {{"event", {"deleteVolume"}}}}});
  const std::string volume = t.volume();
  t.run(1min);
  t.ec2("DeleteVolume", {{"VolumeId", volume}});
  t.run(5min);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0]["detail"]["result"], "deleted");
  EXPECT_EQ(got[0]["resources"][0], "arn:aws:ec2:us-west-2:123456789012:volume/" + volume);
}

TEST(Events, AModificationOfAVolumeNotifies) {
  TestEvents t;
  t.rule({{"detail-type", {"EBS Volume Notification"}}, {"detail", {{"event", {"modifyVolume"}}}}});
  const std::string volume = t.volume();
  t.ec2("ModifyVolume", {{"VolumeId", volume}, {"Size", "200"}});
  t.run(1min);
  const auto first = t.received();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0]["detail"]["result"], "optimizing");
  EXPECT_EQ(first[0]["resources"][0], "arn:aws:ec2:us-west-2:123456789012:volume/" + volume);
  t.run(6h);
  const auto second = t.received();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0]["detail"]["result"], "completed");
}

TEST(Events, AnEventTakesTheDurationOfItsDelivery) {
  TestEvents t;
  t.rule({{"source", {"mine"}}}, {{"InputPath", "$.detail"}});
  const std::string deep = R"({"a":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  const json put =
      t.events("PutEvents", {{"Entries",
                              {{{"Source", "mine"}, {"DetailType", "d"}, {"Detail", R"({"a":1})"}},
                               {{"Source", "aws.ec2"}, {"DetailType", "d"}, {"Detail", "{}"}},
                               {{"Source", "mine"}, {"DetailType", "d"}, {"Detail", "1"}},
                               {{"Source", "mine"}, {"DetailType", "d"}, {"Detail", deep}}}}});
  EXPECT_EQ(put["FailedEntryCount"], 3) << put;
  EXPECT_EQ(put["Entries"][1]["ErrorCode"], "NotAuthorizedForSourceException");
  EXPECT_EQ(put["Entries"][2]["ErrorCode"], "MalformedDetail");
  EXPECT_EQ(put["Entries"][3]["ErrorCode"], "MalformedDetail") << "it is too deep";
  t.run(499ms);
  EXPECT_EQ(t.received().size(), 0U);
  t.run(1ms);
  EXPECT_EQ(t.received(), std::vector<json>{(json{{"a", 1}})});
}

TEST(Events, ATopicPassesAnEventToItsQueue) {
  TestEvents t;
  const auto sns = [&](const std::string& form) {
    return t.send(TestBackend::post(
        "Version=2010-03-31&" + form,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/sns/aws4_request, "
        "SignedHeaders=host, Signature=00"));
  };
  const std::string arn = sns("Action=CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  EXPECT_EQ(arn, "arn:aws:sns:us-west-2:123456789012:t");
  const auto subscribed = sns("Action=Subscribe&Protocol=sqs&TopicArn=" + arn +
                              "&Endpoint=arn:aws:sqs:us-west-2:123456789012:q");
  t.rule({{"source", {"mine"}}}, {{"Arn", arn}});
  t.events("PutEvents",
           {{"Entries", {{{"Source", "mine"}, {"DetailType", "d"}, {"Detail", "{}"}}}}});
  t.run(1s);
  const auto got = t.received();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0]["TopicArn"], arn);
  EXPECT_EQ(json::parse(got[0]["Message"].get<std::string>())["source"], "mine");
  sns("Action=SetSubscriptionAttributes&AttributeName=RawMessageDelivery&AttributeValue=true&"
      "SubscriptionArn=" +
      subscribed.at("SubscribeResult/SubscriptionArn"));
  sns("Action=Publish&Message={}&TopicArn=" + arn);
  EXPECT_EQ(t.received(), std::vector<json>{json::object()});
  EXPECT_EQ(sns("Action=Publish&Message=a&TopicArn=" + arn + "2").at("Error/Code"), "NotFound");
  EXPECT_EQ(sns("Action=Subscribe&Protocol=email&Endpoint=a@b&TopicArn=" + arn).at("Error/Code"),
            "InvalidParameter");
}

TEST(Events, AFilterPolicyChoosesMessages) {
  TestEvents t;
  const auto sns = [&](const std::string& form) {
    return t.send(TestBackend::post(
        "Version=2010-03-31&" + form,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/sns/aws4_request, "
        "SignedHeaders=host, Signature=00"));
  };
  const std::string arn = sns("Action=CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  sns("Action=Subscribe&Protocol=sqs&TopicArn=" + arn +
      "&Endpoint=arn:aws:sqs:us-west-2:123456789012:q&Attributes.entry.1.key=FilterPolicy&"
      "Attributes.entry.1.value=" +
      url_encode(R"({"kind":["job"],"n":[{"numeric":[">",2]}]})"));
  const auto publish = [&](const std::string& kind, const std::string& n) {
    sns("Action=Publish&Message=\"m\"&TopicArn=" + arn +
        "&MessageAttributes.entry.1.Name=kind&MessageAttributes.entry.1.Value.DataType=String&"
        "MessageAttributes.entry.1.Value.StringValue=" +
        kind +
        "&MessageAttributes.entry.2.Name=n&MessageAttributes.entry.2.Value.DataType=Number&"
        "MessageAttributes.entry.2.Value.StringValue=" +
        n);
  };
  publish("job", "2");
  publish("other", "3");
  publish("job", "3");
  EXPECT_EQ(t.received().size(), 1U);
}

TEST(Events, ARateComesOncePerPeriod) {
  TestEvents t;
  t.events("PutRule", {{"Name", "r"}, {"ScheduleExpression", "rate(5 minutes)"}});
  t.events("PutTargets",
           {{"Rule", "r"},
            {"Targets", {{{"Id", "1"}, {"Arn", "arn:aws:sqs:us-west-2:123456789012:q"}}}}});
  t.run(16min);
  EXPECT_EQ(t.received().size(), 3U);
}

TEST(Events, ACronScheduleComesAtItsTimes) {
  TestEvents t;
  t.events("PutRule", {{"Name", "c"}, {"ScheduleExpression", "cron(0/30 * * * ? *)"}});
  t.events("PutTargets",
           {{"Rule", "c"},
            {"Targets", {{{"Id", "1"}, {"Arn", "arn:aws:sqs:us-west-2:123456789012:q"}}}}});
  t.run(2h + 1min);  // from ten o'clock on
  const auto got = t.received();
  ASSERT_EQ(got.size(), 4U);
  EXPECT_EQ(got[0]["detail-type"], "Scheduled Event");
  for (const json& each : got) {
    const std::string minute = each["time"].get<std::string>().substr(14, 5);
    EXPECT_TRUE(minute == "00:00" || minute == "30:00") << each["time"];
  }
  EXPECT_EQ(
      t.events("PutRule", {{"Name", "d"}, {"ScheduleExpression", "cron(0 12 * * * *)"}})["message"],
      "Parameter ScheduleExpression is not valid.");
}

const std::pair<const char*, const char*> kEventsSeeds[] = {
    {"PutRule", R"({"Name":"r","EventPattern":"{\"source\":[\"mine\",{\"prefix\":\"a\"}]}"})"},
    {"PutTargets", R"({"Rule":"r","Targets":[{"Id":"2","Arn":)"
                   R"("arn:aws:sqs:us-west-2:123456789012:q","InputTransformer":{"InputPathsMap":)"
                   R"({"a":"$.detail.b[0]"},"InputTemplate":"\"<a> is\""}}]})"},
    {"PutEvents", R"({"Entries":[{"Source":"mine","DetailType":"d","Detail":"{\"b\":[1]}"}]})"},
    {"TestEventPattern",
     R"({"EventPattern":"{\"a\":[{\"wildcard\":\"*b\"}]}","Event":"{\"a\":\"ab\"}"})"},
    {"ListTargetsByRule", R"({"Rule":"r","Limit":1})"},
    {"ListRules", R"({"NamePrefix":"r","NextToken":"cg=="})"},
    {"DescribeRule", R"({"Name":"r"})"},
    {"CreateEventBus", R"({"Name":"own"})"},
    {"PutRule", R"-({"Name":"s","ScheduleExpression":"rate(2 minutes)"})-"},
    {"PutRule", R"-({"Name":"c","ScheduleExpression":"cron(0/5 8-17 LW JAN,2 ? 2019-2020)"})-"},
    {"PutRule", R"-({"Name":"c","ScheduleExpression":"cron(1 1 ? * MON#2 *)"})-"}};

TEST(EventsFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json(
      {.service = "events",
       .target = "AWSEvents.",
       .seeds = kEventsSeeds,
       .prepare =
           [](TestJson& t) {
             t.ask(TestJson::request("sqs", "AmazonSQS.CreateQueue", R"({"QueueName":"q"})"));
             t.ask(TestJson::request("events", "AWSEvents.PutRule",
                                     R"({"Name":"r","EventPattern":"{\"source\":[\"mine\"]}"})"));
           },
       .pause = 5s});
}

}  // namespace
}  // namespace fakes
