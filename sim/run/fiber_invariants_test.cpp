// All invariants hold under any interruptions, and a scenario's own invariants are checked, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

// A shipped scenario with other interruptions and a slower AWS. It has no expectations, so nothing
// is excused.
Prepared struck(const std::string& name, const std::string& interruptions) {
  const auto overrides = scenario::parse_overrides(
      {"interruptions=" + interruptions, "durations.volume_attaching=3s-40s",
       "durations.snapshot_base=30s-11m", "durations.instance_shutdown=30s-2m"});
  scenario::Scenario scenario = scenario::read_scenario(kScenarios / (name + ".yaml"), overrides);
  scenario.expect.clear();
  return Prepared(std::move(scenario));
}

result::Result result_of(const Prepared& prepared, std::uint64_t seed) {
  return *prepared.run({.output = "", .programs = "", .seed = seed, .text = LogText::kNone}).result;
}

// With frequent interruptions some runs reach their limit first. These runs report that and check
// nothing else.
TEST(FiberInvariants, NoneIsBrokenByRandomInterruptions) {
  int ended = 0;
  for (const char* name : {"az-hop", "same-az", "hard-kill", "deadline", "on-demand-fallback"}) {
    for (const char* interruptions : {"[{lifetime: 20m}]", "[{lifetime: 1h, rebalance: 5m}]",
                                      "[{lifetime: 45m, notice: none}, {lifetime: 50m, shape: 3}]",
                                      "[{lifetime: 40m, notice: none, volumes: lost}]"}) {
      const Prepared prepared = struck(name, interruptions);
      for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const result::Result result = result_of(prepared, seed);
        if (result.outcome == "deadline") continue;
        ++ended;
        EXPECT_GE(result.invariants.size(), 15u);
        for (const result::Verdict& v : result.invariants)
          EXPECT_TRUE(v.holds) << name << ' ' << interruptions << " seed " << seed << ": " << v.id
                               << ": " << v.found << '\n'
                               << fmt::format("{}", fmt::join(v.lines, "\n"));
      }
    }
  }
  EXPECT_GT(ended, 100) << "of 160 runs";
}

// With and without text, and with and without an output folder.
TEST(FiberInvariants, TheSameLinesShowThemWithTextAndWithout) {
  scenario::Scenario scenario = shipped("az-hop");
  const result::EventPattern deletes{"api.call", {{"action", "DeleteVolume"}, {"caller", "i-*"}}};
  scenario.invariants.own.push_back({.name = "nothing-is-deleted", .of = deletes});
  std::vector<std::vector<std::string>> lines;
  for (const LogText text : {LogText::kRendered, LogText::kNone}) {
    const Played played = play(scenario, [&](RunOptions& options) { options.text = text; });
    const result::Verdict& v = played.report.result->invariants.back();
    EXPECT_EQ(v.id, "nothing-is-deleted");
    EXPECT_FALSE(v.holds);
    EXPECT_NE(std::ranges::find(played.lines, v.lines.at(0)), played.lines.end());
    lines.push_back(v.lines);
  }
  const RunReport plain = run(scenario, {.output = "",
                                         .programs = "",
                                         .seed = scenario.seed,
                                         .guest = scenario::GuestKind::kFiber,
                                         .text = LogText::kNone});
  lines.push_back(plain.result->invariants.back().lines);
  EXPECT_TRUE(contains(lines[0].at(0), R"("request":{"VolumeId":"vol-)")) << lines[0].at(0);
  EXPECT_EQ(lines[1], lines[0]);
  EXPECT_EQ(lines[2], lines[0]);
}

}  // namespace
}  // namespace sim::run
