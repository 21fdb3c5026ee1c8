// Volumes and instances that are lost at any line of a hop to another zone. The job continues as
// long as its state exists anywhere, and it leaves nothing that is billed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/long_for_test.h"
#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

struct LogLine {
  std::string kind;
  int nth = 0;  // n-th line of this kind
};

// The lines of the run from the launch of its second attempt until that trains.
std::vector<LogLine> lines_of_the_hop(const std::string& name) {
  std::map<std::string, int> count;
  std::vector<LogLine> lines;
  int attempts = 0;
  for (const std::string& text : play(shipped(name)).lines) {
    const Event event = parse_event(text);
    const LogLine line{event.kind, ++count[event.kind]};
    const auto is = [&](const char* field, const char* value) {
      return event.fields.value(field, "") == value;
    };
    if (event.kind == "instance.state" && is("to", "pending") && is("lifecycle", "spot"))
      ++attempts;
    if (attempts == 2) lines.push_back(line);
    if (line.kind == "trainer.start" && line.nth == 2) break;
  }
  return lines;
}

result::Result result_of(const std::string& name, const std::string& fault, bool must_complete) {
  scenario::Scenario scenario = scenario::read_scenario(
      kScenarios / (name + ".yaml"), scenario::parse_overrides({"faults=[" + fault + "]"}));
  scenario.expect.clear();
  scenario.invariants.must_complete = must_complete;
  const Prepared prepared(std::move(scenario));
  return *prepared.run({.output = "", .programs = "", .seed = 7, .text = LogText::kNone}).result;
}

void expect_nothing_broken(const std::string& fault, bool must_complete) {
  for (const result::Verdict& v : result_of("az-hop", fault, must_complete).invariants)
    EXPECT_TRUE(v.holds) << fault << ": " << v.what << ": found " << v.found;
}

// The job need not complete if hardware took the last of its state.
void expect_survival(const char* kind, const char* after) {
  const auto lines = lines_of_the_hop("az-hop");
  EXPECT_GE(lines.size(), 60u);
  for (const LogLine& line : lines) {
    expect_nothing_broken(fmt::format("{{on: {{event: {}, nth: {}, after: {}}}, kind: {}}}",
                                      line.kind, line.nth, after, kind),
                          true);
  }
}

TEST(HopLosses, OfAVolumeAtAnyLineLoseNoJobAndLeaveNothingBehind) {
  expect_survival("volume-error", "0s");
  expect_survival("power-cut, volumes: lost", "0s");
}

// The job may fail if EC2 refuses a call. Then it reports the failure and leaves nothing.
TEST(HopLosses, OfOneRefusedCallOfTheHopLeaveNothingBehind) {
  std::map<std::string, int> calls;  // by action: calls of the third instance, which hops
  std::vector<std::string> instances;
  for (const std::string& text : play(shipped("az-hop")).lines) {
    const Event event = parse_event(text);
    if (event.kind == "instance.boot") instances.push_back(event.fields["instance_id"]);
    if (event.kind != "api.call" || instances.size() < 3) continue;
    if (event.fields["caller"] != instances[2]) continue;
    const std::string action = event.fields["action"];
    expect_nothing_broken(
        fmt::format("{{before_call: {{action: {}, caller: 3, nth: {}}}, kind: api-error, "
                    "code: UnauthorizedOperation, status: 403}}",
                    action, ++calls[action]),
        false);
  }
  EXPECT_GE(calls["DescribeVolumes"], 10);
}

TEST(HopLosses, OfAnyKindAtAnyTimeAfterALineLoseNoJobAndLeaveNothingBehind) {
  ONLY_AMONG_LONG_TESTS();
  for (const char* const kind : {"volume-error", "power-cut, volumes: lost", "snapshot-error",
                                 "power-cut", "host-failure", "interrupt, notice: 0s"})
    for (const char* const after : {"0s", "700ms", "20s"}) expect_survival(kind, after);
}

}  // namespace
}  // namespace sim::run
