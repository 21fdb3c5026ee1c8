#include "sim/result/outcome.h"

#include <gtest/gtest.h>

#include "sim/kernel/event.h"

namespace sim::run {
namespace {

using End = Outcome::End;

struct Heard : Outcome {
  Heard& line(const std::string& kind, Json fields = Json::object()) {
    hear({Time{}, kind, std::move(fields)});
    return *this;
  }
  Heard& exit(const std::string& machine, int status) {
    return line("guest.exit", {{"machine", machine}, {"status", status}});
  }
};

TEST(Outcome, CompletedNeedsAFinishedTrainerAndEverythingDown) {
  Heard run;
  run.exit("operator", 0).line("trainer.start").line("trainer.finished");
  EXPECT_EQ(run.verdict(End::kAllDown), "completed");
  EXPECT_EQ(run.verdict(End::kLimit), "deadline");
  EXPECT_EQ(run.verdict(End::kNothingCanHappen), "stuck");
}

TEST(Outcome, TrainingThatEndsUnfinishedHasFailed) {
  Heard run;
  run.exit("operator", 0).line("trainer.start");
  EXPECT_EQ(run.verdict(End::kAllDown), "failed");
}

TEST(Outcome, FailureOfAScriptOrTheOrchestratorIsSaid) {
  Heard script, phase, healed;
  EXPECT_EQ(script.exit("operator", 3).verdict(End::kLimit), "failed");
  phase.line("trainer.start").line("orchestrator.phase", {{"name", "failed"}});
  EXPECT_EQ(phase.verdict(End::kLimit), "failed");
  healed.line("orchestrator.phase", {{"name", "failed"}});
  healed.line("orchestrator.phase", {{"name", "train"}}).line("trainer.finished");
  EXPECT_EQ(healed.verdict(End::kAllDown), "completed") << "another attempt made it good";
}

TEST(Outcome, WithoutATrainerScriptsDecide) {
  Heard good, bad;
  EXPECT_EQ(good.exit("operator", 0).exit("i-1", 0).verdict(End::kAllDown), "completed");
  EXPECT_EQ(bad.exit("operator", 0).exit("i-1", 1).verdict(End::kAllDown), "failed");
}

}  // namespace
}  // namespace sim::run
