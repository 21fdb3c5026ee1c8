// Tests only: a queue that receives events.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fakes/json_for_test.h"

namespace fakes {

struct TestEvents : TestJson {
  explicit TestEvents(sim::market::PriceHistory prices = test_prices())
      : TestJson({}, std::move(prices)) {
    queue = sqs("CreateQueue", {{"QueueName", "q"}})["QueueUrl"];
  }

  nlohmann::json sqs(const std::string& action, const nlohmann::json& body) const {
    return ask(request("sqs", "AmazonSQS." + action, body.dump())).body;
  }
  nlohmann::json events(const std::string& action, const nlohmann::json& body) const {
    return ask(request("events", "AWSEvents." + action, body.dump())).body;
  }
  // Makes a rule whose target is the queue, except for the members of `target`.
  void rule(const nlohmann::json& pattern,
            const nlohmann::json& target = nlohmann::json::object()) const {
    events("PutRule", {{"Name", "r"}, {"EventPattern", pattern.dump()}});
    nlohmann::json to = {{"Id", "1"}, {"Arn", "arn:aws:sqs:us-west-2:123456789012:q"}};
    to.update(target);
    const nlohmann::json put = events("PutTargets", {{"Rule", "r"}, {"Targets", {to}}});
    EXPECT_EQ(put.value("FailedEntryCount", -1), 0) << put;
  }
  // The events that have come to the queue, up to ten.
  std::vector<nlohmann::json> received() const {
    const nlohmann::json got =
        sqs("ReceiveMessage",
            {{"QueueUrl", queue}, {"MaxNumberOfMessages", 10}, {"VisibilityTimeout", 43200}});
    std::vector<nlohmann::json> all;
    if (got.contains("Messages"))
      for (const nlohmann::json& each : got["Messages"])
        all.push_back(nlohmann::json::parse(each["Body"].get<std::string>()));
    return all;
  }
  // The same, all of them.
  std::vector<nlohmann::json> all_received() const {
    std::vector<nlohmann::json> all;
    for (auto some = received(); !some.empty(); some = received())
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  std::string queue;
};

}  // namespace fakes
