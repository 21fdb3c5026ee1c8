// Events that spottrain survives: requests to stop, damaged checkpoints, a full disk. In each case
// the training ends with the bytes of an undisturbed training.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

#include "trainer/survival_for_test.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

TEST_F(Survival, SigtermFinishesTheStepSavesAndTheResumeIsBitExact) {
  for (int process = 0; process < 3; ++process) {
    const auto begin = std::chrono::steady_clock::now();
    Program program(train("stopped", {"--emulate-step-time", "500ms"}));
    ASSERT_TRUE(program.read_until("start"));
    const std::int64_t before = program.lines().back().at("step");
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 75);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
    EXPECT_EQ(program.lines().back().at("event"), "stop");
    EXPECT_EQ(program.lines().back().at("reason"), "SIGTERM");
    const std::int64_t step = program.lines().back().at("step");
    EXPECT_GT(step, before);
    EXPECT_TRUE(fs::exists(folder_ / "stopped" / checkpoint_name(step)));
  }
  expect_same_end("stopped");
}

TEST_F(Survival, InModeAsyncANoticeWaitsUntilTheCheckpointIsDurable) {
  for (int process = 0; process < 3; ++process) {
    Program program(
        train("stopped", {"--checkpoint-mode", "async", "--emulate-step-time", "100ms"}));
    ASSERT_TRUE(program.read_until("start"));
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 75);
    const auto& lines = program.lines();
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines[lines.size() - 2].at("event"), "checkpoint-durable");
    EXPECT_EQ(lines.back().at("event"), "stop");
    EXPECT_EQ(lines.back().at("step"), lines[lines.size() - 2].at("step"));
  }
  expect_same_end("stopped");
}

// The learning rate makes the loss NaN within some steps. Earlier checkpoints stay.
TEST_F(Survival, ADivergedTrainingStopsAndKeepsTheLastGoodCheckpoint) {
  for (const char* const mode : {"sync", "async"}) {
    const std::string name = std::string("diverged-") + mode;
    Arguments words =
        train(name, {"--checkpoint-mode", mode, "--policy", "steps:1", "--learning-rate", "9e5"});
    std::ranges::replace(words, (folder_ / "survivor.model").string(), std::string("mlp"));
    const Outcome end = run(words);
    EXPECT_EQ(end.status, 76) << end.errors;
    EXPECT_NE(end.errors.find("the training has diverged"), std::string::npos) << end.errors;
    ASSERT_FALSE(end.lines.empty());
    EXPECT_EQ(end.lines.back().at("event"), "diverged");
    for (const auto& file : fs::directory_iterator(folder_ / name)) {
      const auto step = step_of_checkpoint(file.path().filename().string());
      if (!step) continue;
      const Checkpoint kept = load_checkpoint(folder_ / name, *step).checkpoint;
      EXPECT_TRUE(std::ranges::all_of(kept.values, [](float v) { return std::isfinite(v); }))
          << file.path();
    }
  }
}

TEST_F(Survival, Sigusr1IsANoticeToo) {
  Program program(train("stopped", {"--emulate-step-time", "200ms"}));
  ASSERT_TRUE(program.read_until("start"));
  program.signal(SIGUSR1);
  EXPECT_EQ(program.wait(), 75);
  EXPECT_EQ(program.lines().back().at("reason"), "SIGUSR1");
  expect_same_end("stopped");
}

TEST_F(Survival, WithoutTheOnNoticePolicyANoticeSavesNothing) {
  Program program(train("stopped", {"--emulate-step-time", "200ms", "--policy", "none"}));
  ASSERT_TRUE(program.read_until("start"));
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait(), 75);
  EXPECT_TRUE(lines_of(program.lines(), "checkpoint-begin").empty());
  expect_same_end("stopped");
}

TEST_F(Survival, ASecondSigtermEndsItAtOnce) {
  Program program(train("stopped", {"--epochs", "1000"}));
  ASSERT_TRUE(program.read_until("start"));
  // No program reads the pipe any more. So the trainer is stuck in a write and cannot obey the
  // first SIGTERM.
  fcntl(program.progress_pipe(), F_SETPIPE_SZ, 4096);
  for (int unread = 0; unread < 4096 - 100;) {
    ASSERT_EQ(ioctl(program.progress_pipe(), FIONREAD, &unread), 0);
    sched_yield();
  }
  const auto begin = std::chrono::steady_clock::now();
  for (; !program.ended(); usleep(10'000)) program.signal(SIGTERM);
  EXPECT_EQ(program.wait(), 143);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1))
      << "those of the first second are one";
}

TEST_F(Survival, ADamagedNewestIsReportedAndTrainedAgain) {
  ASSERT_EQ(run(train("damaged", {"--max-steps", "12"})).status, 75);
  fs::resize_file(folder_ / "damaged" / checkpoint_name(12), 20'000);
  const Outcome outcome = run(train("damaged", {"--max-steps", "1"}));
  EXPECT_EQ(outcome.status, 75);
  EXPECT_NE(outcome.errors.find("CHECKPOINT REJECTED: step-0000000012.safetensors: it has 20000 "
                                "bytes of"),
            std::string::npos)
      << outcome.errors;
  ASSERT_GE(outcome.lines.size(), 2u);
  EXPECT_EQ(outcome.lines[0].at("event"), "checkpoint-rejected");
  EXPECT_EQ(outcome.lines[0].at("checkpoint"), checkpoint_name(12));
  EXPECT_EQ(outcome.lines[1].at("step"), 10);
  expect_same_end("damaged");
}

TEST_F(Survival, WithEveryCheckpointDamagedItReportsAndBeginsAgain) {
  ASSERT_EQ(run(train("damaged", {"--max-steps", "12"})).status, 75);
  for (const int step : {5, 10, 12}) {
    base::write_content(folder_ / "damaged" / checkpoint_name(step), "");
  }
  const Outcome outcome = run(train("damaged", {"--max-steps", "1"}));
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-rejected").size(), 3u);
  EXPECT_EQ(lines_of(outcome.lines, "start")[0].at("step"), 0);
  expect_same_end("damaged");
}

TEST_F(Survival, ALostManifestIsReportedAndItsStepTrainedAgain) {
  ASSERT_EQ(run(train("lost", {"--max-steps", "12"})).status, 75);
  fs::remove(folder_ / "lost" / manifest_name(12));
  const Outcome outcome = run(train("lost", {"--max-steps", "1"}));
  EXPECT_NE(outcome.errors.find("step-0000000012.safetensors has no manifest"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(lines_of(outcome.lines, "start")[0].at("step"), 10);
  EXPECT_TRUE(lines_of(outcome.lines, "checkpoint-rejected").empty());
  expect_same_end("lost");
}

TEST_F(Survival, ACheckpointComputedOnAnotherNumericClassIsContinuedWithAWarning) {
  ASSERT_EQ(run(train("other", {"--max-steps", "3"})).status, 75);
  Checkpoint checkpoint = load_checkpoint(folder_ / "other", 3).checkpoint;
  checkpoint.numeric_class = "another machine";
  store_checkpoint(folder_ / "other", checkpoint);
  const Outcome outcome = run(train("other"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("'another machine'"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("not bit for bit"), std::string::npos) << outcome.errors;
}

TEST_F(Survival, ASecondTrainerOnTheSameFolderEndsAtOnce) {
  Program first(train("shared", {"--emulate-step-time", "1h"}));
  ASSERT_TRUE(first.read_until("start"));
  const Outcome second = run(train("shared"));
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.errors.find("another trainer uses"), std::string::npos) << second.errors;
}

class FullDisk : public Survival, public testing::WithParamInterface<const char*> {};

TEST_P(FullDisk, IsReportedAndTrainingResumesFromTheLastCheckpoint) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  // The mount namespace is private, so that no mount outlives the process.
  if (unshare(CLONE_NEWNS) != 0 ||
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=48k") != 0) {
    GTEST_SKIP() << "a small file system needs the right to mount: " << strerror(errno);
  }
  const Outcome outcome = run(train("disk", {"--checkpoint-mode", GetParam()}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("CHECKPOINT FAILED at step 20: write"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-durable").size(), 1u);
  // Saves fail at steps 10, 15 and 20, and once more at the end.
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-failed").size(), 4u);
  EXPECT_EQ(lines_of(outcome.lines, "step").size(), 20u);
  EXPECT_TRUE(lines_of(outcome.lines, "finished").empty());
  for (const auto& file : fs::directory_iterator(disk)) {
    EXPECT_FALSE(file.path().filename().string().starts_with(".")) << file.path();
  }

  ASSERT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=1m"), 0);
  expect_same_end("disk");
  umount2(disk.c_str(), MNT_DETACH);
}

INSTANTIATE_TEST_SUITE_P(Modes, FullDisk, testing::Values("sync", "async"),
                         [](const auto& mode) { return std::string(mode.param); });

}  // namespace
}  // namespace spottrain
