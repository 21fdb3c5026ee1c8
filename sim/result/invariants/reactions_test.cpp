// Tests of notice-answered, retries-bounded and the scenario's own invariants.
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "sim/events/event.h"
#include "sim/result/invariants/judged_for_test.h"
#include "sim/result/metrics.h"

namespace sim::result {
namespace {

// ---- notice-answered

TEST(NoticeAnswered, BreaksWhereNothingComesInTime) {
  LogBuilder log = in_training();
  log.notice(40s, "i-1").trainer(70s, "i-1", "stop", 100);
  EXPECT_TRUE(holds(log, "notice-answered"));
  LogBuilder late = in_training();
  late.notice(40s, "i-1").trainer(71s, "i-1", "stop", 100);
  const Verdict v = judged(late, "notice-answered");
  EXPECT_EQ(v.what, "a job in training answers an interruption notice within 30s");
  EXPECT_EQ(v.found, "no answer of i-1 to the notice of 2019-11-05T10:00:40Z");
  EXPECT_EQ(v.at, kLogStart + 70s);
  EXPECT_EQ(shown(late, "notice-answered"), (Kinds{"trainer.start", "instance.notice"}));
}

TEST(NoticeAnswered, AnyAnswerIsOne) {
  const auto noticed = [] { return in_training().notice(40s, "i-1"); };
  LogBuilder saves_it = noticed(), says = noticed(), exit = noticed(), epoch = noticed(),
             other = noticed(), gone = noticed(), at_end = noticed();
  saves_it.add(50s, "trainer.checkpoint-begin", {{"instance_id", "i-1"}, {"reason", "on-notice"}});
  EXPECT_TRUE(holds(saves_it.end("failed", 1h), "notice-answered"));
  EXPECT_TRUE(holds(phase(says, 50s, "i-1", "notice").end("failed", 1h), "notice-answered"));
  EXPECT_TRUE(holds(exits(exit, 50s, "i-1", 75).end("failed", 1h), "notice-answered"));
  EXPECT_TRUE(holds(gone.shutting_down(50s, "i-1").end("failed", 1h), "notice-answered"));
  epoch.trainer(50s, "i-1", "checkpoint-begin", 120);
  EXPECT_FALSE(holds(epoch.end("failed", 1h), "notice-answered")) << "it saves as ever";
  EXPECT_FALSE(holds(phase(other, 50s, "i-2", "notice").end("failed", 1h), "notice-answered"));
  EXPECT_TRUE(holds(at_end.end("failed", 60s), "notice-answered")) << "there was no time left";
}

TEST(NoticeAnswered, WaitsUntilItCouldBeRead) {
  const auto silent = [](Duration at, const char* until, Duration stop) {
    LogBuilder log = in_training();
    log.add(at, "fault.silence", {{"instance_id", "i-1"}, {"until", until}});
    log.add(at, "fault.silence", {{"instance_id", "i-2"}, {"until", "2019-11-05T12:00:00.000Z"}});
    log.notice(40s, "i-1");
    return log.trainer(stop, "i-1", "stop", 100);
  };
  constexpr const char* kUntil = "2019-11-05T10:01:00.000Z";
  EXPECT_TRUE(holds(silent(30s, kUntil, 90s), "notice-answered"));
  EXPECT_EQ(judged(silent(30s, kUntil, 91s), "notice-answered").at, kLogStart + 90s);
  EXPECT_FALSE(holds(silent(30s, "2019-11-05T10:00:35.000Z", 71s), "notice-answered"))
      << "it had ended before the notice";
  LogBuilder late = in_training();
  late.notice(40s, "i-1");
  late.add(71s, "fault.silence", {{"instance_id", "i-1"}, {"until", "2019-11-05T12:00:00.000Z"}});
  EXPECT_FALSE(holds(late.end("failed", 1h), "notice-answered")) << "there was time before";
}

TEST(NoticeAnswered, AppliesWhereATrainerRunsAndReports) {
  LogBuilder stopped = in_training(), foreign;
  stopped.trainer(30s, "i-1", "stop", 100).notice(40s, "i-1").end("failed", 1h);
  EXPECT_TRUE(holds(stopped, "notice-answered"));
  foreign.start().launch(1s, "i-1", "us-west-2b").running(2s, "i-1");
  foreign.trainer(3s, "i-1", "start", 0).notice(40s, "i-1").end("failed", 1h);
  EXPECT_FALSE(applies(foreign, "notice-answered"));
  EXPECT_FALSE(holds(foreign, "notice-answered", {.notice_reaction = 1min}))
      << "the scenario asks for it";
}

// ---- retries-bounded

LogBuilder calls(int count, Duration every, const std::string& result) {
  LogBuilder log;
  log.start();
  for (int i = 0; i < count; ++i) call(log, i * every, "i-1", "AttachVolume", result);
  return log;
}

TEST(RetriesBounded, BreaksByTheSixthFailureWithinASecond) {
  EXPECT_TRUE(holds(calls(6, 200ms, "IncorrectState"), "retries-bounded"));
  const LogBuilder hot = calls(9, 199ms, "IncorrectState");
  EXPECT_EQ(judged(hot, "retries-bounded").found,
            "i-1 failed at AttachVolume 6 times within a second by 2019-11-05T10:00:00Z");
  EXPECT_EQ(shown(hot, "retries-bounded"), Kinds(6, "api.call"));
  EXPECT_TRUE(holds(hot, "retries-bounded", {.retries_in_a_second = 9}));
  EXPECT_TRUE(holds(calls(20, 10ms, "ok"), "retries-bounded"));
  EXPECT_TRUE(holds(calls(20, 10ms, "NotImplemented"), "retries-bounded")) << "spotsim's lack";
}

TEST(RetriesBounded, BreaksByTooManyInARow) {
  EXPECT_TRUE(holds(calls(200, 1s, "RequestLimitExceeded"), "retries-bounded"));
  EXPECT_EQ(judged(calls(201, 1s, "RequestLimitExceeded"), "retries-bounded").found,
            "i-1 failed at AttachVolume 201 times in a row by 2019-11-05T10:03:20Z");
  EXPECT_TRUE(holds(calls(500, 1min, "InsufficientInstanceCapacity"), "retries-bounded"))
      << "it waits for the market";
}

// A program that copies ten files in parallel retries each of them separately.
TEST(RetriesBounded, OfObjectsAreCountedForEach) {
  const auto uploads = [](int objects) {
    LogBuilder log;
    log.start();
    for (int i = 0; i < 20; ++i)
      log.add(i * 50ms, "api.call",
              {{"service", "s3"},
               {"action", "PutObject"},
               {"caller", "i-1"},
               {"result", "SlowDown"},
               {"request", {{"Bucket", "b"}, {"Key", std::to_string(i % objects)}}}});
    return log;
  };
  EXPECT_TRUE(holds(uploads(10), "retries-bounded"));
  EXPECT_FALSE(holds(uploads(2), "retries-bounded"));
}

TEST(RetriesBounded, CountsEachCallerAndActionAndBeginsAnewWithASuccess) {
  LogBuilder log;
  log.start();
  for (int i = 0; i < 150; ++i)
    for (const char* caller : {"i-1", "i-2", "operator"})
      call(log, i * 1s, caller, "AttachVolume", "IncorrectState");
  for (const char* caller : {"i-1", "i-2"}) call(log, 200s, caller, "AttachVolume");
  for (int i = 0; i < 150; ++i) call(log, 300s + i * 1s, "i-1", "AttachVolume", "IncorrectState");
  EXPECT_TRUE(holds(log, "retries-bounded"));
}

// ---- invariants of a scenario

InvariantRules own(OwnInvariant one) {
  one.name = "mine";
  return {.own = {std::move(one)}};
}

TEST(OwnInvariant, NeverIsBrokenByTheFirst) {
  LogBuilder log = in_training();
  call(log, 30s, "i-1", "DeleteVolume", "VolumeInUse");
  const auto never = [&](EventPattern pattern) { return own({.of = std::move(pattern)}); };
  const InvariantRules any = never({"api.call", {{"action", "DeleteVolume"}}});
  EXPECT_EQ(judged(log, "mine", any).what, "mine: never api.call {action: DeleteVolume}");
  EXPECT_EQ(judged(log, "mine", any).found, "1 by 2019-11-05T10:00:30Z");
  EXPECT_EQ(shown(log, "mine", any), Kinds{"api.call"});
  using Fields = std::vector<std::pair<std::string, std::string>>;
  for (const Fields& others : {Fields{{"action", "DeleteVolume"}, {"caller", "operator"}},
                               Fields{{"action", "Delete"}}, Fields{{"missing", "*"}}})
    EXPECT_TRUE(holds(log, "mine", never({"api.call", others})));
  for (const Fields& it : {Fields{}, Fields{{"caller", "i-*"}}, Fields{{"result", "*"}}})
    EXPECT_FALSE(holds(log, "mine", never({"api.call", it})));
  EXPECT_TRUE(holds(log, "mine", never({"trainer.crash", {}})));
}

TEST(OwnInvariant, ComparesNumbersFlagsAndMembersOfFields) {
  LogBuilder log;
  log.start().add(
      1s, "a.b",
      {{"step", 7}, {"share", 0.5}, {"on", true}, {"request", {{"Filter.1.Name", "tag"}}}});
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"step", "7"}, {"share", "0.5"}, {"on", "true"}, {"request.Filter.1.Name", "tag"}}) {
    EXPECT_FALSE(holds(log, "mine", own({.of = {"a.b", {{name, value}}}}))) << name;
    EXPECT_TRUE(holds(log, "mine", own({.of = {"a.b", {{name, value + "1"}}}}))) << name;
  }
}

TEST(OwnInvariant, AtMostCounts) {
  LogBuilder log = in_training();
  log.launch(30s, "i-2", "us-west-2b").launch(31s, "i-3", "us-west-2b");
  const OwnInvariant launches{.of = {"instance.state", {{"to", "pending"}}}, .at_most = 3};
  EXPECT_TRUE(holds(log, "mine", own(launches)));
  log.launch(40s, "i-4", "us-west-2b");
  const Verdict v = judged(log, "mine", own(launches));
  EXPECT_EQ(v.what, "mine: at most 3 of instance.state {to: pending}");
  EXPECT_EQ(v.found, "4 by 2019-11-05T10:00:40Z");
  EXPECT_EQ(v.lines.size(), 4u);
}

TEST(OwnInvariant, WhatMustComeComesInTimeAndOfTheSame) {
  OwnInvariant stops{.of = {"instance.notice", {}},
                     .comes = EventPattern{"trainer.stop", {}},
                     .within = 30s,
                     .same = {"instance_id"}};
  LogBuilder log = in_training(), other = in_training(), never = in_training();
  log.notice(40s, "i-1").trainer(70s, "i-1", "stop", 1).end("failed", 1h);
  EXPECT_TRUE(holds(log, "mine", own(stops)));
  other.notice(40s, "i-1").trainer(50s, "i-2", "stop", 1).end("failed", 1h);
  const Verdict v = judged(other, "mine", own(stops));
  EXPECT_EQ(v.what, "mine: within 30s after instance.notice comes trainer.stop");
  EXPECT_EQ(v.found, "none by 2019-11-05T10:01:10Z");
  EXPECT_EQ(v.at, kLogStart + 70s);
  EXPECT_EQ(shown(other, "mine", own(stops)), Kinds{"instance.notice"});
  EXPECT_FALSE(holds(never.notice(40s, "i-1").end("failed", 1h), "mine", own(stops)));
  stops.same.clear();
  EXPECT_TRUE(holds(other, "mine", own(stops)));
}

// ---- the sentences of invariants

}  // namespace
}  // namespace sim::result
