// Deliveries of topics to HTTP endpoints, without sockets.
#include <gtest/gtest.h>

#include <random>

#include "api/fuzz/fuzz.h"
#include "sim/cloud/error.h"
#include "sim/messaging/topics.h"

namespace sim::messaging {
namespace {

// Remembers what is posted, and answers at once with the next status.
struct FakeEndpoints : HttpEndpoints {
  std::string obstacle(const std::string& url) const override {
    return url.find("elsewhere") == url.npos ? "" : "elsewhere";
  }
  void post(HttpPost request, std::function<void(int)> done) override {
    posts.push_back(std::move(request));
    int status = 200;
    if (!statuses.empty()) {
      status = statuses.front();
      statuses.erase(statuses.begin());
    }
    done(status);
  }
  std::vector<HttpPost> posts;
  std::vector<int> statuses;
};

struct World {
  Simulation simulation{parse_time("2019-11-05T10:00:00Z").value()};
  Streams streams{1};
  Queues queues{simulation, streams, "arn:aws:sqs:us-west-2:123456789012:"};
  FakeEndpoints endpoints;
  Topics topics{simulation,
                streams,
                queues,
                "arn:aws:sns:us-west-2:123456789012:",
                {.may_send = [](const auto&, const auto&) { return true; }, .http = &endpoints}};
  std::string topic = topics.create("t", {}, {}).arn;

  std::string subscribe(const std::string& url = "http://localhost:1/") {
    const std::string arn =
        topics.subscribe({.topic = topic, .protocol = "http", .endpoint = url}).arn;
    topics.confirm(topic, token(), false);
    endpoints.posts.clear();
    return arn;
  }
  std::string token() const {
    return Json::parse(endpoints.posts.back().body)["Token"].get<std::string>();
  }
  void run(Duration duration) { simulation.run_until(simulation.now() + duration); }
};

std::string code_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const cloud::ApiError& refused) {
    return refused.code();
  }
  return "";
}

TEST(HttpDelivery, BeginsWithTheConfirmation) {
  World w;
  const auto& made = w.topics.subscribe(
      {.topic = w.topic, .protocol = "http", .endpoint = "http://localhost/", .links = "http://x"});
  EXPECT_FALSE(made.confirmed);
  const Json asked = Json::parse(w.endpoints.posts.at(0).body);
  EXPECT_EQ(asked["Type"], "SubscriptionConfirmation");
  EXPECT_EQ(asked["SubscribeURL"],
            "http://x/?Action=ConfirmSubscription&TopicArn=" + w.topic + "&Token=" + w.token());
  w.topics.publish(w.topic, {.message = "lost"});
  EXPECT_EQ(w.endpoints.posts.size(), 1u);
  const std::string token = w.token();
  EXPECT_EQ(code_of([&] { w.topics.confirm(w.topic, token + "0", false); }), "InvalidParameter");
  w.run(48h);
  w.topics.confirm(w.topic, token, true);
  EXPECT_TRUE(made.needs_signature);
  w.topics.publish(w.topic, {.message = "m"});
  EXPECT_EQ(w.endpoints.posts.size(), 2u);
  w.run(1s);
  EXPECT_EQ(code_of([&] { w.topics.confirm(w.topic, token, false); }), "InvalidParameter")
      << "after two days";
}

TEST(HttpDelivery, RepeatsThreeTimesThenUsesTheDeadLetterQueue) {
  World w;
  const std::string arn = w.subscribe();
  const auto& queue = w.queues.create("dead", {}, {});
  EXPECT_EQ(code_of([&] {
              w.topics.set_subscription_attribute(arn, "RedrivePolicy",
                                                  R"({"deadLetterTargetArn":""})");
            }),
            "InvalidParameter");
  w.topics.set_subscription_attribute(arn, "RedrivePolicy",
                                      R"({"deadLetterTargetArn":")" + queue.arn + R"("})");
  w.endpoints.statuses = {500, 0, 429, 503};
  w.topics.publish(w.topic, {.message = "m"});
  w.run(19s);
  EXPECT_EQ(w.endpoints.posts.size(), 1u);
  w.run(1s);
  EXPECT_EQ(w.endpoints.posts.size(), 2u);
  EXPECT_TRUE(queue.messages.empty());
  w.run(40s);
  EXPECT_EQ(w.endpoints.posts.size(), 4u);
  EXPECT_EQ(queue.messages.size(), 1u);
  w.run(1h);
  EXPECT_EQ(w.endpoints.posts.size(), 4u);
  w.endpoints.statuses = {403};
  w.topics.publish(w.topic, {.message = "m"});
  EXPECT_EQ(queue.messages.size(), 2u) << "errors of the client are final";
}

TEST(HttpDelivery, RefusesOtherEndpoints) {
  World w;
  const auto code = [&](const std::string& protocol, const std::string& url) {
    return code_of(
        [&] { w.topics.subscribe({.topic = w.topic, .protocol = protocol, .endpoint = url}); });
  };
  EXPECT_EQ(code("http", "http://elsewhere/"), "InvalidParameter");
  EXPECT_EQ(code("https", "http://localhost/"), "InvalidParameter");
  EXPECT_EQ(code("email", "a@localhost"), "InvalidParameter");
  const std::string fifo = w.topics.create("t.fifo", {{"FifoTopic", "true"}}, {}).arn;
  EXPECT_EQ(
      code_of([&] {
        w.topics.subscribe({.topic = fifo, .protocol = "http", .endpoint = "http://localhost/"});
      }),
      "InvalidParameter");
  Topics none(w.simulation, w.streams, w.queues, "arn:aws:sns:us-west-2:1:",
              {.may_send = [](const auto&, const auto&) { return true; }});
  const std::string topic = none.create("t", {}, {}).arn;
  EXPECT_EQ(code_of([&] {
              none.subscribe({.topic = topic, .protocol = "http", .endpoint = "http://localhost/"});
            }),
            "InvalidParameter");
}

TEST(HttpDelivery, ALinkThatUnsubscribesCanBeUndone) {
  World w;
  const std::string first = w.subscribe("http://localhost:1/");
  w.topics.unsubscribe(first, Unsubscriber::kOwner);
  EXPECT_TRUE(w.endpoints.posts.empty()) << "the owner's signed call";
  const std::string second = w.subscribe("http://localhost:2/");
  w.topics.unsubscribe(second, Unsubscriber::kLink);
  ASSERT_EQ(w.endpoints.posts.size(), 1u);
  EXPECT_EQ(Json::parse(w.endpoints.posts[0].body)["Type"], "UnsubscribeConfirmation");
  w.topics.confirm(w.topic, w.token(), false);
  EXPECT_TRUE(w.topics.subscriptions().contains(second));
}

TEST(Topics, HaveADefaultPolicy) {
  const Json policy = Json::parse(default_topic_policy("arn:aws:sns:us-west-2:1:t", "1"));
  EXPECT_EQ(policy["Id"], "__default_policy_ID");
  EXPECT_EQ(policy["Statement"][0]["Resource"], "arn:aws:sns:us-west-2:1:t");
  EXPECT_EQ(policy["Statement"][0]["Condition"],
            Json::parse(R"({"StringEquals": {"AWS:SourceOwner": "1"}})"));
}

std::vector<int> seconds_of(const std::string& topic, const std::string& subscription) {
  std::vector<int> all;
  for (const Duration delay : retry_delays(read_delivery_policy(topic, subscription)))
    all.push_back(static_cast<int>(delay / 1s));
  return all;
}

TEST(DeliveryPolicy, HasFourPhases) {
  EXPECT_EQ(seconds_of("", ""), (std::vector{20, 20, 20}));
  EXPECT_EQ(seconds_of("", R"({"healthyRetryPolicy": {"numRetries": 8, "numNoDelayRetries": 1,
      "numMinDelayRetries": 2, "numMaxDelayRetries": 1, "minDelayTarget": 1, "maxDelayTarget": 9,
      "backoffFunction": "linear"}})"),
            (std::vector{0, 1, 1, 3, 5, 7, 9, 9}));
  const std::string topic = R"({"http": {"defaultHealthyRetryPolicy": {"numRetries": 1}, )"
                            R"("disableSubscriptionOverrides": )";
  const std::string own = R"({"healthyRetryPolicy": {"numRetries": 2}})";
  EXPECT_EQ(seconds_of(topic + "false}}", own).size(), 2u);
  EXPECT_EQ(seconds_of(topic + "true}}", own).size(), 1u);
}

// A publication would fail otherwise, as no call checks both together.
TEST(DeliveryPolicy, TwoThatAreValidAloneAreValidTogether) {
  const std::string topic = R"({"http": {"defaultHealthyRetryPolicy": {"numRetries": 3,
      "numMinDelayRetries": 3, "minDelayTarget": 100, "maxDelayTarget": 200}}})";
  EXPECT_EQ(seconds_of(topic, R"({"healthyRetryPolicy": {"maxDelayTarget": 50}})"),
            (std::vector{30, 40, 50}));
  EXPECT_EQ(seconds_of(topic, R"({"healthyRetryPolicy": {"numRetries": 1}})"), std::vector{20});
  EXPECT_EQ(seconds_of(topic, R"({"requestPolicy": {"headerContentType": "a/b"}})"),
            (std::vector{100, 100, 100}));
  World w;
  EXPECT_EQ(code_of([&] {
              w.topics.create("other", {{"DeliveryPolicy", "junk"}}, {});
            }),
            "InvalidParameter");
}

TEST(DeliveryPolicy, AnyTextIsReadOrRefused) {
  std::mt19937 random(4);
  const std::string whole =
      R"({"http": {"defaultHealthyRetryPolicy": {"numRetries": 9, "minDelayTarget": 1,
      "maxDelayTarget": 9, "backoffFunction": "geometric"}, "disableSubscriptionOverrides": true,
      "defaultRequestPolicy": {"headerContentType": "text/plain"}}, "healthyRetryPolicy":
      {"numRetries": 3, "numMaxDelayRetries": 3}, "requestPolicy": {"headerContentType": "a/b"}})";
  int refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    const std::string text = api::damaged(whole, random);
    refused += code_of([&] { seconds_of(text, text); }) == "InvalidParameter";
  }
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace
}  // namespace sim::messaging
