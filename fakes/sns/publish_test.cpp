// Messages to topics, without a socket.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fakes/backend_for_test.h"
#include "fakes/http/identity_signature.h"
#include "fakes/messaging.h"
#include "sim/messaging/topic_messages.h"

namespace fakes {
namespace {

struct TestSns : TestBackend {
  Answer sns(const std::string& form) const {
    return send(post("Version=2010-03-31&Action=" + form,
                     "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/sns/"
                     "aws4_request, SignedHeaders=host, Signature=00"));
  }
  // The error of a batch of two messages; empty if it succeeds.
  std::string refusal(const std::string& topic, const std::string& first,
                      const std::string& second) const {
    const std::string entry = "&PublishBatchRequestEntries.member.";
    return sns("PublishBatch&TopicArn=" + topic + entry + "1.Id=1" + entry + "1." + first + entry +
               "2.Id=2" + entry + "2." + second)
        .at("Error/Code");
  }
};

TEST(PublishBatch, IsRefusedAsAWholeForAnInvalidEntry) {
  const TestSns t;
  const std::string topic = t.sns(
                                 "CreateTopic&Name=t.fifo&Attributes.entry.1.key=FifoTopic&"
                                 "Attributes.entry.1.value=true")
                                .at("CreateTopicResult/TopicArn");
  const std::string entry =
      "Message=m&PublishBatchRequestEntries.member.1.MessageGroupId=g&"
      "PublishBatchRequestEntries.member.1.MessageDeduplicationId=d";
  EXPECT_EQ(t.refusal(topic, entry, "Message=m"), "InvalidParameter");
}

TEST(PublishBatch, HasAtMostTheSizeOfOneMessage) {
  const TestSns t;
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  const std::string half = "Message=" + std::string(131072, 'x');
  EXPECT_EQ(t.refusal(topic, half, half), "");
  EXPECT_EQ(t.refusal(topic, half, half + "x"), "BatchRequestTooLong");
}

TEST(Publish, RefusesAttributesWhoseValueDoesNotFit) {
  const TestSns t;
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  const auto code = [&](const std::string& type, const std::string& value) {
    return t
        .sns("Publish&Message=m&TopicArn=" + topic + "&MessageAttributes.entry.1.Name=a" +
             "&MessageAttributes.entry.1.Value.DataType=" + type +
             "&MessageAttributes.entry.1.Value.StringValue=" + value)
        .at("Error/Code");
  };
  EXPECT_EQ(code("Number", "1.5"), "");
  EXPECT_EQ(code("String.Array", "[]"), "");
  const std::pair<const char*, const char*> wrong[] = {
      {"Number", "one"}, {"Stringy", "a"}, {"", "a"}, {"String", ""}};
  for (const auto& [type, value] : wrong)
    EXPECT_EQ(code(type, value), "ParameterValueInvalid") << type << " " << value;
}

TEST(Publish, SignsMessagesToQueues) {
  TestSns t;
  messaging(t.backend).queues.create("q", {}, {});
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  t.sns("Subscribe&Protocol=sqs&Endpoint=arn:aws:sqs:us-west-2:123456789012:q&TopicArn=" + topic);
  t.sns("Publish&Message=m&TopicArn=" + topic);
  const auto& messages = messaging(t.backend).queues.queue("q").messages;
  ASSERT_EQ(messages.size(), 1U);
  const auto document = nlohmann::json::parse(messages.begin()->second.sent.body);
  EXPECT_EQ(document["SignatureVersion"], "1");
  EXPECT_EQ(document["Signature"], rsa_signature(sim::messaging::text_to_sign(document), "SHA1"));
  EXPECT_TRUE(document["SigningCertURL"].get<std::string>().starts_with(
      "https://sns.us-west-2.amazonaws.com/SimpleNotificationService-"));
}

TEST(Subscribe, RefusesQueuesOfOtherRegions) {
  const TestSns t;
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  EXPECT_EQ(t.sns("Subscribe&Protocol=sqs&Endpoint=arn:aws:sqs:eu-west-1:123456789012:q&TopicArn=" +
                  topic)
                .at("Error/Code"),
            "InvalidParameter");
}

TEST(Subscribe, TwiceRefusesOtherAttributes) {
  const TestSns t;
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  const auto subscribe = [&](const std::string& name, const std::string& value) {
    return t.sns(
        "Subscribe&Protocol=sqs&Endpoint=arn:aws:sqs:us-west-2:123456789012:q&TopicArn=" + topic +
        "&Attributes.entry.1.key=" + name + "&Attributes.entry.1.value=" + url_encode(value));
  };
  const std::string arn =
      subscribe("FilterPolicy", R"({"a":["b"]})").at("SubscribeResult/SubscriptionArn");
  EXPECT_NE(arn, "");
  for (const auto& [name, value] :
       {std::pair("FilterPolicy", R"({"a":["b"]})"), std::pair("RawMessageDelivery", "false"),
        std::pair("FilterPolicyScope", "MessageAttributes")})
    EXPECT_EQ(subscribe(name, value).at("SubscribeResult/SubscriptionArn"), arn) << name;
  for (const auto& [name, value] :
       {std::pair("FilterPolicy", R"({"a":["c"]})"), std::pair("RawMessageDelivery", "true"),
        std::pair("FilterPolicyScope", "MessageBody")})
    EXPECT_EQ(subscribe(name, value).at("Error/Message"),
              "Invalid parameter: Attributes Reason: Subscription already exists with different "
              "attributes")
        << name;
}

TEST(TopicAttributes, DoNotChangeTheKindOfTopic) {
  const TestSns t;
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  const auto set = [&](const std::string& name) {
    return t.sns("SetTopicAttributes&TopicArn=" + topic + "&AttributeName=" + name +
                 "&AttributeValue=true");
  };
  EXPECT_EQ(set("FifoTopic").at("Error/Message"), "Invalid parameter: AttributeName");
  EXPECT_EQ(set("ContentBasedDeduplication").at("Error/Code"), "InvalidParameter");
  EXPECT_EQ(set("DisplayName").at("Error/Code"), "");
}

TEST(TopicAttributes, NamePrincipalsThatExist) {
  const TestSns t;
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  const auto policy = [](const std::string& principal) {
    return url_encode(R"({"Statement":[{"Effect":"Allow","Action":"sns:Publish","Resource":"*",)"
                      R"("Principal":{"AWS":")" +
                      principal + R"("}}]})");
  };
  const auto set = [&](const std::string& principal) {
    return t.sns("SetTopicAttributes&TopicArn=" + topic +
                 "&AttributeName=Policy&AttributeValue=" + policy(principal));
  };
  EXPECT_EQ(set("123456789012").at("Error/Code"), "");
  const std::string none = "arn:aws:iam::123456789012:user/none";
  EXPECT_EQ(set(none).at("Error/Message"), "Invalid parameter: Policy Error: PrincipalNotFound");
  EXPECT_EQ(t.sns("CreateTopic&Name=p&Attributes.entry.1.key=Policy&Attributes.entry.1.value=" +
                  policy(none))
                .at("Error/Code"),
            "InvalidParameter");
}

// How many messages with these prices reach a queue whose filter policy has this one.
std::size_t received(const std::string& price, const std::vector<std::string>& sent) {
  TestSns t;
  messaging(t.backend).queues.create("q", {}, {});
  const std::string topic = t.sns("CreateTopic&Name=t").at("CreateTopicResult/TopicArn");
  t.sns("Subscribe&Protocol=sqs&Endpoint=arn:aws:sqs:us-west-2:123456789012:q&TopicArn=" + topic +
        "&Attributes.entry.1.key=FilterPolicyScope&Attributes.entry.1.value=MessageBody" +
        "&Attributes.entry.2.key=FilterPolicy&Attributes.entry.2.value=" +
        url_encode(R"({"price": [)" + price + "]}"));
  for (const std::string& each : sent)
    t.sns("Publish&TopicArn=" + topic + "&Message=" + url_encode(R"({"price": )" + each + "}"));
  return messaging(t.backend).queues.queue("q").messages.size();
}

TEST(FilterPolicies, CompareFiveDigitsAfterTheDecimalPoint) {
  EXPECT_EQ(received("100.1234567", {"100.12345678", "100.12346", "100.1234"}), 2U);
}

TEST(FilterPolicies, CompareLargeNumbers) {
  EXPECT_EQ(received("1e305", {"1e305", "null", "1e304"}), 1U);
}

}  // namespace
}  // namespace fakes
