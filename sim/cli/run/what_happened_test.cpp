#include "sim/cli/run/what_happened.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "base/files/folder_for_test.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

class WhatHappened : public testing::Test {
 protected:
  WhatHappened() {
    fs::create_directories(folder_ / "console");
    result_.outcome = "failed";
    result_.makespan = 7min;
    result_.cause = {.machine = "i-1",
                     .status = 127,
                     .at = *parse_time("2019-11-05T10:06:05Z"),
                     .why = "its user data ended with status 127"};
    result_.attempts = {{.end_reason = "interrupted", .steps_done = 9, .steps_kept = 7},
                        {.end_reason = "terminated"}};
    result_.steps_total = 100;
    result_.lost_steps = 2;
  }
  void console(const std::string& text) { std::ofstream(folder_ / "console/i-1.log") << text; }
  std::string told() const { return what_happened(result_, folder_); }
  std::string in_folder(const std::string& file) const { return (folder_ / file).string(); }

  result::Result result_;

 private:
  base::FolderForTest folder_;
};

TEST_F(WhatHappened, OfAFailureShowsTheCauseAndTheEndOfTheConsole) {
  console("1\n2\n3\n4\n\n5\ntrain.sh: line 6: nosuch: command not found\n");
  EXPECT_EQ(told(),
            "What happened\n"
            "  failed after 7m: i-1 at 10:06:05: its user data ended with status 127: "
            "train.sh: line 6: nosuch: command not found\n"
            "  attempts: 2, of which 1 were interrupted and 0 finished; steps: 7 kept of "
            "100, 2 lost\n"
            "  " +
                in_folder("console/i-1.log") +
                " ends:\n"
                "    | 2\n    | 3\n    | 4\n    | 5\n"
                "    | train.sh: line 6: nosuch: command not found\n"
                "Next: less " +
                in_folder("console/i-1.log") + "\n");
}

TEST_F(WhatHappened, TheEndOfTheConsoleHasTheProgramsLines) {
  const std::string own =
      "2019-11-05 10:06:05,001 - util.py[WARNING]: Running module scripts-user "
      "(<module 'cloudinit.config.cc_scripts_user'>) failed\n"
      "Cloud-init v. 22.4.2 finished at Tue, 05 Nov 2019 10:06:05 +0000.\n";
  console("nosuch: command not found\n" + own);
  EXPECT_NE(told().find(" ends:\n    | nosuch: command not found\nNext"), std::string::npos);
  console(own);
  EXPECT_NE(told().find("failed\n    | Cloud-init v. 22.4.2 finished"), std::string::npos);
}

TEST_F(WhatHappened, TheErrorIsTheFailedScriptsOwnMessage) {
  console(
      "2019-11-05 10:06:05,001 - util.py[WARNING]: Running module scripts-user "
      "(<module 'cloudinit.config.cc_scripts_user'>) failed\n"
      "nosuch: command not found\n");
  const std::string error = ": nosuch: command not found\n  attempts";
  EXPECT_NE(told().find(error), std::string::npos) << told();
  for (const std::optional<int> status : {std::optional<int>(0), std::optional<int>()}) {
    result_.cause->status = status;
    EXPECT_EQ(told().find(error), std::string::npos) << told();
  }
}

TEST_F(WhatHappened, TheErrorIsTheLastOneAndNotAHarmlessLogLine) {
  const auto is_last = [&](const std::string& error) {
    return told().find(": " + error + "\n  attempts") != std::string::npos;
  };
  console(
      "12:00:00 toolkit INFO     Exceptions not imported for SageMaker Debugger.\n"
      "mkdir: cannot create directory '/ckpt': File exists\n"
      "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n"
      "a.b.StepFailed: the real reason\n"
      "[WARNING] 1 job failed\n"
      "Command \"python train.py\", exit code: 1\n");
  EXPECT_TRUE(is_last("a.b.StepFailed: the real reason")) << told();
  console("nosuch: command not found\nINFORMATION: it is fatal\n");
  EXPECT_TRUE(is_last("INFORMATION: it is fatal")) << told();
}

TEST_F(WhatHappened, WithoutAConsolePointsAtTheMachinesEvents) {
  EXPECT_NE(told().find("i-1.log is empty\nNext: grep i-1 " + in_folder("events.jsonl")),
            std::string::npos)
      << told();
}

TEST_F(WhatHappened, OfALimitShowsTheRemainingWork) {
  result_.outcome = "deadline";
  result_.cause.reset();
  result_.at_end.running_instances = 1;
  EXPECT_EQ(told(),
            "What happened\n"
            "  the limit was reached after 7m: 1 instances and 0 fleets remained\n"
            "  attempts: 2, of which 1 were interrupted and 0 finished; steps: 7 kept of 100, 2 "
            "lost\n"
            "  the last events are at the end of " +
                in_folder("events.jsonl") +
                "\n"
                "Next: tail -n 20 " +
                in_folder("events.jsonl") + "\n");
}

TEST_F(WhatHappened, OfALimitWithoutAnAttemptShowsTheOperatorsConsole) {
  result_.outcome = "deadline";
  result_.cause.reset();
  result_.attempts.clear();
  std::ofstream(in_folder("console/operator.log")) << "spotrun: --max-price: found a share\n";
  EXPECT_EQ(told(),
            "What happened\n"
            "  the limit was reached after 7m: 0 instances and 0 fleets remained\n"
            "  no instance was launched to train\n"
            "  " +
                in_folder("console/operator.log") +
                " ends:\n"
                "    | spotrun: --max-price: found a share\n"
                "Next: less " +
                in_folder("console/operator.log") + "\n");
}

TEST_F(WhatHappened, OfAnInstanceThatStillRunsShowsItsConsole) {
  result_.outcome = "deadline";
  result_.cause.reset();
  result_.attempts = {{.instance_id = "i-1", .end_reason = "running"}};
  console("waiting\n");
  EXPECT_NE(told().find("i-1.log ends:\n    | waiting\nNext: less"), std::string::npos) << told();
}

TEST_F(WhatHappened, OfACompletedRunCountsFailedExpectations) {
  result_.outcome = "completed";
  result_.cause.reset();
  result_.expectations = {{"attempts: 1", false, "2"}, {"outcome: completed", true, "completed"}};
  EXPECT_NE(told().find("completed after 7m, but not as expected: failed expectations: 1, broken "
                        "invariants: 0"),
            std::string::npos)
      << told();
}

}  // namespace
}  // namespace sim::cli
