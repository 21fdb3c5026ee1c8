// What spottrain survives: being told to stop, being killed at any instant, damaged checkpoints, a
// full disk. The claim is always the same: it ends with the bytes of a training that nothing
// happened to.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <random>

#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/folder.h"
#include "trainer/program_under_test.h"
#include "trainer/test_folder.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kEpochs = 4, kStepsPerEpoch = 5, kSteps = kEpochs * kStepsPerEpoch;

class Survival : public testing::Test {
 protected:
  Survival() {
    EXPECT_EQ(
        run({"synthesize", (folder_ / "data").string(), "--train", "80", "--test", "20"}).status,
        0);
  }
  Arguments train(const std::string& name, const Arguments& more = {}) const {
    Arguments words{"train",
                    "--data",
                    (folder_ / "data").string(),
                    "--checkpoints",
                    (folder_ / name).string(),
                    "--batch",
                    "16",
                    "--epochs",
                    std::to_string(kEpochs)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Continues the training in `interrupted` to its end, and compares with one never interrupted.
  void expect_same_end(const std::string& interrupted) {
    const Outcome end = run(train(interrupted));
    EXPECT_EQ(end.status, 0) << end.errors;
    ASSERT_EQ(run(train("straight")).status, 0);
    for (const std::string& file : {checkpoint_name(kSteps), std::string("train.csv")}) {
      EXPECT_TRUE(file_content(folder_ / interrupted / file) ==
                  file_content(folder_ / "straight" / file))
          << file << " differs";
    }
  }

  TestFolder folder_;
};

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
  // Nobody reads on: it is held up in a write, where the first SIGTERM cannot be obeyed.
  fcntl(program.progress_pipe(), F_SETPIPE_SZ, 4096);
  for (int unread = 0; unread < 4096 - 100;) {
    ASSERT_EQ(ioctl(program.progress_pipe(), FIONREAD, &unread), 0);
    sched_yield();
  }
  while (!program.ended()) program.signal(SIGTERM);
  EXPECT_EQ(program.wait(), 143);
}

TEST_F(Survival, KilledAtFortyInstantsItNeverLosesADurableStep) {
  std::mt19937 random(1);
  std::int64_t durable = 0;
  const Arguments command = train("killed", {"--policy", "steps:1", "--epochs", "40"});
  for (int kill = 0; kill < 40; ++kill) {
    Program program(command);
    ASSERT_TRUE(program.read_until("start")) << program.errors();
    EXPECT_GE(program.lines().back().at("step"), durable);
    for (unsigned lines = random() % 12; lines > 0; --lines) program.next_line();
    const auto instant =
        std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 3000);
    while (std::chrono::steady_clock::now() < instant) {
    }
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait(), 128 + SIGKILL);
    EXPECT_TRUE(lines_of(program.lines(), "checkpoint-rejected").empty());
    for (const auto& line : lines_of(program.lines(), "checkpoint-durable")) {
      durable = line.at("step");
    }
  }
  EXPECT_GT(durable, 20);
  ASSERT_EQ(run(command).status, 0);
  ASSERT_EQ(run(train("straight", {"--epochs", "40"})).status, 0);
  EXPECT_TRUE(file_content(folder_ / "killed" / checkpoint_name(200)) ==
              file_content(folder_ / "straight" / checkpoint_name(200)));
}

// Lets a traced program run to its next stop, before or after a system call; false when it ended.
bool run_to_stop(const Program& program) {
  int status = 0;
  return ptrace(PTRACE_SYSCALL, program.pid(), nullptr, nullptr) == 0 &&
         waitpid(program.pid(), &status, 0) == program.pid() && WIFSTOPPED(status);
}

// Attaches to a program; false when the machine does not allow it.
bool trace(const Program& program) {
  int status = 0;
  return ptrace(PTRACE_SEIZE, program.pid(), nullptr, PTRACE_O_EXITKILL) == 0 &&
         ptrace(PTRACE_INTERRUPT, program.pid(), nullptr, nullptr) == 0 &&
         waitpid(program.pid(), &status, 0) == program.pid() && WIFSTOPPED(status);
}

TEST_F(Survival, KilledBeforeAndAfterEachSystemCallOfACheckpointItNeverLosesADurableStep) {
  std::int64_t durable = 0;
  const Arguments command = train("killed", {"--policy", "steps:1", "--epochs", "40"});
  bool checkpoint_over = false;
  int kills = 0;
  for (; !checkpoint_over; ++kills) {
    ASSERT_LT(kills, 150);
    Program program(command);
    if (!trace(program)) GTEST_SKIP() << "needs ptrace: " << strerror(errno);
    while (!program.read_ready("checkpoint-begin")) ASSERT_TRUE(run_to_stop(program));
    for (int stop = 0; stop < kills; ++stop) ASSERT_TRUE(run_to_stop(program));
    checkpoint_over = program.read_ready("step");  // the next one
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait(), 128 + SIGKILL);
    EXPECT_TRUE(lines_of(program.lines(), "checkpoint-rejected").empty()) << "kill " << kills;
    EXPECT_GE(lines_of(program.lines(), "start").at(0).at("step"), durable) << "kill " << kills;
    for (const auto& line : lines_of(program.lines(), "checkpoint-durable")) {
      durable = line.at("step");
    }
  }
  EXPECT_GT(kills, 15);
  EXPECT_GT(durable, 5);
}

TEST_F(Survival, ADamagedNewestIsSkippedLoudlyAndTrainedAgain) {
  ASSERT_EQ(run(train("damaged", {"--max-steps", "12"})).status, 75);
  fs::resize_file(folder_ / "damaged" / checkpoint_name(12), 20'000);
  const Outcome outcome = run(train("damaged", {"--max-steps", "1"}));
  EXPECT_EQ(outcome.status, 75);
  EXPECT_NE(outcome.errors.find("CHECKPOINT REJECTED: step-0000000012.ckpt: its checksum is wrong"),
            std::string::npos)
      << outcome.errors;
  ASSERT_GE(outcome.lines.size(), 2u);
  EXPECT_EQ(outcome.lines[0].at("event"), "checkpoint-rejected");
  EXPECT_EQ(outcome.lines[0].at("checkpoint"), checkpoint_name(12));
  EXPECT_EQ(outcome.lines[1].at("step"), 10);
  expect_same_end("damaged");
}

TEST_F(Survival, WithEveryCheckpointDamagedItBeginsAgainLoudly) {
  ASSERT_EQ(run(train("damaged", {"--max-steps", "12"})).status, 75);
  for (const int step : {5, 10, 12}) {
    write_content(folder_ / "damaged" / checkpoint_name(step), "");
  }
  const Outcome outcome = run(train("damaged", {"--max-steps", "1"}));
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-rejected").size(), 3u);
  EXPECT_EQ(lines_of(outcome.lines, "start")[0].at("step"), 0);
  expect_same_end("damaged");
}

TEST_F(Survival, ACheckpointComputedOnAnotherNumericClassIsContinuedWithAWarning) {
  ASSERT_EQ(run(train("other", {"--max-steps", "3"})).status, 75);
  const fs::path file = folder_ / "other" / checkpoint_name(3);
  Checkpoint checkpoint = decode(file_content(file));
  checkpoint.numeric_class = "another machine";
  write_content(file, encode(checkpoint));
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

TEST_F(Survival, AFullDiskIsToldAndTrainingGoesOnFromWhatIsThere) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  // In a mount namespace of this test's own: nothing of it outlives the process.
  if (unshare(CLONE_NEWNS) != 0 ||
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=48k") != 0) {
    GTEST_SKIP() << "a small file system needs the right to mount: " << strerror(errno);
  }
  const Outcome outcome = run(train("disk"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("CHECKPOINT FAILED at step 20: write"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-durable").size(), 1u);
  // At steps 10, 15 and 20, and once more at the end.
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-failed").size(), 4u);
  EXPECT_EQ(lines_of(outcome.lines, "step").size(), 20u);
  EXPECT_TRUE(lines_of(outcome.lines, "finished").empty());
  EXPECT_FALSE(fs::exists(disk / ("." + checkpoint_name(20) + ".tmp")));

  ASSERT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=1m"), 0);
  expect_same_end("disk");
  umount2(disk.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace spottrain
