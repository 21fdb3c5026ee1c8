#include "sim/events/event_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"

namespace sim {
namespace {

const Json kNoFields = Json::object();

Event sample() {
  return {Time{} + 1500ms, "price", {{"instance_type", "p3.2xlarge"}, {"price", "0.9180"}}};
}

TEST(EventLine, BeginsWithTimeAndEventAndKeepsTheOrderOfTheFields) {
  EXPECT_EQ(to_line(sample()), R"({"time":"1970-01-01T00:00:01.500000000Z","event":"price",)"
                               R"("instance_type":"p3.2xlarge","price":"0.9180"})");
}

TEST(EventLine, RoundTrips) {
  Event event = sample();
  event.fields["nested"] = {{"b", 1}, {"a", {1, 2.5, nullptr, true, "\n\"\\\u00e9"}}};
  const Event back = parse_event(to_line(event));
  EXPECT_EQ(back.time, event.time);
  EXPECT_EQ(back.kind, event.kind);
  EXPECT_EQ(back.fields, event.fields);
  EXPECT_EQ(to_line(back), to_line(event));
}

TEST(EventLine, HasObjectsAndTextsAsTheJsonLibraryWritesThem) {
  const Json values[] = {Json::object(),
                         {{"a", ""}, {"b c", "d \"e\" \\ /"}, {"\u00e9\n", "~ \x7f \t"}},
                         {{"a", {{"b", Json::object()}, {"c", {{"d", "{"}}}}}, {"e", "}"}},
                         {{"list", {"x", {{"y", 1.5}}}}, {"n", nullptr}, {"t", true}, {"i", -7}}};
  for (const Json& value : values) {
    const std::string line = to_line(Event{Time{}, "trainer.step", {{"value", value}}});
    EXPECT_NE(line.find(R"("value":)" + value.dump() + "}"), std::string::npos) << line;
  }
}

TEST(EventLine, IsOneLineOfUtf8WhateverAGuestWrote) {
  const std::string line = to_line(Event{Time{}, "trainer.step", {{"text", "a\xff\nb"}}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NO_THROW(parse_event(line));
}

TEST(EventLine, ReportsErrorsOfALine) {
  for (const char* line :
       {"", "7", "[]", "{", "{}", R"({"time":"x"})", R"({"time":1,"event":"a"})",
        R"({"time":"yesterday","event":"a"})", R"({"time":"2019-11-05T10:00:00Z"})",
        R"({"time":"2019-11-05T10:00:00Z","event":5})"}) {
    EXPECT_THROW(parse_event(line), std::runtime_error) << line;
  }
  const std::string deep(1'000'000, '[');
  EXPECT_THROW(parse_event(R"({"time":"2019-11-05T10:00:00Z","event":"a.b","x":)" + deep),
               std::runtime_error);
}

TEST(EventLog, AFurtherRegionsViewNamesTheRegionInTheSameLog) {
  EventLog log, same;
  EventLog east(log, "us-east-1");
  std::vector<std::string> lines;
  hear_lines(log, [&](const Event&, std::string_view text) { lines.emplace_back(text); });
  east.append(events::Price{.instance_type = "p3.2xlarge"});
  log.append(events::Price{.instance_type = "p3.2xlarge"});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find(R"("event":"price","region":"us-east-1","instance_type")"),
            std::string::npos);
  EXPECT_NE(lines[1].find(R"("event":"price","instance_type")"), std::string::npos);
  EXPECT_EQ(to_line(parse_event(lines[0])), lines[0]);
  EXPECT_EQ(east.lines(), 2u);
  EXPECT_EQ(east.fingerprint(), log.fingerprint());
}

TEST(EventLog, CallsObserversInOrderWithTheLine) {
  EventLog log;
  std::string told;
  hear_lines(log, [&](const Event& e, std::string_view text) {
    told += "1:" + e.kind + ":" + std::string(text) + "\n";
  });
  hear_lines(log, [&](const Event&, std::string_view) { told += "2\n"; });
  log.append(Time{}, "a", kNoFields);
  EXPECT_EQ(told, "1:a:{\"time\":\"1970-01-01T00:00:00.000000000Z\",\"event\":\"a\"}\n2\n");
  EXPECT_EQ(log.lines(), 1u);
}

// Texts as they are, with marks to be escaped, and that are no UTF-8.
TEST(EventLog, AStructAndItsFieldsAreTheSameLine) {
  for (const char* text : {"i-1", "", "a\"b\\c", "d\n\x7f", "\xc3\xa9", "\xff"}) {
    EventLog log, same;
    std::string line;
    log.listeners().on_all([&](const events::AnyEvent&, std::string_view of) { line = of; });
    log.append(events::Charge{
        .time = Time{} + 1s, .kind = text, .resource = "i-1", .quantity = 0.1, .unit = text});
    const Json fields{{"kind", text}, {"resource", "i-1"}, {"usage", ""},  {"from", ""},
                      {"to", ""},     {"quantity", 0.1},   {"unit", text}, {"unit_price", ""},
                      {"cost", ""},   {"note", ""}};
    same.append(Time{} + 1s, "charge", fields);
    EXPECT_EQ(line, to_line(Event{Time{} + 1s, "charge", fields}));
    EXPECT_EQ(log.fingerprint(), same.fingerprint());
  }
}

TEST(EventLog, FieldsThatAreLeftOutAreNotInTheLine) {
  const auto begin = R"({"time":"1970-01-01T00:00:00.000000000Z","event":)";
  EXPECT_EQ(to_line(events::FaultStrike{.fault = 1, .kind = "drain"}),
            std::string(begin) + R"("fault.strike","fault":1,"kind":"drain"})");
  EXPECT_EQ(to_line(events::Capacity{.instance_type = "a", .availability_zone = "b"}),
            std::string(begin) +
                R"("capacity","instance_type":"a","availability_zone":"b","slots":null})");
  EXPECT_EQ(to_line(events::VolumeState{
                .volume_id = "vol-1", .from = "creating", .to = "available", .size_gib = 8}),
            std::string(begin) +
                R"("volume.state","volume_id":"vol-1","from":"creating","to":"available"})");
}

TEST(EventLog, LazyJsonIsMadeOnlyForAReader) {
  int made = 0;
  const Json request{{"VolumeId", "vol-1"}};
  const std::function<const Json&()> make = [&]() -> const Json& {
    ++made;
    return request;
  };
  EventLog silent(LogText::kNone);
  std::string action;
  silent.listeners().on<events::ApiCall>(
      [&](const events::ApiCall& event) { action = event.action; });
  const events::ApiCall call{.action = "DeleteVolume", .request = make};
  silent.append(call);
  EXPECT_EQ(action, "DeleteVolume");
  EXPECT_EQ(made, 0);
  EXPECT_EQ(parse_event(to_line(call)).fields["request"], request);
  EXPECT_EQ(made, 1);
}

// What a program in a guest reports: any fields, of any types.
TEST(EventLog, AReportedLineIsDeliveredAsAStructAndWrittenUnchanged) {
  EventLog log;
  std::int64_t step = 0;
  std::string reason = "none", line;
  log.listeners().on<events::TrainerCheckpointBegin>(
      [&](const events::TrainerCheckpointBegin& event) {
        step = event.step;
        reason = event.reason;
      });
  hear_lines(log, [&](const Event& event, std::string_view) { line = to_line(event); });
  const Json fields{{"loss", 0.5}, {"step", 7}, {"reason", {1, 2}}, {"instance_id", "i-1"}};
  log.append(Time{}, "trainer.checkpoint-begin", fields);
  EXPECT_EQ(step, 7);
  EXPECT_EQ(reason, "");
  EXPECT_EQ(line, to_line(Event{Time{}, "trainer.checkpoint-begin", fields}));
  log.append(Time{}, "mine.event", fields);
  EXPECT_EQ(line, to_line(Event{Time{}, "mine.event", fields}));
}

TEST(EventLog, EqualLogsHaveEqualFingerprintsAndOthersOthers) {
  EventLog a, b, c, reordered;
  EXPECT_EQ(a.fingerprint().size(), 16u);
  const std::string empty = a.fingerprint();
  for (EventLog* log : {&a, &b, &c}) log->append(Time{}, "x", {{"n", 1}});
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_NE(a.fingerprint(), empty);
  a.append(Time{}, "y", kNoFields);
  b.append(Time{}, "y", kNoFields);
  c.append(Time{} + 1ns, "y", kNoFields);
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_NE(a.fingerprint(), c.fingerprint());
  reordered.append(Time{}, "y", kNoFields);
  reordered.append(Time{}, "x", {{"n", 1}});
  EXPECT_NE(a.fingerprint(), reordered.fingerprint());
}

// XXH3-64 of the line's bytes and its newline, as the file has them: xxh3sum of events.jsonl says
// the same.
TEST(EventLog, FingerprintIsAFunctionOfTheBytesAlone) {
  EventLog log;
  log.append(Time{}, "a", kNoFields);
  const std::string_view bytes = "{\"time\":\"1970-01-01T00:00:00.000000000Z\",\"event\":\"a\"}\n";
  EXPECT_EQ(log.fingerprint(), fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size())));
}

TEST(EventLogDeath, TimeNeverGoesBack) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EventLog log;
  log.append(Time{} + 1s, "a", kNoFields);
  EXPECT_DEATH(log.append(Time{}, "b", kNoFields), "does not hold");
}

}  // namespace
}  // namespace sim
