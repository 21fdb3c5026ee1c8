#include "sim/kernel/event_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "sim/kernel/event.h"

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

TEST(EventLine, IsOneLineOfUtf8WhateverAGuestWrote) {
  const std::string line = to_line(Event{Time{}, "trainer.step", {{"text", "a\xff\nb"}}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NO_THROW(parse_event(line));
}

TEST(EventLine, SaysWhatIsWrongWithALine) {
  for (const char* line :
       {"", "7", "[]", "{", "{}", R"({"time":"x"})", R"({"time":1,"event":"a"})",
        R"({"time":"yesterday","event":"a"})", R"({"time":"2019-11-05T10:00:00Z"})",
        R"({"time":"2019-11-05T10:00:00Z","event":5})"}) {
    EXPECT_THROW(parse_event(line), std::runtime_error) << line;
  }
}

TEST(EventLog, TellsObserversInTheirOrderWithTheLine) {
  EventLog log;
  std::string told;
  log.subscribe([&](const Event& e, std::string_view text) {
    told += "1:" + e.kind + ":" + std::string(text) + "\n";
  });
  log.subscribe([&](const Event&, std::string_view) { told += "2\n"; });
  log.append(Time{}, "a", kNoFields);
  EXPECT_EQ(told, "1:a:{\"time\":\"1970-01-01T00:00:00.000000000Z\",\"event\":\"a\"}\n2\n");
  EXPECT_EQ(log.lines(), 1u);
}

// Texts as they are, with marks to be escaped, and that are no UTF-8.
TEST(EventLog, APlainEventIsTheSameLine) {
  for (const char* text : {"i-1", "", "a\"b\\c", "d\n\x7f", "\xc3\xa9", "\xff"}) {
    const PlainEvent plain{
        Time{} + 1s,
        text,
        {{"instance_id", text}, {"step", -7}, {"share", 0.1}, {"whole", 2.0}, {"ok", true}}};
    std::vector<std::string> heard;
    const auto hear = [&](const auto&, std::string_view line) { heard.emplace_back(line); };
    EventLog log, same;
    log.subscribe(hear);
    log.subscribe({.hear = {}, .wants = {}, .hear_plain = hear});
    log.append(plain);
    same.append(
        Time{} + 1s, text,
        {{"instance_id", text}, {"step", -7}, {"share", 0.1}, {"whole", 2.0}, {"ok", true}});
    EXPECT_EQ(heard, std::vector(2, to_line(to_event(plain))));
    EXPECT_EQ(to_line(plain), heard.front());
    EXPECT_EQ(log.fingerprint(), same.fingerprint());
  }
}

TEST(EventLog, FieldsThatAreMadeLaterAreMadeOnlyForTheWholeLine) {
  int made = 0;
  const std::function<Json()> more = [&made] {
    ++made;
    return Json{{"request", {{"VolumeId", "vol-1"}}}, {"last", 2}};
  };
  const PlainEvent call{Time{}, "api.call", {{"action", "DeleteVolume"}}, &more};
  const Event whole{
      Time{},
      "api.call",
      {{"action", "DeleteVolume"}, {"request", {{"VolumeId", "vol-1"}}}, {"last", 2}}};
  EXPECT_EQ(to_line(call), to_line(whole));
  EXPECT_EQ(to_line(to_event(call)), to_line(whole));
  EventLog silent(LogText::kNone);
  silent.subscribe(
      {.hear = {}, .wants = {}, .hear_plain = [](const PlainEvent&, std::string_view) {}});
  made = 0;
  silent.append(call);
  EXPECT_EQ(made, 0);
}

// By those with an ear for it, and as JSON by the others.
TEST(EventLog, APlainEventIsHeardWithTextAndWithout) {
  for (const LogText text : {LogText::kRendered, LogText::kNone}) {
    EventLog log(text);
    std::vector<std::string> heard;
    log.subscribe(
        {.hear = {}, .wants = {}, .hear_plain = [&](const PlainEvent& event, std::string_view) {
           heard.push_back(to_line(to_event(event)));
         }});
    const PlainEvent step{Time{} + 1s, "trainer.step", {{"instance_id", "i-1"}, {"step", 7}}};
    const std::string line = to_line(to_event(step));
    log.append(step);
    EXPECT_EQ(heard.back(), line);
    std::string json;
    log.subscribe([&](const Event& event, std::string_view) { json = to_line(event); });
    log.append(step);
    EXPECT_EQ(heard.back(), line);
    EXPECT_EQ(json, line);
    EXPECT_EQ(log.lines(), 2u);
  }
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
