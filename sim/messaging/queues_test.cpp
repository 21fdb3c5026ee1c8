#include "sim/messaging/queues.h"

#include <gtest/gtest.h>

#include "sim/cloud/error.h"

namespace sim::messaging {
namespace {

using namespace std::chrono_literals;

const Time kStart = parse_time("2019-11-05T10:00:00Z").value();

class QueuesTest : public testing::Test {
 protected:
  void pass(Duration d) { simulation.run_until(simulation.now() + d); }
  void make(const std::string& name, const std::map<std::string, std::string>& attributes = {}) {
    queues.create(name, attributes, {});
  }
  SentMessage send(const std::string& name, const std::string& body, const std::string& group = "",
                   const std::string& deduplication = "") {
    return queues.send(name, {.body = body, .group = group, .deduplication = deduplication});
  }
  // The bodies that a receiver gets now: "a b".
  std::string bodies(const std::string& name, std::size_t most = 10) {
    last = queues.receive(name, {most, {}});
    return joined(last);
  }
  static std::string joined(const std::vector<Received>& messages) {
    std::string all;
    for (const Received& each : messages) all += (all.empty() ? "" : " ") + each.message.sent.body;
    return all;
  }
  template <class What>
  static std::string code_of(const What& what) {
    try {
      what();
    } catch (const cloud::ApiError& error) {
      return error.code();
    }
    return "";
  }

  Simulation simulation{kStart};
  Queues queues{simulation, Streams(7), "arn:aws:sqs:us-west-2:123456789012:"};
  std::vector<Received> last;
};

TEST_F(QueuesTest, AReceivedMessageIsHiddenUntilItsVisibilityEnds) {
  make("q", {{"VisibilityTimeout", "40"}});
  send("q", "a");
  EXPECT_EQ(bodies("q"), "a");
  pass(39s);
  EXPECT_EQ(bodies("q"), "");
  pass(1s);
  EXPECT_EQ(bodies("q"), "a");
  EXPECT_EQ(last[0].message.receives, 2);
  queues.acknowledge("q", last[0].receipt_handle);
  pass(1h);
  EXPECT_EQ(bodies("q"), "");
}

TEST_F(QueuesTest, OnlyTheNewestHandleDeletesAMessage) {
  make("q");
  send("q", "a");
  bodies("q");
  const std::string first = last[0].receipt_handle;
  pass(30s);
  EXPECT_EQ(bodies("q"), "a");
  queues.acknowledge("q", first);
  pass(30s);
  EXPECT_EQ(bodies("q"), "a");
  EXPECT_EQ(code_of([&] { queues.acknowledge("q", "bm9uZQ=="); }), "ReceiptHandleIsInvalid");
}

TEST_F(QueuesTest, AReceiverMayHideAMessageForLongerOrShowItAgain) {
  make("q");
  send("q", "a");
  bodies("q");
  const std::string handle = last[0].receipt_handle;
  queues.set_visibility("q", handle, 2min);
  pass(119s);
  EXPECT_EQ(bodies("q"), "");
  queues.set_visibility("q", handle, 0s);
  EXPECT_EQ(code_of([&] { queues.set_visibility("q", handle, 1s); }),
            "AWS.SimpleQueueService.MessageNotInflight");
  EXPECT_EQ(bodies("q"), "a");
}

TEST_F(QueuesTest, DelaysRetentionAndPurging) {
  make("q", {{"DelaySeconds", "5"}, {"MessageRetentionPeriod", "60"}});
  send("q", "a");
  EXPECT_EQ(bodies("q"), "");
  EXPECT_EQ(queues.attributes("q").at("ApproximateNumberOfMessagesDelayed"), "1");
  pass(5s);
  EXPECT_EQ(queues.attributes("q").at("ApproximateNumberOfMessages"), "1");
  pass(55s);
  EXPECT_EQ(bodies("q"), "") << "its retention is over";
  queues.send("q", {.body = "b", .delay = 0s});
  queues.purge("q");
  EXPECT_EQ(bodies("q"), "");
  EXPECT_EQ(code_of([&] { queues.purge("q"); }), "AWS.SimpleQueueService.PurgeQueueInProgress");
}

TEST_F(QueuesTest, AWaitingReceiverGetsAMessageAtTheInstantItIsVisible) {
  make("q");
  std::vector<std::pair<Duration, std::string>> got;
  const auto wait = [&](Duration longest) {
    queues.wait("q",
                {.take =
                     [&](const std::vector<Received>& messages) {
                       got.emplace_back(simulation.now() - kStart, joined(messages));
                     }},
                longest);
  };
  wait(20s);
  pass(3s);
  queues.send("q", {.body = "a", .delay = 4s});
  pass(1min);
  wait(10s);  // "a" is hidden again until 37 s, and visible since
  pass(1s);
  wait(10s);
  pass(1min);
  using Got = std::vector<std::pair<Duration, std::string>>;
  EXPECT_EQ(got, (Got{{7s, "a"}, {63s, "a"}, {74s, ""}}));
}

TEST_F(QueuesTest, AReceiverThatHasLeftTakesNothing) {
  make("q");
  int taken = 0;
  queues.wait("q", {.listens = [] { return false; }, .take = [&](const auto&) { ++taken; }}, 20s);
  send("q", "a");
  EXPECT_EQ(bodies("q"), "a");
  pass(1min);
  EXPECT_EQ(taken, 1) << "its connection is closed by then";
}

TEST_F(QueuesTest, AMessageReceivedTooOftenGoesToTheDeadLetterQueue) {
  make("dead");
  make("q",
       {{"RedrivePolicy", R"({"deadLetterTargetArn":)"
                          R"("arn:aws:sqs:us-west-2:123456789012:dead","maxReceiveCount":2})"}});
  const std::string id = send("q", "a").id;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(bodies("q"), "a");
    pass(30s);
  }
  EXPECT_EQ(bodies("q"), "");
  EXPECT_EQ(bodies("dead"), "a");
  EXPECT_EQ(last[0].message.id, id);
  EXPECT_EQ(last[0].message.source_arn, queues.queue("q").arn);
}

TEST_F(QueuesTest, AnExistingQueueIsReturnedWithoutItsDeadLetterQueue) {
  const std::map<std::string, std::string> redrive{
      {"RedrivePolicy", R"({"deadLetterTargetArn":)"
                        R"("arn:aws:sqs:us-west-2:123456789012:dead","maxReceiveCount":2})"}};
  make("dead");
  make("q", redrive);
  queues.remove("dead");
  EXPECT_EQ(code_of([&] { make("q", redrive); }), "");
  EXPECT_EQ(code_of([&] { make("other", redrive); }), "InvalidParameterValue");
}

TEST_F(QueuesTest, ARedrivePolicyNamesAQueue) {
  const std::map<std::string, std::string> redrive{
      {"RedrivePolicy", R"({"deadLetterTargetArn":"","maxReceiveCount":3})"}};
  EXPECT_EQ(code_of([&] { make("q", redrive); }), "InvalidParameterValue");
  make("q");
  EXPECT_EQ(code_of([&] { queues.set_attributes("q", redrive); }), "InvalidParameterValue");
  EXPECT_FALSE(queues.attributes("q").contains("RedrivePolicy"));
}

TEST_F(QueuesTest, APolicyHasAtMost20StatementsAnd8192Bytes) {
  const auto with = [&](std::size_t statements, const std::string& text) {
    std::string policy = R"({"Statement":[)";
    for (std::size_t i = 0; i < statements; ++i) policy += (i == 0 ? "{}" : ",{}");
    policy += R"(],"Id":")" + text + R"("})";
    return code_of([&] { queues.set_attributes("q", {{"Policy", policy}}); });
  };
  make("q");
  EXPECT_EQ(with(20, "a"), "");
  EXPECT_EQ(with(21, "a"), "InvalidAttributeValue");
  EXPECT_EQ(with(1, std::string(8100, 'a')), "");
  EXPECT_EQ(with(1, std::string(8192, 'a')), "InvalidAttributeValue");
}

TEST_F(QueuesTest, AFifoQueueKeepsTheOrderOfEachGroup) {
  make("q.fifo", {{"FifoQueue", "true"}, {"ContentBasedDeduplication", "true"}});
  for (const char* body : {"a1", "a2", "a3"}) send("q.fifo", body, "a");
  send("q.fifo", "b1", "b");
  EXPECT_EQ(bodies("q.fifo", 2), "a1 a2");
  const auto received = last;
  EXPECT_EQ(bodies("q.fifo"), "b1");
  for (const Received& each : received) queues.acknowledge("q.fifo", each.receipt_handle);
  EXPECT_EQ(bodies("q.fifo"), "a3");
  EXPECT_EQ(code_of([&] { send("q.fifo", "x"); }), "MissingParameter") << "no group";
}

TEST_F(QueuesTest, AFifoQueueTakesAMessageOnceInFiveMinutes) {
  make("q.fifo", {{"FifoQueue", "true"}});
  const SentMessage first = send("q.fifo", "a", "g", "same");
  const SentMessage again = send("q.fifo", "b", "g", "same");
  EXPECT_EQ(again.id, first.id);
  EXPECT_EQ(again.sequence, first.sequence);
  EXPECT_EQ(bodies("q.fifo"), "a");
  pass(5min);
  send("q.fifo", "c", "g", "same");
  EXPECT_EQ(bodies("q.fifo"), "a c");
  EXPECT_EQ(code_of([&] { send("q.fifo", "d", "g"); }), "InvalidParameterValue");
}

TEST_F(QueuesTest, AQueueIsMadeOnceAndAgainAMinuteAfterItsDeletion) {
  make("q", {{"VisibilityTimeout", "40"}});
  make("q", {{"VisibilityTimeout", "40"}});
  EXPECT_EQ(code_of([&] { make("q", {{"VisibilityTimeout", "41"}}); }), "QueueAlreadyExists");
  queues.remove("q");
  EXPECT_EQ(code_of([&] { make("q"); }), "AWS.SimpleQueueService.QueueDeletedRecently");
  EXPECT_EQ(code_of([&] { bodies("q"); }), "AWS.SimpleQueueService.NonExistentQueue");
  pass(1min);
  make("q");
  EXPECT_EQ(code_of([&] { make("a b"); }), "InvalidParameterValue");
  EXPECT_EQ(code_of([&] { make("q2", {{"Colour", "red"}}); }), "InvalidAttributeName");
  EXPECT_EQ(code_of([&] { make("q2", {{"DelaySeconds", "901"}}); }), "InvalidAttributeValue");
}

// Another implementation of the published algorithm computed these digests of attributes.
TEST_F(QueuesTest, DigestsEqualAwss) {
  EXPECT_EQ(md5_of(std::string("hello")), "5d41402abc4b2a76b9719d911017c592");
  EXPECT_EQ(md5_of(Attributes{{"timestamp", {"Number", "1493147359900"}}}),
            "235c5c510d26fb653d073faed50ae77c");
  EXPECT_EQ(md5_of(Attributes{{"b", {"Binary", "xy"}}, {"a", {"String.kind", "z"}}}),
            "30d528be3c8adbfa6a9e56173b408464");
}

}  // namespace
}  // namespace sim::messaging
