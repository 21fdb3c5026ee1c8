// What refused requests answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::authorisation {
namespace {

TEST(Denials, TheEncodedMessageCanBeDecoded) {
  TestIam t;
  const Keys ann = t.user(
      "ann", allow(R"("*")") +
                 R"(,{"Sid":"no","Effect":"Deny","Action":"ec2:RunInstances","Resource":"*",)"
                 R"("Condition":{"StringEquals":{"ec2:InstanceType":"m4.xlarge"}}})");
  const std::string message = t.call(ann, "ec2", "RunInstances",
                                     {{"ImageId", "ami-0123456789abcdef0"},
                                      {"InstanceType", "m4.xlarge"},
                                      {"MinCount", "1"},
                                      {"MaxCount", "1"}})
                                  .message();
  const std::string encoded = message.substr(message.rfind(' ') + 1);
  const std::string text =
      t.call(ann, "sts", "DecodeAuthorizationMessage", {{"EncodedMessage", encoded}})
          .at("DecodeAuthorizationMessageResult/DecodedMessage");
  const sim::Json json = sim::Json::parse(text);
  EXPECT_EQ(json["explicitDeny"], true);
  const sim::Json type =
      sim::Json::parse(R"({"key":"ec2:InstanceType","values":{"items":[{"value":"m4.xlarge"}]}})");
  const auto& statement = json["matchedStatements"]["items"][0];
  EXPECT_EQ(statement["statementId"], "no");
  EXPECT_EQ(statement["effect"], "DENY");
  EXPECT_EQ(statement["actions"]["items"][0]["value"], "ec2:RunInstances");
  EXPECT_EQ(statement["resources"]["items"][0]["value"], "*");
  EXPECT_EQ(statement["conditions"]["items"][0], type);
  EXPECT_EQ(json["context"]["action"], "ec2:RunInstances");
  const auto& keys = json["context"]["conditions"]["items"];
  EXPECT_EQ(std::count(keys.begin(), keys.end(), type), 1) << text;
  EXPECT_EQ(t.code(ann, "sts", "DecodeAuthorizationMessage", {{"EncodedMessage", "abc"}}),
            "InvalidAuthorizationMessageException");
}

// EC2 decides Describe actions on no resource, and encodes no message for them.
TEST(Denials, ARefusedDescriptionIsShort) {
  TestIam t;
  EXPECT_EQ(t.call(t.user("ann", ""), "ec2", "DescribeVpcs").message(),
            "You are not authorized to perform this operation. User: "
            "arn:aws:iam::123456789012:user/ann is not authorized to perform: ec2:DescribeVpcs "
            "because no identity-based policy allows the ec2:DescribeVpcs action");
}

TEST(Denials, RefusalsHaveTheCodesOfTheServicesOtherProtocol) {
  TestIam t;
  const Keys ann = t.user("ann", "");
  for (const auto& [service, target] :
       {std::pair("sqs", "AmazonSQS.ListQueues"),
        std::pair("monitoring", "GraniteServiceVersion20100801.ListMetrics")}) {
    const Answer refused = t.send(t.signed_request(ann, service, "{}", target));
    EXPECT_EQ(refused.status(), 400) << service;
    EXPECT_EQ(refused.response["x-amzn-query-error"], "AccessDenied;Sender") << service;
  }
}

}  // namespace
}  // namespace fakes::authorisation
