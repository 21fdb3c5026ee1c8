// Volumes and instances that are lost at any line of a hop to another zone: the job goes on as long
// as its state is anywhere, and nothing is left behind that is paid for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/long_for_test.h"
#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

struct LogLine {
  std::string kind;
  int nth = 0;  // of its kind
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

Result result_of(const std::string& name, const std::string& fault) {
  Scenario scenario =
      read_scenario(kScenarios / (name + ".yaml"), parse_overrides({"faults=[" + fault + "]"}));
  scenario.expect.clear();
  scenario.invariants.must_complete = true;  // but where hardware took the last of it
  const Prepared prepared(std::move(scenario));
  return *prepared.run({.output = "", .programs = "", .seed = 7, .text = LogText::kNone}).result;
}

void expect_survival(const char* kind, const char* after) {
  const auto lines = lines_of_the_hop("az-hop");
  EXPECT_GE(lines.size(), 60u);
  for (const LogLine& line : lines) {
    const std::string fault = fmt::format("{{on: {{event: {}, nth: {}, after: {}}}, kind: {}}}",
                                          line.kind, line.nth, after, kind);
    for (const Verdict& v : result_of("az-hop", fault).invariants)
      EXPECT_TRUE(v.holds) << fault << ": " << v.what << ": found " << v.found;
  }
}

TEST(HopLosses, OfAVolumeAtAnyLineLoseNoJobAndLeaveNothingBehind) {
  expect_survival("volume-error", "0s");
  expect_survival("power-cut, volumes: lost", "0s");
}

TEST(HopLosses, OfAnyKindAtAnyTimeAfterALineLoseNoJobAndLeaveNothingBehind) {
  ONLY_AMONG_LONG_TESTS();
  for (const char* const kind : {"volume-error", "power-cut, volumes: lost", "snapshot-error",
                                 "power-cut", "host-failure", "interrupt, notice: 0s"})
    for (const char* const after : {"0s", "700ms", "20s"}) expect_survival(kind, after);
}

}  // namespace
}  // namespace sim::run
