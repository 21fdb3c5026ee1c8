#include "sim/result/outcome.h"

#include <gtest/gtest.h>

#include "sim/events/read.h"
#include "sim/result/history_builder.h"

namespace sim::result {
namespace {

using End = Outcome::End;

struct Heard {
  Heard& line(const std::string& kind, Json fields = Json::object()) {
    lines.push_back({at += 1s, kind, std::move(fields)});
    return *this;
  }
  template <class Ask>
  auto ask(const Ask& ask) const {
    events::Listeners log;
    HistoryBuilder builder;
    Outcome outcome(builder.history());
    builder.listen(log);
    outcome.listen(log);
    for (const Event& event : lines) events::tell(log, event);
    return ask(outcome);
  }
  std::string verdict(End end) const {
    return ask([end](const Outcome& outcome) { return outcome.verdict(end); });
  }
  std::optional<Cause> cause(End end) const {
    return ask([end](const Outcome& outcome) { return outcome.cause(end); });
  }
  Time at{};
  std::vector<Event> lines;
  Heard& trains(const std::string& instance) {
    return line("trainer.start", {{"instance_id", instance}});
  }
  Heard& shuts_down(const std::string& instance, const std::string& reason) {
    return line("instance.state",
                {{"instance_id", instance}, {"to", "shutting-down"}, {"reason", reason}});
  }
  std::string why() const {
    const auto found = cause(End::kAllDown);
    return found ? found->machine + ": " + found->why : "none";
  }
  // Training ends; the checkpoint is on that disk.
  Heard& finishes(const std::string& disk) {
    line("trainer.checkpoint-durable",
         {{"instance_id", "i-1"}, {"step", 9}, {"path", "/data/model"}, {"disk", disk}});
    return line("trainer.finished", {{"instance_id", "i-1"}, {"step", 9}});
  }
  Heard& exit(const std::string& machine, int status) {
    return line("guest.exit", {{"machine", machine}, {"status", status}});
  }
};

TEST(Outcome, CompletedNeedsAFinishedTrainerAndEverythingDown) {
  Heard run;
  run.exit("operator", 0).trains("i-1").finishes("vol-1");
  EXPECT_EQ(run.verdict(End::kAllDown), "completed");
  EXPECT_EQ(run.verdict(End::kLimit), "deadline");
  EXPECT_EQ(run.verdict(End::kNothingCanHappen), "stuck");
}

TEST(Outcome, FinishedTrainingWhoseStateIsGoneHasFailed) {
  Heard root, none, meant;
  root.exit("operator", 0).trains("i-1").finishes("root");
  root.line("instance.state", {{"instance_id", "i-1"}, {"to", "terminated"}});
  EXPECT_EQ(root.verdict(End::kAllDown), "failed");
  EXPECT_EQ(root.why(),
            "i-1: training finished, but its state is gone: the checkpoint of step 9 (/data/model) "
            "was on the root disk of i-1, which ended at 00:00:05");
  none.trains("i-1").line("trainer.finished", {{"instance_id", "i-1"}});
  EXPECT_EQ(none.verdict(End::kAllDown), "failed");
  EXPECT_EQ(none.why(),
            "i-1: training finished, but nothing shows that its state is kept: no checkpoint was "
            "reported");
  meant.line("run.start", {{"evidence", "none"}}).trains("i-1").line("trainer.finished");
  EXPECT_EQ(meant.verdict(End::kAllDown), "completed") << "as the scenario has it";
}

TEST(Outcome, TrainerThatIsExpectedAndNeverStartsHasFailed) {
  Heard run, nothing;
  run.line("run.start", {{"progress", "console"}}).exit("operator", 0);
  run.line("api.call",
           {{"action", "CancelSpotFleetRequests"}, {"caller", "i-1"}, {"result", "ok"}});
  run.exit("i-1", 0).shuts_down("i-1", "Client.UserInitiatedShutdown");
  EXPECT_EQ(run.verdict(End::kAllDown), "failed");
  EXPECT_EQ(run.why(),
            "i-1: it cancelled the fleet at 00:00:03; its trainer never started, its user data "
            "ended with status 0");
  nothing.line("run.start", {{"progress", "console"}}).exit("operator", 0);
  EXPECT_EQ(nothing.why(), "operator: no instance was launched to train");
}

Heard launched(const Json& header) {
  Heard run;
  run.line("run.start", header);
  run.line("instance.state",
           {{"instance_id", "i-1"}, {"from", ""}, {"to", "pending"}, {"lifecycle", "spot"}});
  run.exit("operator", 0);
  return run;
}

TEST(Outcome, UserDataThatFailsBeforeATrainerStartsIsTheCause) {
  Heard failed = launched({{"progress", "console"}}), idles = launched({{"progress", "console"}});
  EXPECT_EQ(failed.exit("i-1", 127).verdict(End::kLimit), "failed");
  EXPECT_EQ(failed.cause(End::kLimit)->machine, "i-1");
  EXPECT_EQ(failed.cause(End::kLimit)->why, "its user data ended with status 127");
  idles.exit("i-1", 0).shuts_down("i-1", "Client.InstanceInitiatedShutdown");
  EXPECT_EQ(idles.why(), "i-1: its trainer never started, its user data ended with status 0");
}

TEST(Outcome, TrainerThatDiesWhileItsInstanceRunsOnHasFailed) {
  Heard died = launched({}), gone = launched({}), taken = launched({}), detached = launched({});
  EXPECT_EQ(died.trains("i-1").exit("i-1", 1).verdict(End::kLimit), "failed");
  EXPECT_EQ(died.cause(End::kLimit)->why,
            "training ended before the trainer reported \"finished\": its user data ended with "
            "status 1");
  gone.trains("i-1").exit("i-1", 1).shuts_down("i-1", "Client.InstanceInitiatedShutdown");
  EXPECT_EQ(gone.verdict(End::kLimit), "deadline") << "another one may come";
  taken.trains("i-1").shuts_down("i-1", "Server.SpotInstanceTermination").exit("i-1", 143);
  EXPECT_EQ(taken.verdict(End::kLimit), "deadline");
  detached.trains("i-1").exit("i-1", 0);
  EXPECT_EQ(detached.verdict(End::kLimit), "deadline") << "it may run on as a service";
  detached.line("trainer.finished", {{"instance_id", "i-1"}}).exit("i-1", 1);
  EXPECT_EQ(detached.verdict(End::kLimit), "deadline") << "it had finished";
}

TEST(Outcome, CauseOfUnfinishedTrainingIsTheInstanceThatGaveUp) {
  const auto cancels = [](Heard& run, const std::string& instance) {
    run.line("api.call",
             {{"action", "CancelSpotFleetRequests"}, {"caller", instance}, {"result", "ok"}});
    run.shuts_down(instance, "Client.UserInitiatedShutdown").exit(instance, 143);
  };
  Heard next, same;
  next.line("run.start", {{"progress", "console"}}).exit("operator", 0).trains("i-2");
  next.shuts_down("i-2", "Server.SpotInstanceTermination");
  cancels(next, "i-1");
  EXPECT_EQ(next.why(),
            "i-1: it cancelled the fleet at 00:00:05; its trainer never started, its user data "
            "ended with status 143 (SIGTERM), when the instance was terminated by an API call");
  same.line("run.start", {{"progress", "console"}}).exit("operator", 0).trains("i-1");
  cancels(same, "i-1");
  EXPECT_EQ(same.why(),
            "i-1: it cancelled the fleet at 00:00:04; training ended before the trainer reported "
            "\"finished\": its user data ended with status 143 (SIGTERM), when the instance was "
            "terminated by an API call");
}

TEST(Outcome, TrainingThatEndsUnfinishedHasFailed) {
  Heard run;
  run.exit("operator", 0).trains("i-1");
  EXPECT_EQ(run.verdict(End::kAllDown), "failed");
}

TEST(Outcome, ReportsFailuresOfAScriptOrTheOrchestrator) {
  Heard script, phase, healed;
  EXPECT_EQ(script.exit("operator", 3).verdict(End::kLimit), "failed");
  phase.trains("i-1").line("orchestrator.phase", {{"name", "failed"}});
  EXPECT_EQ(phase.verdict(End::kLimit), "failed");
  healed.line("orchestrator.phase", {{"name", "failed"}});
  healed.line("orchestrator.phase", {{"name", "train"}}).finishes("vol-1");
  EXPECT_EQ(healed.verdict(End::kAllDown), "completed") << "another attempt made it good";
}

TEST(Outcome, ScriptsThatSucceedProveNoTraining) {
  Heard good, bad, suffices, none, stepped, job;
  EXPECT_EQ(good.exit("operator", 0).exit("i-1", 0).verdict(End::kAllDown), "unproven");
  EXPECT_EQ(good.why(), "none");
  EXPECT_EQ(bad.exit("operator", 0).exit("i-1", 1).verdict(End::kAllDown), "failed");
  suffices.line("run.start", {{"evidence", "scripts"}}).exit("operator", 0);
  EXPECT_EQ(suffices.verdict(End::kAllDown), "completed");
  none.line("run.start", {{"evidence", "none"}}).exit("operator", 0);
  EXPECT_EQ(none.verdict(End::kAllDown), "unproven") << "a trainer must still report";
  stepped.line("trainer.step", {{"instance_id", "i-1"}, {"step", 1}}).exit("i-1", 0);
  EXPECT_EQ(stepped.verdict(End::kAllDown), "completed");
  job.line("sagemaker.end", {{"job", "j"}, {"status", "Completed"}}).exit("operator", 0);
  EXPECT_EQ(job.verdict(End::kAllDown), "completed");
}

TEST(Outcome, CauseIsTheScriptThatEndedBadlyFirst) {
  Heard script, operators, good;
  script.exit("operator", 0).exit("i-2", 127).exit("i-1", 1);
  EXPECT_EQ(script.why(), "i-2: its user data ended with status 127");
  EXPECT_EQ(script.cause(End::kAllDown)->status, 127);
  EXPECT_EQ(script.cause(End::kAllDown)->at, Time{} + 2s);
  operators.exit("i-1", 1).exit("operator", 3);
  EXPECT_EQ(operators.why(), "operator: the operator's script ended with status 3");
  EXPECT_EQ(good.exit("operator", 0).exit("i-1", 0).why(), "none");
}

TEST(Outcome, CauseNamesWhatStoppedTheMachineOfAScript) {
  Heard taken, own, later;
  taken.shuts_down("i-1", "Server.SpotInstanceTermination").exit("i-1", 143);
  EXPECT_EQ(taken.why(),
            "i-1: its user data ended with status 143 (SIGTERM), when EC2 interrupted the "
            "instance; no trainer had reported \"finished\"");
  own.shuts_down("i-1", "Client.UserInitiatedShutdown").exit("i-1", 143);
  EXPECT_EQ(own.why(),
            "i-1: its user data ended with status 143 (SIGTERM), when the instance was terminated "
            "by an API call; no trainer had reported \"finished\"");
  later.exit("i-1", 1).shuts_down("i-1", "Client.InstanceInitiatedShutdown");
  EXPECT_EQ(later.why(), "i-1: its user data ended with status 1") << "it had ended before";
}

TEST(Outcome, AStopThatEndsTheTrainingIsTold) {
  Heard run = launched({{"progress", "console"}});
  const auto moves = [&run](const char* to, const char* reason = "") {
    run.line("instance.state", {{"instance_id", "i-1"}, {"to", to}, {"reason", reason}});
  };
  moves("running");
  run.trains("i-1");
  moves("stopping", "Client.UserInitiatedShutdown");
  run.exit("i-1", 143);
  moves("stopped");
  EXPECT_EQ(run.verdict(End::kLimit), "deadline") << "the instance does not run";
  EXPECT_EQ(run.why(),
            "i-1: training ended before the trainer reported \"finished\": its user data ended "
            "with status 143 (SIGTERM), when the instance was stopped by an API call");
  moves("pending");
  moves("running");
  EXPECT_EQ(run.verdict(End::kLimit), "failed") << "nothing trains";
  run.trains("i-1");
  EXPECT_EQ(run.verdict(End::kLimit), "deadline") << "the user data runs again";
  run.shuts_down("i-1", "Client.UserInitiatedShutdown").exit("i-1", 143);
  EXPECT_EQ(run.why(),
            "i-1: training ended before the trainer reported \"finished\": its user data ended "
            "with status 143 (SIGTERM), when the instance was terminated by an API call");
}

TEST(Outcome, CauseOfUnfinishedTrainingIsWhereItLastBegan) {
  Heard taken, ended, given_up;
  taken.exit("operator", 0).trains("i-1").trains("i-2");
  taken.shuts_down("i-2", "Server.SpotInstanceTermination").exit("i-2", 143);
  EXPECT_EQ(taken.why(),
            "i-2: training ended before the trainer reported \"finished\": its user data ended "
            "with status 143 (SIGTERM), when EC2 interrupted the instance");
  ended.trains("i-1").shuts_down("i-1", "Client.InstanceInitiatedShutdown");
  EXPECT_EQ(ended.why(),
            "i-1: training ended before the trainer reported \"finished\", when the instance shut "
            "itself down");
  given_up.trains("i-1").exit("i-1", 1);
  given_up.line("orchestrator.phase", {{"name", "failed"}, {"instance_id", "i-1"}});
  EXPECT_EQ(given_up.why(), "i-1: spotrun gave up: the last phase it reported is \"failed\"");
  EXPECT_EQ(given_up.cause(End::kAllDown)->status, 1);
}

}  // namespace
}  // namespace sim::result
