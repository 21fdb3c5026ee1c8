#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

TEST_F(ScenarioFile, ProgressIsReadByPatterns) {
  const Scenario s =
      read(good("progress: {log: /var/log/train.log, epoch: 'Epoch (\\d+)', first: 0,\n"
                "  step: '(?<number>\\d+) of (?<total>\\d+)', checkpoint: 'saving (\\S+)',\n"
                "  folder: /data, checkpoint_files: '/data/*.h5', finished: done,\n"
                "  state: 'loss: ([0-9.]+)'}\n"
                "evidence: none\n"));
  ASSERT_TRUE(s.progress);
  EXPECT_EQ(s.progress->log, "/var/log/train.log");
  EXPECT_EQ(s.progress->first, 0);
  EXPECT_EQ(s.progress->folder, "/data");
  EXPECT_EQ(s.progress->checkpoint_files, "/data/*.h5");
  EXPECT_EQ(s.progress->step->find("7 of 9")->group("total", 2), "9");
  EXPECT_TRUE(s.progress->finished->find("all done"));
  EXPECT_EQ(s.progress->state->find("7 of 9, loss: 0.25")->group("state", 1), "0.25");
  EXPECT_FALSE(s.needs_evidence);
  EXPECT_EQ(read(good("progress: {step: 'step (\\d+)'}\n")).progress->log, "console");
  EXPECT_FALSE(read(good()).progress);
}

TEST_F(ScenarioFile, ProgressMayHaveTheNameOfAFormat) {
  const Scenario s = read(good("progress: {format: lightning, checkpoint_files: /ckpt/*.ckpt}\n"));
  EXPECT_EQ(s.progress->first, 0);
  EXPECT_TRUE(s.progress->epoch->find("Epoch 0:  50%|##   | 2/4 [00:10<00:10,  0.20it/s]"));
  EXPECT_EQ(s.progress->checkpoint_files, "/ckpt/*.ckpt");
  EXPECT_PRED2(contains, errors(good("progress: {format: torch}\n")), "progress.format: found");
}

TEST_F(ScenarioFile, EvidenceMayStateWhereCopiesOfCheckpointsGo) {
  const Scenario s = read(good("evidence: {copies: s3://ckpts/run-1}\n"));
  EXPECT_EQ(s.checkpoint_copies, "s3://ckpts/run-1");
  EXPECT_TRUE(s.needs_evidence);
  EXPECT_PRED2(contains, errors(good("evidence: {copies: /data}\n")),
               "evidence.copies: found \"/data\", expected a URI such as s3://my-bucket/run-1");
}

TEST_F(ScenarioFile, InvalidProgressIsReported) {
  const std::pair<const char*, const char*> wrong[] = {
      {"{log: train.log, step: '(\\d+)'}",
       "progress.log: found \"train.log\", expected console, or the absolute path of a file in the "
       "instance"},
      {"{step: '(\\d+'}",
       "s.yaml:6:18: progress.step: found (\\d+, expected a regular expression: "},
      {"{step: step}",
       "progress.step: found no group in step, expected one, or one named number, "},
      {"{step: '(?<steps>\\d+)'}", "expected one, or one named number"},
      {"{epoch: 'Epoch (\\d+)', step: '(\\d+)'}", "progress: found a step without a total"},
      {"{epoch: 'Epoch (\\d+)'}", "progress: found epoch without step, expected also finished"},
      {"{checkpoint: 'saving (\\S+)'}", "progress: found neither epoch nor step"},
      {"{step: '(\\d+)', first: 2}",
       "progress.first: found \"2\", expected a whole number, 0 to 1"},
      {"{step: '(\\d+)', checkpoint_files: '/data/*/a.h5'}",
       "progress.checkpoint_files: found \"/data/*/a.h5\", expected an absolute path such as "
       "/data/*.h5"},
      {"{step: '(\\d+)', steps: 7}", "progress: found unknown key \"steps\""},
  };
  for (const auto& [rule, said] : wrong)
    EXPECT_PRED2(contains, errors(good(std::string("progress: ") + rule + "\n")), said);
}

}  // namespace
}  // namespace sim::scenario
