#include "fakes/authorisation/resource_policy.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

using nlohmann::json;

constexpr const char* kQueue = "arn:aws:sqs:us-west-2:123456789012:q";
constexpr const char* kUrl = "https://sqs.us-west-2.amazonaws.com/123456789012/q";
constexpr const char* kRule = "arn:aws:events:us-west-2:123456789012:rule/r";
constexpr const char* kTopic = "arn:aws:sns:us-west-2:123456789012:t";

std::string policy_for(const json& principal, const std::string& action,
                       const std::string& resource, const std::string& source) {
  json statement{
      {"Effect", "Allow"}, {"Principal", principal}, {"Action", action}, {"Resource", resource}};
  if (!source.empty()) statement["Condition"] = {{"ArnEquals", {{"aws:SourceArn", source}}}};
  return json{{"Version", "2012-10-17"}, {"Statement", json::array({statement})}}.dump();
}

// An account with a queue `q`, and a rule `r` for events of the source `own`.
struct Account : TestIam {
  Account() {
    must("sqs", "AmazonSQS.CreateQueue", {{"QueueName", "q"}});
    must("events", "AWSEvents.PutRule", {{"Name", "r"}, {"EventPattern", R"({"source":["own"]})"}});
  }

  Answer ask(const Keys& keys, const std::string& service, const std::string& target,
             const json& body) const {
    return send(signed_request(keys, service, body.dump(), target));
  }
  json must(const std::string& service, const std::string& target, const json& body) const {
    const Answer answer = ask(kAdministrator, service, target, body);
    EXPECT_EQ(answer.status(), 200) << target << ": " << answer.body();
    return answer.body().empty() ? json() : json::parse(answer.body());
  }
  void sns(const std::string& action, const Fields& fields) const {
    std::string body = "Action=" + action + "&Version=2010-03-31";
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    const Answer answer = send(signed_request(kAdministrator, "sns", body));
    EXPECT_EQ(answer.status(), 200) << action << ": " << answer.body();
  }

  void set_queue_policy(const std::string& policy) const {
    must("sqs", "AmazonSQS.SetQueueAttributes",
         {{"QueueUrl", kUrl}, {"Attributes", {{"Policy", policy}}}});
  }
  void send_events_to(const std::string& arn) const {
    must("events", "AWSEvents.PutTargets",
         {{"Rule", "r"}, {"Targets", json::array({{{"Id", "1"}, {"Arn", arn}}})}});
  }
  // The number of messages that an event brings to the queue.
  std::size_t after_event() {
    const json entry{{"Source", "own"}, {"DetailType", "d"}, {"Detail", "{}"}};
    must("events", "AWSEvents.PutEvents", {{"Entries", json::array({entry})}});
    run(1min);
    const json got = must("sqs", "AmazonSQS.ReceiveMessage", {{"QueueUrl", kUrl}});
    if (!got.contains("Messages")) return 0;
    for (const json& message : got["Messages"])
      must("sqs", "AmazonSQS.DeleteMessage",
           {{"QueueUrl", kUrl}, {"ReceiptHandle", message["ReceiptHandle"]}});
    return got["Messages"].size();
  }
};

TEST(ResourcePolicy, ARuleNeedsTheQueuesPolicy) {
  Account t;
  t.send_events_to(kQueue);
  EXPECT_EQ(t.after_event(), 0U);
  EXPECT_EQ(t.denied(), "sqs:SendMessage implicit\n");
  const json events{{"Service", "events.amazonaws.com"}};
  t.set_queue_policy(policy_for(events, "sqs:SendMessage", kQueue, kRule));
  EXPECT_EQ(t.after_event(), 1U);
  t.set_queue_policy(policy_for(events, "sqs:SendMessage", kQueue, std::string(kRule) + "2"));
  EXPECT_EQ(t.after_event(), 0U) << "the policy is for another rule";
  t.set_queue_policy(policy_for({{"Service", "sns.amazonaws.com"}}, "sqs:SendMessage", kQueue, ""));
  EXPECT_EQ(t.after_event(), 0U) << "the policy is for another service";
  t.set_queue_policy(policy_for({{"AWS", "123456789012"}}, "sqs:*", kQueue, ""));
  EXPECT_EQ(t.after_event(), 0U) << "a service does not belong to the account";
}

TEST(ResourcePolicy, ATopicNeedsTheQueuesPolicyAndARuleTheTopics) {
  Account t;
  t.sns("CreateTopic", {{"Name", "t"}});
  t.sns("Subscribe", {{"TopicArn", kTopic}, {"Protocol", "sqs"}, {"Endpoint", kQueue}});
  t.send_events_to(kTopic);
  EXPECT_EQ(t.after_event(), 0U);
  EXPECT_EQ(t.denied(), "sns:Publish implicit\n");
  t.sns("SetTopicAttributes", {{"TopicArn", kTopic},
                               {"AttributeName", "Policy"},
                               {"AttributeValue", policy_for({{"Service", "events.amazonaws.com"}},
                                                             "sns:Publish", kTopic, "")}});
  EXPECT_EQ(t.after_event(), 0U);
  EXPECT_EQ(t.denied(), "sns:Publish implicit\nsqs:SendMessage implicit\n");
  t.set_queue_policy(policy_for("*", "sqs:SendMessage", kQueue, kTopic));
  EXPECT_EQ(t.after_event(), 1U);
}

TEST(ResourcePolicy, ARulesAccountIsAKey) {
  Account t;
  t.send_events_to(kQueue);
  const auto messages_if = [&](const char* account) {
    const json statement{{"Effect", "Allow"},
                         {"Principal", {{"Service", "events.amazonaws.com"}}},
                         {"Action", "sqs:SendMessage"},
                         {"Resource", kQueue},
                         {"Condition", {{"StringEquals", {{"aws:SourceAccount", account}}}}}};
    t.set_queue_policy(json{{"Statement", json::array({statement})}}.dump());
    return t.after_event();
  };
  EXPECT_EQ(messages_if("999999999999"), 0U);
  EXPECT_EQ(messages_if("123456789012"), 1U);
}

// IAM User Guide, "AWS JSON policy elements: NotPrincipal".
TEST(ResourcePolicy, ADenialCanExceptPrincipals) {
  Account t;
  const Keys ann = t.user("ann", allow(R"("sqs:*")")), bob = t.user("bob", allow(R"("sqs:*")"));
  const std::string account = "arn:aws:iam::123456789012:";
  const json statement{{"Effect", "Deny"},
                       {"NotPrincipal", {{"AWS", {account + "user/ann", account + "root"}}}},
                       {"Action", "sqs:*"},
                       {"Resource", kQueue}};
  t.set_queue_policy(json{{"Statement", json::array({statement})}}.dump());
  const json message{{"QueueUrl", kUrl}, {"MessageBody", "m"}};
  EXPECT_EQ(t.ask(ann, "sqs", "AmazonSQS.SendMessage", message).status(), 200);
  EXPECT_EQ(t.ask(bob, "sqs", "AmazonSQS.SendMessage", message).status(), 400);
}

TEST(ResourcePolicy, NothingIsNeededIfIamDoesNotDecide) {
  Account t;
  t.backend.iam->set_deciding({});
  t.send_events_to(kQueue);
  EXPECT_EQ(t.after_event(), 1U);
}

TEST(ResourcePolicy, AQueuesPolicyPermitsWhatTheCallersOwnDoNot) {
  Account t;
  const Keys ann = t.user("ann", "");
  const json message{{"QueueUrl", kUrl}, {"MessageBody", "m"}};
  EXPECT_EQ(t.ask(ann, "sqs", "AmazonSQS.SendMessage", message).status(), 400);
  const json principal{{"AWS", "arn:aws:iam::123456789012:user/ann"}};
  t.set_queue_policy(policy_for(principal, "sqs:SendMessage", kQueue, ""));
  EXPECT_EQ(t.ask(ann, "sqs", "AmazonSQS.SendMessage", message).status(), 200);
  EXPECT_EQ(t.ask(ann, "sqs", "AmazonSQS.ReceiveMessage", {{"QueueUrl", kUrl}}).status(), 400);
}

// Policies that name one queue or rule.
TEST(ResourcePolicy, APermissionOnOneResourceIsForThisOne) {
  Account t;
  const std::string other = "https://sqs.us-west-2.amazonaws.com/123456789012/q2";
  t.must("sqs", "AmazonSQS.CreateQueue", {{"QueueName", "q2"}});
  const Keys ann =
      t.user("ann", allow(R"("sqs:SendMessage")", kQueue) + "," +
                        allow(R"(["events:PutTargets","events:DescribeRule"])", kRule) + "," +
                        allow(R"("events:PutEvents")", "arn:aws:events:*:*:event-bus/default"));
  const auto status = [&](const char* service, const char* target, const json& body) {
    return t.ask(ann, service, target, body).status();
  };
  const json batch = json::array({{{"Id", "1"}, {"MessageBody", "m"}}});
  const auto send_to = [&](const std::string& url) {
    return status("sqs", "AmazonSQS.SendMessageBatch", {{"QueueUrl", url}, {"Entries", batch}});
  };
  EXPECT_EQ(send_to(kUrl), 200);
  EXPECT_EQ(send_to(other), 400);
  EXPECT_EQ(status("events", "AWSEvents.DescribeRule", {{"Name", "r"}}), 200);
  EXPECT_NE(status("events", "AWSEvents.DescribeRule", {{"Name", "r2"}}), 200);
  const json targets = json::array({{{"Id", "1"}, {"Arn", kQueue}}});
  EXPECT_EQ(status("events", "AWSEvents.PutTargets", {{"Rule", "r"}, {"Targets", targets}}), 200);
  const json entry{{"Source", "own"}, {"DetailType", "d"}, {"Detail", "{}"}};
  EXPECT_EQ(status("events", "AWSEvents.PutEvents", {{"Entries", json::array({entry})}}), 200);
}

}  // namespace
}  // namespace fakes::authorisation
