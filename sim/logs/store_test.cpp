#include "sim/logs/store.h"

#include <gtest/gtest.h>

#include "sim/logs/bill.h"
#include "sim/logs/pattern.h"
#include "sim/logs/reading.h"

namespace sim::logs {
namespace {

using namespace std::chrono_literals;

const Time kStart = parse_time("2019-11-05T10:00:00Z").value();

template <class What>
std::string error_of(const What& what) {
  try {
    what();
  } catch (const ApiError& error) {
    return error.code() + ": " + error.what();
  }
  return "";
}

class LogStoreTest : public testing::Test {
 protected:
  std::int64_t now() const { return milliseconds(simulation.now()); }
  void pass(Duration d) { simulation.run_until(simulation.now() + d); }
  std::string messages(const Page& page) const {
    std::string all;
    for (std::size_t i = 0; i < page.count; ++i) all += page.first[i].message + " ";
    return all;
  }
  std::string messages(const Found& found) const {
    std::string all;
    for (const auto& [stream, event] : found.entries) all += *stream + ":" + event->message + " ";
    return all;
  }
  NamedStreams all_streams() const {
    NamedStreams streams;
    for (const auto& [name, stream] : store.group("g").streams)
      streams.emplace_back(&name, &stream);
    return streams;
  }
  Simulation simulation{kStart};
  Store store{simulation};
};

TEST_F(LogStoreTest, WhatIsAppendedMakesItsGroupAndStream) {
  store.append("/aws/sagemaker/TrainingJobs", "job/algo-1-1572948000", now(), "Epoch 1/10");
  const Stream& stream = store.stream("/aws/sagemaker/TrainingJobs", "job/algo-1-1572948000");
  ASSERT_EQ(stream.events.size(), 1u);
  EXPECT_EQ(stream.events[0].message, "Epoch 1/10");
  EXPECT_EQ(stream.events[0].at.time, 1572948000000);
  EXPECT_EQ(stream.events[0].ingested, 1572948000000);
  store.append("g", "s", now(), "");
  EXPECT_TRUE(store.stream("g", "s").events.empty()) << "no event is empty";
  store.append("g", "s", now(), std::string(kLargestEvent, 'x'));
  EXPECT_EQ(store.stream("g", "s").events.size(), 2u) << "cut where it is too large";
}

TEST_F(LogStoreTest, EventsStandInOrderOfTimeAndThenAsTheyCame) {
  for (const auto& [time, message] : std::initializer_list<std::pair<int, const char*>>{
           {3, "c"}, {1, "a"}, {3, "d"}, {2, "b"}, {3, "e"}})
    store.append("g", "s", time, message);
  EXPECT_EQ(messages(read_events(store.stream("g", "s"), {}, {}, Direction::kForward)),
            "a b c d e ");
}

TEST_F(LogStoreTest, PagesGoOnWhereTheLastEndedBothWays) {
  for (int i = 0; i < 10; ++i) store.append("g", "s", i / 2, std::to_string(i));
  const Stream& stream = store.stream("g", "s");
  Page page = read_events(stream, {}, {}, Direction::kForward, 4);
  EXPECT_EQ(messages(page), "0 1 2 3 ");
  page = read_events(stream, {}, page.end, Direction::kForward, 4);
  EXPECT_EQ(messages(page), "4 5 6 7 ");
  EXPECT_EQ(messages(read_events(stream, {}, page.begin, Direction::kBackward, 3)), "1 2 3 ");
  page = read_events(stream, {}, page.end, Direction::kForward, 4);
  EXPECT_EQ(messages(page), "8 9 ");
  const Page none = read_events(stream, {}, page.end, Direction::kForward, 4);
  EXPECT_EQ(none.count, 0u);
  EXPECT_EQ(none.end, page.end) << "at the end the place stays the same";
  store.append("g", "s", 9, "new");
  EXPECT_EQ(messages(read_events(stream, {}, none.end, Direction::kForward, 4)), "new ");
  EXPECT_EQ(messages(read_events(stream, {1, 3}, {}, Direction::kForward)), "2 3 4 5 ");
  EXPECT_EQ(read_events(stream, {3, 1}, {}, Direction::kForward).count, 0u);
}

TEST_F(LogStoreTest, APageHoldsAMebibyteAtMost) {
  for (int i = 0; i < 10; ++i) store.append("g", "s", i, std::string(250'000, 'x'));
  EXPECT_EQ(read_events(store.stream("g", "s"), {}, {}, Direction::kForward).count, 4u);
  EXPECT_EQ(find_events(all_streams(), {}, {}, [](const auto&) { return true; }).entries.size(),
            4u);
}

TEST_F(LogStoreTest, ASearchGoesThroughAllStreamsInOrder) {
  for (int i = 0; i < 6; ++i) store.append("g", i % 2 ? "odd" : "even", i / 2, std::to_string(i));
  const auto all = [](const std::string&) { return true; };
  Found found = find_events(all_streams(), {}, {}, all, 4);
  EXPECT_EQ(messages(found), "even:0 odd:1 even:2 odd:3 ");
  EXPECT_TRUE(found.more);
  found = find_events(all_streams(), {}, found.next, all, 4);
  EXPECT_EQ(messages(found), "even:4 odd:5 ");
  EXPECT_FALSE(found.more);
  const auto large = [](const std::string& message) { return message >= "3"; };
  found = find_events(all_streams(), {}, {}, large, 3);
  EXPECT_EQ(messages(found), "odd:3 even:4 odd:5 ");
  EXPECT_FALSE(found.more);
}

TEST_F(LogStoreTest, ASearchThatFindsLittleEndsInPages) {
  for (std::size_t i = 0; i < kMostSearched + 10; ++i) store.append("g", "s", 1, "x");
  store.append("g", "s", 2, "wanted");
  const auto wanted = [](const std::string& message) { return message == "wanted"; };
  Found found = find_events(all_streams(), {}, {}, wanted);
  EXPECT_TRUE(found.entries.empty());
  EXPECT_TRUE(found.more);
  found = find_events(all_streams(), {}, found.next, wanted);
  EXPECT_EQ(messages(found), "s:wanted ");
  EXPECT_FALSE(found.more);
}

TEST_F(LogStoreTest, ABatchKeepsToTheRules) {
  store.create_group("g");
  store.create_stream("g", "s");
  EXPECT_EQ(error_of([&] {
              store.put("g", "s", {{now(), "b"}, {now() - 1, "a"}});
            }),
            "InvalidParameterException: Log events in a single PutLogEvents request must be in "
            "chronological order.");
  EXPECT_EQ(error_of([&] {
              store.put("g", "s", {{now() - 86'400'001, "a"}, {now(), "b"}});
            }),
            "InvalidParameterException: The batch of log events in a single PutLogEvents request "
            "cannot span more than 24 hours.");
  EXPECT_EQ(error_of([&] {
              store.put("g", "s", {{now(), std::string(262'119, 'x')}});
            }),
            "InvalidParameterException: Log event too large: 262145 bytes exceeds limit of 262144");
  const std::vector<NewEvent> five(5, {now(), std::string(209'690, 'x')});
  EXPECT_EQ(error_of([&] { store.put("g", "s", five); }),
            "InvalidParameterException: Upload too large: 1048580 bytes exceeds limit of 1048576");
  EXPECT_TRUE(store.stream("g", "s").events.empty());
  EXPECT_EQ(error_of([&] { store.put("h", "s", {}); }),
            "ResourceNotFoundException: The specified log group does not exist.");
  EXPECT_EQ(error_of([&] { store.put("g", "t", {}); }),
            "ResourceNotFoundException: The specified log stream does not exist.");
}

TEST_F(LogStoreTest, TooOldAndTooNewEventsAreRejectedAndTheOthersTaken) {
  store.create_group("g");
  store.create_stream("g", "s");
  const std::int64_t hour = 3'600'000, day = 24 * hour;
  Rejected rejected = store.put(
      "g", "s", {{now() + hour, "a"}, {now() + 2 * hour + 1, "b"}, {now() + 3 * hour, "c"}});
  EXPECT_EQ(rejected.new_begin, 1u);
  EXPECT_FALSE(rejected.old_end);
  rejected = store.put("g", "s", {{now() - 14 * day - 1, "a"}, {now() - 14 * day, "b"}});
  EXPECT_EQ(rejected.old_end, 1u);
  store.set_retention("g", 3);
  rejected = store.put("g", "s", {{now() - 3 * day - 1, "a"}, {now() - 3 * day, "b"}});
  EXPECT_EQ(rejected.expired_end, 1u);
  EXPECT_EQ(store.stream("g", "s").events.size(), 3u);
}

TEST_F(LogStoreTest, ARetentionDropsWhatIsOlderAtMidnight) {
  store.append("g", "s", now(), "first");
  pass(24h);
  store.append("g", "s", now(), "second");
  store.set_retention("g", 1);
  pass(13h);
  EXPECT_EQ(messages(read_events(store.stream("g", "s"), {}, {}, Direction::kForward)),
            "first second ");
  pass(1h);
  EXPECT_EQ(messages(read_events(store.stream("g", "s"), {}, {}, Direction::kForward)), "second ");
  EXPECT_EQ(store.group("g").bytes, 32u);
  pass(24h);
  EXPECT_EQ(store.group("g").bytes, 0u);
  EXPECT_FALSE(simulation.next()) << "nothing is left to wait for";
}

TEST_F(LogStoreTest, CountsWhatCameAndWhatIsKept) {
  store.append("g", "s", now(), "1234");
  store.append("g", "t", now(), "1234");
  EXPECT_EQ(store.ingested(), 60u);
  pass(10s);
  EXPECT_EQ(store.byte_seconds(), 600);
  store.delete_stream("g", "t");
  pass(10s);
  EXPECT_EQ(store.byte_seconds(), 900);
  store.delete_group("g");
  pass(10s);
  EXPECT_EQ(store.byte_seconds(), 900);
  EXPECT_EQ(store.ingested(), 60u);
}

// 4 MiB in 16 events: $0.50 per GiB received and $0.03 per GiB and month stored.
TEST_F(LogStoreTest, CostsWhatCameAndWhatIsKept) {
  EXPECT_TRUE(charges(store, kStart, simulation.now(), {}).empty());
  for (int i = 0; i < 16; ++i) store.append("g", "s", now(), std::string(kLargestEvent - 26, 'x'));
  pass(cloud::kBillingMonth);
  const auto items = charges(store, kStart, simulation.now(), {});
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].cost.nano, 500'000'000 / 256);
  EXPECT_EQ(items[1].cost.nano, 30'000'000 / 256 + 1) << "rounded";
}

TEST_F(LogStoreTest, NamesAreAsTheServiceHasThem) {
  for (const char* name : {"g", "/aws/sagemaker/TrainingJobs", "a.b-c_d#1"})
    EXPECT_EQ(error_of([&] { store.create_group(name); }), "") << name;
  for (const std::string& name : {std::string(), std::string("a b"), std::string(513, 'a')})
    EXPECT_NE(error_of([&] { store.create_group(name); }), "") << name;
  EXPECT_EQ(error_of([&] { store.create_group("g"); }),
            "ResourceAlreadyExistsException: The specified log group already exists");
  EXPECT_EQ(error_of([&] { store.create_stream("g", "[$LATEST] 1/ä"); }), "");
  EXPECT_NE(error_of([&] { store.create_stream("g", "a:b"); }), "");
  EXPECT_EQ(error_of([&] { store.create_stream("g", "[$LATEST] 1/ä"); }),
            "ResourceAlreadyExistsException: The specified log stream already exists");
}

TEST(LogPattern, TermsAreAllWantedOrAnyOrNone) {
  const auto matches = [](const char* pattern, const char* message) {
    return parse_pattern(pattern).matches(message);
  };
  EXPECT_TRUE(matches("", "anything"));
  EXPECT_TRUE(matches("ERROR", "[ERROR 400] BAD REQUEST"));
  EXPECT_FALSE(matches("error", "[ERROR 400] BAD REQUEST"));
  EXPECT_TRUE(matches("ERROR REQUEST", "[ERROR 400] BAD REQUEST"));
  EXPECT_FALSE(matches("ERROR ARGUMENTS", "[ERROR 400] BAD REQUEST"));
  EXPECT_TRUE(matches("?ERROR ?WARN", "[WARN] x"));
  EXPECT_FALSE(matches("?ERROR ?WARN", "[INFO] x"));
  EXPECT_TRUE(matches("ERROR -ARGUMENTS", "ERROR x"));
  EXPECT_FALSE(matches("ERROR -ARGUMENTS", "ERROR ARGUMENTS"));
  EXPECT_TRUE(matches("-ARGUMENTS", "ERROR x"));
  EXPECT_TRUE(matches("\"BAD REQUEST\"", "[ERROR 400] BAD REQUEST"));
  EXPECT_FALSE(matches("-\"BAD REQUEST\"", "[ERROR 400] BAD REQUEST"));
  EXPECT_TRUE(matches("\"a \\\"quoted\\\" word\"", "a \"quoted\" word"));
  EXPECT_TRUE(matches("ERROR ?WARN", "ERROR")) << "what is optional counts alone only";
}

TEST(LogPattern, ReportsInvalidPatterns) {
  const auto refused = [](const char* pattern) {
    return error_of([&] { parse_pattern(pattern); });
  };
  EXPECT_EQ(refused("a:b"), "InvalidParameterException: Invalid character(s) in term ':'");
  EXPECT_EQ(refused("a ?"), "InvalidParameterException: Invalid character(s) in term ''");
  EXPECT_NE(refused("\"open"), "");
  for (const char* pattern : {"{ $.a = 1 }", "[a, b]", "%a+%"})
    EXPECT_EQ(refused(pattern).substr(0, 20), "UnsupportedOperation") << pattern;
}

}  // namespace
}  // namespace sim::logs
