// Queues in both protocols without a socket, and aws-cli and boto3 against them.
#include "fakes/client_programs_for_test.h"
#include "fakes/form_fuzz_for_test.h"
#include "fakes/json_fuzz_for_test.h"
#include "fakes/messaging.h"

namespace fakes {
namespace {

TestJson::JsonAnswer sqs(const TestJson& t, const std::string& action, const nlohmann::json& body) {
  return t.ask(TestJson::request("sqs", "AmazonSQS." + action, body.dump()));
}

Answer sqs_form(const TestBackend& t, const std::string& form) {
  return t.send(TestBackend::post(
      "Version=2012-11-05&" + form,
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/sqs/aws4_request, "
      "SignedHeaders=host, Signature=00"));
}

TEST(Sqs, BothProtocolsAnswerWithTheSameQueues) {
  const TestJson t;
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  EXPECT_EQ(url, "https://sqs.us-west-2.amazonaws.com/123456789012/q");
  EXPECT_EQ(sqs_form(t, "Action=GetQueueUrl&QueueName=q").at("GetQueueUrlResult/QueueUrl"), url);
  sqs_form(t, "Action=SendMessage&MessageBody=hello&QueueUrl=" + url);
  const auto got = sqs(t, "ReceiveMessage", {{"QueueUrl", url}}).body["Messages"][0];
  EXPECT_EQ(got["Body"], "hello");
  EXPECT_EQ(got["MD5OfBody"], "5d41402abc4b2a76b9719d911017c592");
}

TEST(Sqs, AnErrorHasItsShapeInJsonAndItsCodeInForms) {
  const TestJson t;
  const auto response =
      t.api(TestJson::request("sqs", "AmazonSQS.GetQueueUrl", R"({"QueueName":"none"})")).response;
  EXPECT_EQ(response["x-amzn-query-error"], "AWS.SimpleQueueService.NonExistentQueue;Sender");
  EXPECT_EQ(nlohmann::json::parse(response.body())["__type"],
            "com.amazonaws.sqs#QueueDoesNotExist");
  EXPECT_EQ(sqs_form(t, "Action=GetQueueUrl&QueueName=none").at("Error/Code"),
            "AWS.SimpleQueueService.NonExistentQueue");
}

TEST(Sqs, APolicyNamesPrincipalsThatExist) {
  const TestJson t;
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  const auto policy = [](const std::string& principal) {
    return nlohmann::json{{"Policy", R"({"Statement":[{"Effect":"Allow","Action":"sqs:*",)"
                                     R"("Resource":"*","Principal":{"AWS":")" +
                                         principal + R"("}}]})"}};
  };
  const auto set = [&](const std::string& principal) {
    return sqs(t, "SetQueueAttributes", {{"QueueUrl", url}, {"Attributes", policy(principal)}});
  };
  EXPECT_EQ(set("arn:aws:iam::123456789012:root").status, 200);
  const std::string none = "arn:aws:iam::123456789012:role/none";
  EXPECT_EQ(set(none).error(),
            "com.amazonaws.sqs#InvalidAttributeValue: Invalid value for the parameter Policy.");
  EXPECT_EQ(sqs(t, "CreateQueue", {{"QueueName", "p"}, {"Attributes", policy(none)}}).status, 400);
}

TEST(Sqs, AWaitingReceiverIsAnsweredWhenAMessageComes) {
  TestJson t;
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  const std::string asked = nlohmann::json{{"QueueUrl", url}, {"WaitTimeSeconds", 20}}.dump();
  const Reply reply = t.api(TestJson::request("sqs", "AmazonSQS.ReceiveMessage", asked));
  ASSERT_TRUE(reply.pending);
  std::string body;
  reply.pending({[] { return true; }, [&](Reply late) { body = late.response.body(); }});
  t.run(10s);
  EXPECT_EQ(body, "");
  sqs(t, "SendMessage", {{"QueueUrl", url}, {"MessageBody", "hello"}});
  t.run(1s);
  EXPECT_EQ(nlohmann::json::parse(body)["Messages"][0]["Body"], "hello");
}

// SQS Developer Guide, "Amazon SQS message attributes".
TEST(Sqs, NamesOfMessageAttributesHaveCertainLettersAndDifferByCase) {
  const TestJson t;
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  const auto send = [&](const std::string& name) {
    return sqs(t, "SendMessage",
               {{"QueueUrl", url},
                {"MessageBody", "hello"},
                {"MessageAttributes", {{name, {{"DataType", "String"}, {"StringValue", "v"}}}}}});
  };
  EXPECT_EQ(send("øther").body["message"],
            "The message attribute name 'øther' is invalid. Attribute name can contain A-Z, a-z, "
            "0-9, underscore (_), hyphen (-), and period (.) characters.");
  EXPECT_TRUE(send("Some_Valid.name-1").body.contains("MD5OfMessageAttributes"));
  const auto got = sqs(t, "ReceiveMessage",
                       {{"QueueUrl", url}, {"MessageAttributeNames", {"some_valid.name-1"}}});
  EXPECT_FALSE(got.body["Messages"][0].contains("MessageAttributes"));
}

// SQS API reference, AddPermission.
TEST(Sqs, APermissionIsAStatementOfTheQueuesPolicy) {
  const TestJson t;
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  const auto add = [&](const std::string& label, const std::vector<std::string>& actions,
                       const std::string& account = "111122223333") {
    const auto answer = sqs(
        t, "AddPermission",
        {{"QueueUrl", url}, {"Label", label}, {"AWSAccountIds", {account}}, {"Actions", actions}});
    return answer.status == 200 ? "" : answer.error();
  };
  const auto policy = [&] {
    const auto got =
        sqs(t, "GetQueueAttributes", {{"QueueUrl", url}, {"AttributeNames", {"Policy"}}}).body;
    return got.contains("Attributes")
               ? nlohmann::json::parse(got["Attributes"]["Policy"].get<std::string>())
               : nlohmann::json();
  };
  EXPECT_EQ(add("one", {"*"}), "");
  EXPECT_EQ(add("two", {"SendMessage", "ReceiveMessage"}), "");
  EXPECT_EQ(policy()["Statement"][1],
            (nlohmann::json{{"Sid", "two"},
                            {"Effect", "Allow"},
                            {"Principal", {{"AWS", "arn:aws:iam::111122223333:root"}}},
                            {"Action", {"SQS:SendMessage", "SQS:ReceiveMessage"}},
                            {"Resource", "arn:aws:sqs:us-west-2:123456789012:q"}}));
  EXPECT_NE(add("two", {"*"}).find("Reason: Already exists."), std::string::npos);
  EXPECT_NE(add("x", {"DeleteQueue"}).find("Only the queue owner"), std::string::npos);
  EXPECT_NE(add("x", {"Fly"}).find("SQS:Fly for parameter ActionName"), std::string::npos);
  EXPECT_NE(add("x", {"*"}, "me").find("Value [me] for parameter PrincipalId"), std::string::npos);
  EXPECT_NE(add("x", std::vector<std::string>(8, "SendMessage")).find("8 Actions were found"),
            std::string::npos);
  const auto remove = [&](const std::string& label) {
    const auto answer = sqs(t, "RemovePermission", {{"QueueUrl", url}, {"Label", label}});
    return answer.status == 200 ? "" : answer.error();
  };
  EXPECT_NE(remove("x").find("can't find label on existing policy."), std::string::npos);
  remove("one");
  EXPECT_EQ(policy()["Statement"].size(), 1U);
  remove("two");
  EXPECT_TRUE(policy().is_null());
}

// SQS Developer Guide, "Amazon SQS policy quotas".
TEST(Sqs, PermissionsAreBounded) {
  const TestJson t;
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  const auto add = [&](const std::string& label, std::size_t accounts = 1) {
    const auto answer = sqs(t, "AddPermission",
                            {{"QueueUrl", url},
                             {"Label", label},
                             {"AWSAccountIds", std::vector<std::string>(accounts, "111122223333")},
                             {"Actions", {"SendMessage"}}});
    return answer.status == 200 ? "" : answer.error();
  };
  for (const std::string& label : {std::string(), std::string("a b"), std::string(81, 'a')})
    EXPECT_NE(add(label).find("for parameter Label is invalid."), std::string::npos) << label;
  EXPECT_EQ(add(std::string(80, 'a')), "");
  EXPECT_NE(add("b", 51).find("51 Principals were found"), std::string::npos);
  for (int i = 1; i < 20; ++i) EXPECT_EQ(add("Label-" + std::to_string(i) + "_"), "");
  EXPECT_NE(add("b").find("21 Statements were found"), std::string::npos);
  sqs(t, "SetQueueAttributes", {{"QueueUrl", url}, {"Attributes", {{"Policy", ""}}}});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(add("long" + std::to_string(i), 50), "");
  EXPECT_NE(add("long4", 50).find("bytes of policy were found"), std::string::npos);
}

TEST(Sqs, RefusalsHaveAwsTexts) {
  const TestJson t;
  const auto refused = [&](const std::string& action, const nlohmann::json& body) {
    return sqs(t, action, body).error();
  };
  const auto create = [&](const std::string& name, const nlohmann::json& attributes) {
    return refused("CreateQueue", {{"QueueName", name}, {"Attributes", attributes}});
  };
  const std::string url = sqs(t, "CreateQueue", {{"QueueName", "q"}}).body["QueueUrl"];
  const std::string dead =
      R"({"deadLetterTargetArn":"arn:aws:sqs:us-west-2:123456789012:NAME","maxReceiveCount":"2"})";
  const auto redrive = [&](const std::string& name) {
    std::string policy = dead;
    policy.replace(policy.find("NAME"), 4, name);
    return nlohmann::json{{"RedrivePolicy", policy}};
  };
  EXPECT_NE(create("a", redrive("none")).find("Reason: Dead letter target does not exist."),
            std::string::npos);
  auto of_fifo = redrive("q");
  of_fifo["FifoQueue"] = "true";
  EXPECT_NE(create("a.fifo", of_fifo).find("Dead-letter queue must be same type of queue"),
            std::string::npos);
  EXPECT_NE(create("a", {{"FifoQueue", "false"}}).find("Unknown Attribute FifoQueue."),
            std::string::npos);
  EXPECT_NE(create("a", {{"Policy", "text"}}).find("Invalid value for the parameter Policy."),
            std::string::npos);
  EXPECT_NE(create("a", {{"Policy", R"({"a":)" + std::string(100'000, '[') +
                                        std::string(100'000, ']') + "}"}})
                .find("Invalid value for the parameter Policy."),
            std::string::npos);
  sqs(t, "CreateQueue", {{"QueueName", "source"}, {"Attributes", redrive("q")}});
  const auto shown = sqs(t, "GetQueueAttributes",
                         {{"QueueUrl", "http://h/1/source"}, {"AttributeNames", {"RedrivePolicy"}}})
                         .body["Attributes"]["RedrivePolicy"];
  EXPECT_EQ(nlohmann::json::parse(shown.get<std::string>())["maxReceiveCount"], 2);
  EXPECT_NE(refused("ReceiveMessage", {{"QueueUrl", "q"}}).find("The address q is not valid for"),
            std::string::npos);
  EXPECT_NE(refused("SendMessageBatch", {{"QueueUrl", url}, {"Entries", nlohmann::json::array()}})
                .find("There should be at least one SendMessageBatchRequestEntry in the request."),
            std::string::npos);
  nlohmann::json tags;
  for (int i = 0; i < 51; ++i) tags[std::to_string(i)] = "v";
  EXPECT_NE(refused("TagQueue", {{"QueueUrl", url}, {"Tags", tags}})
                .find("Too many tags added for queue q."),
            std::string::npos);
  EXPECT_NE(refused("CreateQueue", {{"QueueName", "tagged"}, {"tags", tags}})
                .find("Too many tags added for queue tagged."),
            std::string::npos);
  EXPECT_NE(
      create("a", {{"RedrivePolicy", R"({"maxReceiveCount":3})"}})
          .find("RedrivePolicy is invalid. Reason: Redrive policy does not contain mandatory"),
      std::string::npos);
  EXPECT_NE(refused("TagQueue", {{"QueueUrl", url}, {"Tags", nlohmann::json::object()}})
                .find("The request must contain the parameter Tags."),
            std::string::npos);
  EXPECT_NE(refused("UntagQueue", {{"QueueUrl", url}, {"TagKeys", nlohmann::json::array()}})
                .find("Tag keys must be between 1 and 128 characters in length."),
            std::string::npos);
}

using SqsClients = ClientPrograms;

TEST_F(SqsClients, AwsCliAndBoto3UseAQueue) {
  run("url=$(aws sqs create-queue --queue-name q --query QueueUrl --output text)\n"
      "aws sqs send-message --queue-url $url --message-body hello >sent\n"
      "test $(aws sqs receive-message --queue-url $url --wait-time-seconds 1 "
      "--query 'Messages[0].Body' --output text) = hello");
  python(R"(
import os, boto3
sqs = boto3.resource("sqs", endpoint_url=os.environ["ENDPOINT"])
q = sqs.create_queue(QueueName="r.fifo", Attributes={
    "FifoQueue": "true", "ContentBasedDeduplication": "true"})
sent = q.send_messages(Entries=[
    {"Id": str(i), "MessageBody": f"m{i}", "MessageGroupId": "g",
     "MessageAttributes": {"n": {"DataType": "Number", "StringValue": str(i)},
                           "b": {"DataType": "Binary", "BinaryValue": b"\x00\xff"}}}
    for i in range(3)])
assert len(sent["Successful"]) == 3 and "Failed" not in sent, sent
got = q.receive_messages(MaxNumberOfMessages=10, AttributeNames=["All"],
                         MessageAttributeNames=["All"])
assert [m.body for m in got] == ["m0", "m1", "m2"], got
assert got[1].message_attributes["b"]["BinaryValue"] == b"\x00\xff"
assert got[1].attributes["MessageGroupId"] == "g"
q.delete_messages(Entries=[{"Id": "a", "ReceiptHandle": m.receipt_handle} for m in got[:1]])
q.reload()
assert q.attributes["ApproximateNumberOfMessagesNotVisible"] == "2", q.attributes
client = sqs.meta.client
try:
    client.get_queue_url(QueueName="none")
    raise SystemExit("found")
except client.exceptions.QueueDoesNotExist:
    pass
pages = client.get_paginator("list_queues").paginate(PaginationConfig={"PageSize": 1})
assert len([u for p in pages for u in p["QueueUrls"]]) == 2
)");
}

const std::pair<const char*, const char*> kSqsSeeds[] = {
    {"CreateQueue", R"({"QueueName":"b.fifo","Attributes":{"FifoQueue":"true"},"tags":{"a":"b"}})"},
    {"SendMessage", R"({"QueueUrl":"http://h/1/q","MessageBody":"m","DelaySeconds":2,)"
                    R"("MessageAttributes":{"a":{"DataType":"String","StringValue":"v"}}})"},
    {"SendMessageBatch", R"({"QueueUrl":"http://h/1/q","Entries":[{"Id":"1","MessageBody":"m"}]})"},
    {"ReceiveMessage",
     R"({"QueueUrl":"http://h/1/q","MaxNumberOfMessages":3,"VisibilityTimeout":1})"},
    {"DeleteMessage", R"({"QueueUrl":"http://h/1/q","ReceiptHandle":"cSAxIDE="})"},
    {"ChangeMessageVisibility",
     R"({"QueueUrl":"http://h/1/q","ReceiptHandle":"cSAxIDE=","VisibilityTimeout":9})"},
    {"SetQueueAttributes", R"({"QueueUrl":"http://h/1/q","Attributes":{"RedrivePolicy":)"
                           R"("{\"deadLetterTargetArn\":\"a\",\"maxReceiveCount\":2}"}})"},
    {"GetQueueAttributes", R"({"QueueUrl":"http://h/1/q","AttributeNames":["All"]})"},
    {"AddPermission", R"({"QueueUrl":"http://h/1/q","Label":"a","AWSAccountIds":["111122223333"],)"
                      R"("Actions":["SendMessage"]})"},
    {"RemovePermission", R"({"QueueUrl":"http://h/1/q","Label":"a"})"},
    {"ListQueues", R"({"QueueNamePrefix":"q","MaxResults":1})"}};

TEST(SqsFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "sqs",
             .target = "AmazonSQS.",
             .seeds = kSqsSeeds,
             .prepare =
                 [](TestJson& t) {
                   sqs(t, "CreateQueue", {{"QueueName", "q"}});
                 },
             .pause = 5s,
             .allowed = {200, 400, 403, 404}});
}

// Older clients send forms.
const char* const kSqsForms[] = {
    "CreateQueue&QueueName=b.fifo&Attribute.1.Name=FifoQueue&Attribute.1.Value=true&Tag.1.Key=a&"
    "Tag.1.Value=b",
    "GetQueueUrl&QueueName=q",
    "SendMessage&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&MessageBody=m&DelaySeconds=2&"
    "MessageAttribute.1.Name=a&MessageAttribute.1.Value.DataType=String&"
    "MessageAttribute.1.Value.StringValue=v",
    "SendMessageBatch&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&SendMessageBatchRequestEntry.1.Id=1&"
    "SendMessageBatchRequestEntry.1.MessageBody=m",
    "ReceiveMessage&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&MaxNumberOfMessages=3&AttributeName.1=All",
    "DeleteMessage&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&ReceiptHandle=cSAxIDE%3D",
    "ChangeMessageVisibility&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&ReceiptHandle=cSAxIDE%3D&"
    "VisibilityTimeout=9",
    "SetQueueAttributes&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&Attribute.Name=VisibilityTimeout&"
    "Attribute.Value=35",
    "GetQueueAttributes&QueueUrl=http%3A%2F%2Fh%2F1%2Fq&AttributeName.1=All",
    "ListQueues&QueueNamePrefix=q&MaxResults=1"};

TEST(SqsFuzz, AnswersAnyFormWithWhatTheServiceHas) {
  fuzz_forms({.service = "sqs",
              .version = "2012-11-05",
              .seeds = kSqsForms,
              .prepare = [](TestBackend& t) { messaging(t.backend).queues.create("q", {}, {}); },
              .pause = 5s});
}

}  // namespace
}  // namespace fakes
