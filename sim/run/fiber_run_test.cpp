// Whole runs with fiber guests.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "base/files/folder_for_test.h"
#include "sim/result/expectations.h"
#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

class Shipped : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(FiberRun, Shipped,
                         testing::Values("az-hop", "same-az", "no-interruption", "on-demand",
                                         "hard-kill", "on-demand-fallback", "deadline"),
                         [](const auto& shipped_scenario) {
                           std::string name = shipped_scenario.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Shipped, ComesOutAsExpected) {
  const Played played = play(shipped(GetParam()));
  ASSERT_TRUE(played.report.result);
  for (const auto* list :
       {&played.report.result->expectations, &played.report.result->invariants}) {
    for (const result::Verdict& verdict : *list)
      EXPECT_FALSE(verdict.fails()) << verdict.what << ": found " << verdict.found;
  }
  EXPECT_FALSE(played.report.result->expectations.empty());
  EXPECT_EQ(played.report.result->guest, "fiber");
}

TEST_P(Shipped, PollsThatFindNothingLeaveNoOtherLines) {
  const scenario::Scenario scenario = shipped(GetParam());
  const Played elided = play(scenario);
  const Played polled = play(scenario, [](RunOptions& options) { options.every_poll = true; });
  EXPECT_EQ(without_looks_between(elided.lines), without_looks_between(polled.lines));
  EXPECT_LT(elided.lines.size(), polled.lines.size());
  EXPECT_LT(elided.metadata_requests, 50u);
}

// us-west-2b is the cheapest zone; us-west-2a stands first in the fleet's file.
TEST(FiberRun, PrioritiesPrecedePricesWithCapacityOptimizedPrioritized) {
  const auto first_zone = [](const std::string& options) {
    const Played played = play(
        changed("no-interruption", "--fleet spot-fleet.json", "--fleet spot-fleet.json" + options));
    EXPECT_EQ(played.report.result->outcome, "completed");
    return played.report.result->attempts.at(0).availability_zone;
  };
  EXPECT_EQ(first_zone(""), "us-west-2b");
  EXPECT_EQ(first_zone(" --allocation-strategy capacityOptimizedPrioritized"), "us-west-2a");
}

// The operator waits through a notice, a hard end and two hours without capacity.
TEST(FiberRun, AWaitForTheJobLooksWhenSomethingHasChanged) {
  for (const char* const name : {"az-hop", "hard-kill", "same-az"}) {
    const scenario::Scenario scenario =
        changed(name, "--fleet spot-fleet.json\n",
                "--fleet spot-fleet.json\n    spotrun wait --job job.json\n");
    const auto calls = [](const Played& played) { return told(played, "api.call").size(); };
    const Played elided = play(scenario);
    const Played polled = play(scenario, [](RunOptions& options) { options.every_poll = true; });
    EXPECT_EQ(elided.report.result->outcome, "completed") << name;
    EXPECT_EQ(without_looks_between(elided.lines), without_looks_between(polled.lines)) << name;
    EXPECT_GT(calls(polled), 300u) << name;
    EXPECT_LT(calls(elided), 130u) << name;
  }
}

TEST(FiberRun, AnUnwritableOutputIsReportedWithARemedy) {
  const fs::path folder = fs::path(testing::TempDir()) / "spotsim-no-output";
  fs::create_directories(folder / "run" / "events.jsonl");
  std::ofstream(folder / "file") << "no folder";
  const auto failure = [](const fs::path& output) {
    try {
      play(shipped("az-hop"), [&](RunOptions& options) { options.output = output; });
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(failure(folder / "file" / "run"), "cannot write " + (folder / "file" / "run").string() +
                                                  ": Not a directory (--out names another folder)");
  EXPECT_EQ(failure(folder / "run"), "cannot write " + (folder / "run" / "events.jsonl").string() +
                                         ": Is a directory (--out names another folder)");
  fs::remove_all(folder);
}

TEST(FiberRun, TwoRunsDoNotWriteIntoOneFolder) {
  const base::FolderForTest folder;
  std::string second;
  const auto into_folder = [&](RunOptions& options) { options.output = folder.path(); };
  play(shipped("on-demand"), [&](RunOptions& options) {
    into_folder(options);
    options.listen = [&](events::Listeners& log, const auto&, const auto&) {
      log.on_all([&](const auto&, std::string_view) {
        if (!second.empty()) return;
        try {
          play(shipped("on-demand"), into_folder);
        } catch (const RunError& error) {
          second = error.what();
        }
      });
    };
  });
  EXPECT_TRUE(contains(second, ": found another run that is writing there")) << second;
  EXPECT_TRUE(fs::exists(folder / "result.json"));
  play(shipped("on-demand"), into_folder);  // the first run has ended
}

TEST(FiberRun, CallsThatAreCheckedOnTheWireGiveTheSameLog) {
  const scenario::Scenario scenario = shipped("az-hop");
  const Played unchecked = play(scenario);
  std::string said;
  setenv("SPOTSIM_CHECK_WIRE", "1", 1);
  const Played checked = play(scenario, [&](RunOptions& options) {
    options.say = [&](const std::string& text) { said += text; };
  });
  unsetenv("SPOTSIM_CHECK_WIRE");
  EXPECT_TRUE(contains(said, "SPOTSIM_CHECK_WIRE")) << said;
  EXPECT_EQ(checked.lines, unchecked.lines);
}

TEST(FiberRun, TwentyRunsGiveOneLog) {
  const scenario::Scenario scenario = shipped("az-hop");
  const Played first = play(scenario);
  for (int i = 1; i < 20; ++i) {
    const Played again = play(scenario);
    ASSERT_EQ(again.report.fingerprint, first.report.fingerprint) << "run " << i;
    ASSERT_EQ(again.lines, first.lines) << "run " << i;
  }
  EXPECT_NE(play(scenario, [](RunOptions& options) { options.seed = 8; }).report.fingerprint,
            first.report.fingerprint);
}

TEST(FiberRun, ALogWithoutTextHasTheSameResult) {
  const scenario::Scenario scenario = shipped("az-hop");
  const Played without = play(scenario, [](RunOptions& options) { options.text = LogText::kNone; });
  const Played with = play(scenario);
  EXPECT_EQ(without.lines, with.lines);
  EXPECT_EQ(without.report.fingerprint, "");
  EXPECT_EQ(result::to_json(*without.report.result), result::to_json(*with.report.result));
}

TEST(FiberRun, RunsOfOnePreparedScenarioInThreadsEqualSingleRuns) {
  constexpr int kThreads = 4, kRuns = 5;
  const Prepared prepared(shipped("az-hop"));
  const auto options = [](int seed) {
    return RunOptions{.output = "", .programs = "", .seed = static_cast<std::uint64_t>(seed)};
  };
  std::vector<std::string> prints(kThreads * kRuns);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < kThreads * kRuns; i += kThreads)
        prints[static_cast<std::size_t>(i)] = prepared.run(options(i)).fingerprint;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kThreads * kRuns; ++i) {
    RunOptions alone = options(i);
    alone.guest = scenario::GuestKind::kFiber;
    EXPECT_EQ(prints[static_cast<std::size_t>(i)], run(prepared.scenario(), alone).fingerprint);
  }
}

TEST(FiberRun, TheLogAndTheResultAreWrittenAsEver) {
  const fs::path folder = fs::path(testing::TempDir()) / "spotsim-fiber-run";
  fs::remove_all(folder);
  play(shipped("same-az"), [&](RunOptions& options) { options.output = folder; });
  EXPECT_TRUE(fs::exists(folder / "events.jsonl"));
  EXPECT_TRUE(fs::exists(folder / "result.json"));
  std::ostringstream console;
  console << std::ifstream(folder / "console" / "operator.log").rdbuf();
  EXPECT_TRUE(contains(console.str(), " spotrun: created volume vol-")) << console.str();
  fs::remove_all(folder);
}

TEST(FiberRun, AnUnsupportedScriptIsRefusedWithItsLine) {
  EXPECT_TRUE(contains(refused(shipped("user-data-script")),
                       "user-data-script.yaml:25: operator.script: found `bash operator.sh`"));
  const std::string why =
      refused(changed("az-hop", "    set -e\n", "    set -e\n    sleep 5 && echo\n"));
  EXPECT_TRUE(contains(why, "az-hop.yaml:28: operator.script: found '&', expected simple")) << why;
}

TEST(FiberRun, AScenarioWithoutAModelOfTheTrainerIsRefused) {
  scenario::Scenario scenario = shipped("az-hop");
  scenario.trainer.reset();
  EXPECT_TRUE(contains(refused(scenario), "az-hop.yaml: trainer: nothing, expected"));
}

TEST(FiberRun, FurtherRegionsAreRefused) {
  scenario::Scenario scenario = shipped("az-hop");
  scenario::Region east;
  east.cloud.region = "us-east-1";
  scenario.further_regions.push_back(east);
  const std::string why = refused(scenario);
  EXPECT_TRUE(contains(why, "regions: found us-east-1, expected no further region")) << why;
}

TEST(FiberRun, AnInstanceTypeWithoutAStepTimeEndsTheRunWithAMessage) {
  const std::string why = refused(
      changed("on-demand", "p3.2xlarge/us-west-2b\n\ncode", "p3.8xlarge/us-west-2b\n\ncode"));
  EXPECT_TRUE(contains(why, "no step_time of p3.8xlarge")) << why;
}

TEST(FiberRun, ACheckpointPolicyDecidesWhatAHardKillLoses) {
  const auto lost = [](const std::string& policy) {
    return play(changed("hard-kill", "\"epoch,on-notice\"", policy)).report.result->lost_steps;
  };
  EXPECT_EQ(lost("steps:1"), 0);
  EXPECT_LT(lost("steps:10"), 10);
  EXPECT_GT(lost("none"), 900);  // all steps of the first instance in 75 minutes
}

// The times from running to the notice, in seconds, of the instances that got a notice.
std::vector<double> lifetimes_in(const Played& played) {
  std::vector<double> lives;
  for (const result::Attempt& attempt : played.report.result->attempts)
    if (attempt.notice_at) lives.push_back(seconds(*attempt.notice_at - *attempt.running_at));
  return lives;
}

TEST(FiberRun, InstancesLiveByTheGivenLaw) {
  double sum = 0, count = 0;
  scenario::Scenario scenario = shipped("no-interruption");
  interrupt(scenario, "[{lifetime: 20m}]");
  for (scenario.seed = 1; scenario.seed <= 60; ++scenario.seed) {
    const Played played = play(scenario);
    EXPECT_EQ(played.report.result->outcome, "completed") << "seed " << scenario.seed;
    for (const double life : lifetimes_in(played)) sum += life, ++count;
  }
  // Training takes about two and a half hours. The last instance of each run outlives the job, so
  // observed lives are shorter than drawn ones, by less than a third.
  EXPECT_GT(count, 250);
  EXPECT_LT(sum / count, 1200);
  EXPECT_GT(sum / count, 800);
}

TEST(FiberRun, ATraceWhoseCapacityFallsTakesTheNewestInstances) {
  scenario::Scenario scenario = shipped("no-interruption");
  const market::Pool b{"p3.2xlarge", "us-west-2b"};
  scenario.capacity.push_back({.pool = b, .after = 30min, .slots = 0, .reclaim = true});
  const Played played = play(scenario);
  ASSERT_EQ(played.report.result->attempts.size(), 2u);
  EXPECT_EQ(played.report.result->attempts[0].end_reason, "interrupted");
  EXPECT_NE(played.report.result->attempts[1].availability_zone, "us-west-2b");
  EXPECT_EQ(lifetimes_in(played).size(), 1u);
}

TEST(FiberRun, AMissingJobFileIsThatCommandsError) {
  const Played played =
      play(changed("az-hop", "spotrun prepare --job job.json", "spotrun prepare --job none.json"));
  EXPECT_EQ(played.report.result->outcome, "failed");
  EXPECT_TRUE(contains(played.lines.back(), "\"failed\"")) << played.lines.back();
}

}  // namespace
}  // namespace sim::run
