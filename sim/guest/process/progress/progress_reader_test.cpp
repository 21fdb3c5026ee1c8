#include "sim/guest/process/progress/progress_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/files/folder_for_test.h"
#include "sim/events/event.h"
#include "sim/guest/process/progress/log_watch.h"

namespace sim::guest {
namespace {

// The events that a rule reads from a job's logs, one word for each: "start 0", "step 5", …
struct Heard {
  explicit Heard(ProgressRule rule_) : rule(std::move(rule_)) {}

  ProgressReader machine() {
    return {rule, memory,
            [this](std::string_view event, const Json& fields) {
              told.push_back(std::string(event) + " " + fields["step"].dump());
              if (fields.contains("total_steps")) total = fields["total_steps"];
              if (fields.contains("path")) told.back() += " " + fields["path"].get<std::string>();
              if (fields.contains("since")) told.back() += " since " + fields["since"].dump();
              if (fields.contains("state")) told.back() += " " + fields["state"].get<std::string>();
            },
            [this] { return std::exchange(new_file, {}); }};
  }
  std::vector<std::string> take() { return std::exchange(told, {}); }

  ProgressRule rule;
  ProgressMemory memory;
  std::vector<std::string> told;
  std::string new_file;
  std::int64_t total = 0;
};

using Reports = std::vector<std::string>;

// Keras's log: a line when an epoch begins, then a bar for its steps.
ProgressRule keras() {
  return {.epoch = LinePattern(R"(^Epoch (\d+)/(\d+))"),
          .step = LinePattern(R"(^ *(\d+)/(\d+) \[)"),
          .checkpoint = LinePattern(R"(saving model to (\S+))"),
          .finished = {},
          .folder = "/home/ubuntu",
          .checkpoint_files = {}};
}

TEST(ProgressReader, CountsTheStepsOfEpochs) {
  Heard heard(keras());
  auto log = heard.machine();
  log.take("Using TensorFlow backend.\nEpoch 1/3\n\n 1/4 [=====>.....] - ETA: 3s\n");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 1"}));
  log.take(" 2/4 [==\n 4/4 [======] - 4s 1s/step - loss: 1.2\n");
  EXPECT_EQ(heard.take(), (Reports{"step 2", "step 4"}));
  EXPECT_EQ(heard.total, 12);
  log.take("Epoch 00001: saving model to model-01.h5\nEpoch 2/3\n1/4 [=\r2/4 [=\b\b\r4/4 [=]\n");
  EXPECT_EQ(heard.take(), (Reports{"checkpoint-written 4 /home/ubuntu/model-01.h5", "step 5",
                                   "step 6", "step 8"}));
  log.take("Epoch 3/3\n4/4 [=]\n79/79 [=]\nsaving model to /data/last.h5\n");
  EXPECT_EQ(heard.take(),
            (Reports{"step 12", "finished 12", "checkpoint-written 12 /data/last.h5"}))
      << "an evaluation's bar is none of training's";
}

TEST(ProgressReader, GoesOnWhereTheNextInstanceBegins) {
  Heard heard(keras());
  auto first = heard.machine();
  first.take("Epoch 1/3\n4/4 [=]\nEpoch 2/3\n3/4 [=]\n");
  heard.take();
  auto second = heard.machine();
  second.take("Epoch 2/3\n");
  EXPECT_EQ(heard.take(), Reports{"start 4"}) << "epoch 2 again, whose length is known";
  second.take("1/4 [=]\n4/4 [=]\nEpoch 1/3\n1/4 [=]\n");
  EXPECT_EQ(heard.take(), (Reports{"step 5", "step 8", "start 0", "step 1"})) << "from scratch";
}

TEST(ProgressReader, ReadsABarBeforeItsLineEnds) {
  Heard heard(keras());
  auto log = heard.machine();
  log.take("Epoch 1/3\n1/4 [==>");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 1"}));
  log.take("...] - ETA: 1s\n2/");
  EXPECT_EQ(heard.take(), Reports{}) << "the same line again, and half a number";
  log.take("4 [");
  EXPECT_EQ(heard.take(), Reports{}) << "which may go on otherwise";
  log.take("=");
  EXPECT_EQ(heard.take(), Reports{"step 2"});
}

TEST(ProgressReader, EpochsAloneAreTheSteps) {
  Heard heard({.epoch = LinePattern(R"(epoch (\d+) of (\d+))"),
               .step = {},
               .first = 0,
               .checkpoint = {},
               .finished = LinePattern("done"),
               .checkpoint_files = {}});
  auto log = heard.machine();
  log.take("epoch 0 of 3\nepoch 1 of 3\nepoch 2 of 3\nall done\nall done\n");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 1", "step 2", "step 3", "finished 3"}));
}

TEST(ProgressReader, EveryTenthStepAloneIsEnough) {
  Heard heard({.epoch = {},
               .step = LinePattern(R"(step (?<number>\d+) of (?<total>\d+))"),
               .checkpoint = LinePattern(R"(wrote (?<path>\S+) at (?<step>\d+))"),
               .finished = {},
               .checkpoint_files = {}});
  auto first = heard.machine(), second = heard.machine();
  first.take("step 10 of 60\nstep 20 of 60\nwrote /data/20 at 20\nstep 30 of 60\n");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 10", "step 20",
                                   "checkpoint-written 20 /data/20", "step 30"}));
  second.take("step 30 of 60\nstep 60 of 60\n");
  EXPECT_EQ(heard.take(), (Reports{"start 20", "step 30", "step 60", "finished 60"}));
}

TEST(ProgressReader, ReportsChangedFiles) {
  Heard heard(keras());
  auto log = heard.machine();
  heard.new_file = "/data/of-the-last-instance.h5";
  log.take("Epoch 1/2\n4/4 [=]\n");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 4"}));
  heard.new_file = "/data/a.h5";
  log.take("Epoch 2/2\n");
  EXPECT_EQ(heard.take(), Reports{"checkpoint-written 4 /data/a.h5"});
  log.take("4/4 [=]");
  heard.new_file = "/data/b.h5";
  log.end();
  EXPECT_EQ(heard.take(), (Reports{"step 8", "finished 8", "checkpoint-written 8 /data/b.h5"}));
}

TEST(ProgressReader, ReportsNoFileBeforeTrainingBegins) {
  Heard heard(keras());
  auto log = heard.machine();
  heard.new_file = "/data/of-the-last-instance.h5";
  log.look_at_files();
  log.end();
  EXPECT_EQ(heard.take(), Reports{});
}

TEST(ProgressReader, SurvivesAnyLog) {
  Heard heard(keras());
  auto log = heard.machine();
  log.take("Epoch 99999999999999999999/3\nEpoch 0/0\n9/0 [=\n" + std::string(100000, '1'));
  log.take("/4 [\n4/4 [=]\nEpoch 1/3\n5/4 [=]\n");
  EXPECT_EQ(heard.take(), Reports{"start 0"});
}

// A folder with a log.
struct LogFile {
  void append(const std::string& text) const { std::ofstream(file, std::ios::app) << text; }

  base::FolderForTest folder;
  std::filesystem::path file = folder / "train.log";
  LogTail tail{folder, "/train.log"};
};

TEST(LogTail, ReadsALongLogInParts) {
  LogFile log;
  const std::string text(5 << 20, 'x');
  log.append(text);
  std::string all;
  for (std::string part; !(part = log.tail.read()).empty(); all += part)
    EXPECT_LE(part.size(), 2U << 20);
  EXPECT_TRUE(all == text);
}

TEST(LogTail, PassesOverWhatAnotherMachineLeftOnADisk) {
  LogFile log;
  log.append("its lines\n");
  log.tail.skip_what_was_mounted();
  EXPECT_EQ(log.tail.read(), "");
  log.append("ours\n");
  log.tail.skip_what_was_mounted();  // another mount: it is followed already
  EXPECT_EQ(log.tail.read(), "ours\n");
}

TEST(LogTail, PassesOverWhatWasNeverWritten) {
  LogFile log;
  log.append("one\n");
  std::filesystem::resize_file(log.file, std::uintmax_t{1} << 36);
  EXPECT_TRUE(log.tail.read().starts_with("one\n"));
  EXPECT_EQ(log.tail.read(), "");
  log.append("two\n");
  EXPECT_TRUE(log.tail.read().ends_with("two\n"));
}

TEST(ProgressReader, ReportsTheStateOfAStepIfItsLineHasOne) {
  ProgressRule rule = keras();
  rule.state = LinePattern(R"(loss: ([0-9.]+))");
  Heard heard(rule);
  auto log = heard.machine();
  log.take("Epoch 1/3\n1/4 [=.] - loss: 0.5\r2/4 [=\r3/4 [==.] - loss: 0.25");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 1 0.5", "step 2"})) << "more digits may come";
  log.take("6 ");
  EXPECT_EQ(heard.take(), (Reports{"step 3 0.256"}));
}

TEST(ProgressReader, AFileThatIsFoundMayBeAsOldAsTheLastLook) {
  ProgressRule rule{.step = LinePattern(R"(step (\d+) of (\d+))")};
  rule.checkpoint_files = "/data/*.h5";
  Heard heard(rule);
  auto log = heard.machine();
  log.take("step 10 of 100\n");
  heard.new_file = "/data/a.h5";
  log.take("step 20 of 100\n");
  EXPECT_EQ(heard.take(), (Reports{"start 0", "step 10", "step 20",
                                   "checkpoint-written 20 /data/a.h5 since 10"}));
}

}  // namespace
}  // namespace sim::guest
