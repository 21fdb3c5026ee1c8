// kill -9 at any time. No step that was reported as durable is lost, and the result equals that of
// an undisturbed training.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "trainer/survival_for_test.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

class Killed : public Survival, public testing::WithParamInterface<const char*> {
 protected:
  // Trains this number of epochs of five steps, and saves at every step.
  Arguments train_saving_always(int epochs) const {
    return train("killed", {"--policy", "steps:1", "--checkpoint-mode", GetParam(), "--epochs",
                            std::to_string(epochs)});
  }
  // Ends the program, and compares its lines with the newest step known to be durable.
  void kill_and_check(Program& program) {
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait(), 128 + SIGKILL);
    EXPECT_TRUE(lines_of(program.lines(), "checkpoint-rejected").empty());
    for (const auto& line : lines_of(program.lines(), "start"))
      EXPECT_GE(line.at("step"), durable_);
    for (const auto& line : lines_of(program.lines(), "checkpoint-durable")) {
      durable_ = line.at("step");
    }
  }

  std::int64_t durable_ = 0;
};

// SPOTTRAIN_KILLS sets the number of kills.
TEST_P(Killed, AtRandomInstantsItNeverLosesADurableStep) {
  const char* wanted = std::getenv("SPOTTRAIN_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 25;
  const Arguments command = train_saving_always(kills);
  std::mt19937 random(1);
  int during_a_write = 0;
  for (int kill = 0; kill < kills; ++kill) {
    Program program(command);
    ASSERT_TRUE(program.read_until("start")) << program.errors();
    for (unsigned lines = random() % 12; lines > 0; --lines) program.next_line();
    const auto instant =
        std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 6000);
    while (std::chrono::steady_clock::now() < instant) {
    }
    kill_and_check(program);
    during_a_write += lines_of(program.lines(), "checkpoint-begin").size() >
                      lines_of(program.lines(), "checkpoint-durable").size();
  }
  std::printf("%d kills, %d of them during a write, up to step %lld\n", kills, during_a_write,
              static_cast<long long>(durable_));
  EXPECT_GT(durable_, kills / 4);
  EXPECT_GT(during_a_write, kills / 10);
  ASSERT_EQ(run(command).status, 0);
  ASSERT_EQ(run(train("straight", {"--epochs", std::to_string(kills)})).status, 0);
  const std::string last = checkpoint_name(kStepsPerEpoch * kills);
  EXPECT_TRUE(base::file_content(folder_ / "killed" / last) ==
              base::file_content(folder_ / "straight" / last));
}

// A program whose threads the test follows from system call to system call.
class Traced {
 public:
  explicit Traced(const Program& program) : main_(program.pid()), stopped_(main_) {
    attached_ = attach(main_) && await(main_);
    // Attaches threads that exist already. Later threads are followed from their beginning.
    for (const pid_t thread : other_threads()) attach(thread);
  }
  bool attached() const { return attached_; }  // false if the machine does not permit it
  // The thread that is stopped.
  pid_t stopped() const { return stopped_; }
  // Continues that thread, and runs all until one stops before or after a system call. False at the
  // end.
  bool run_to_stop() { return go_on() && await(-1); }
  // Continues only the main thread until its next stop. The writer stays stopped.
  bool run_main_to_stop() { return (stopped_ != main_ || go_on()) && await(main_); }
  bool go_on() { return ptrace(PTRACE_SYSCALL, stopped_, nullptr, nullptr) == 0; }
  // Sends SIGKILL and waits for the ends of all threads. The kernel reports the main thread's end
  // last.
  void end() {
    kill(main_, SIGKILL);
    for (const pid_t thread : other_threads()) {
      int status = 0;
      while (waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status)) {
      }
    }
  }
  void set_free(pid_t thread) { ptrace(PTRACE_DETACH, thread, nullptr, nullptr); }

 private:
  static bool attach(pid_t thread) {
    constexpr auto kOptions = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE;
    return ptrace(PTRACE_SEIZE, thread, nullptr, kOptions) == 0 &&
           ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) == 0;
  }
  std::vector<pid_t> other_threads() const {
    std::vector<pid_t> threads;
    for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(main_) + "/task")) {
      const pid_t thread = std::stoi(task.path().filename());
      if (thread != main_) threads.push_back(thread);
    }
    return threads;
  }
  bool await(pid_t which) {
    int status = 0;
    do {
      stopped_ = waitpid(which, &status, __WALL);
    } while (stopped_ > 0 && stopped_ != main_ && !WIFSTOPPED(status));  // a thread's end
    return stopped_ > 0 && WIFSTOPPED(status);
  }

  pid_t main_, stopped_;
  bool attached_ = false;
};

TEST_P(Killed, BeforeAndAfterEachSystemCallOfACheckpointItNeverLosesADurableStep) {
  const bool async = GetParam() == std::string("async");
  // If one thread does both, rotation precedes the report, else it follows.
  const char* const over = async ? "checkpoint-durable" : "step";
  Arguments command = train_saving_always(80);
  // Otherwise each kill would add a manifest for rotation to read.
  command.insert(command.end(), {"--keep-best", "0"});
  bool checkpoint_over = false;
  int kills = 0;
  while (!checkpoint_over) {
    ASSERT_LT(kills, 300);
    Program program(command);
    Traced traced(program);
    if (!traced.attached()) GTEST_SKIP() << "needs ptrace: " << strerror(errno);
    const bool attached_in_time = !program.read_ready("checkpoint-begin");
    if (attached_in_time) {
      while (!program.read_ready("checkpoint-begin")) ASSERT_TRUE(traced.run_to_stop());
      for (int stop = 0; stop < kills; ++stop) ASSERT_TRUE(traced.run_to_stop());
      checkpoint_over = program.read_ready(over);
      ++kills;
    }
    traced.end();
    kill_and_check(program);
  }
  std::printf("%d kills, up to step %lld\n", kills, static_cast<long long>(durable_));
  EXPECT_GT(kills, 40);
  EXPECT_GT(durable_, 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, Killed, testing::Values("sync", "async"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST_F(Survival, InModeAsyncTrainingGoesOnWhileACheckpointIsBeingWritten) {
  Program program(train("held", {"--checkpoint-mode", "async"}));
  Traced traced(program);
  if (!traced.attached()) GTEST_SKIP() << "needs ptrace: " << strerror(errno);
  while (!program.read_ready("checkpoint-begin")) ASSERT_TRUE(traced.run_to_stop());
  while (traced.stopped() == program.pid()) ASSERT_TRUE(traced.run_to_stop());
  const pid_t writer = traced.stopped();
  while (lines_of(program.lines(), "step").back().at("step") < kStepsPerEpoch + 3) {
    ASSERT_TRUE(traced.run_main_to_stop());
    program.read_ready("step");
  }
  EXPECT_EQ(lines_of(program.lines(), "checkpoint-snapshot").size(), 1u);
  EXPECT_TRUE(lines_of(program.lines(), "checkpoint-durable").empty()) << "it cannot be yet";
  traced.set_free(writer);
  traced.set_free(program.pid());
  EXPECT_EQ(program.wait(), 0);
  expect_same_end("held");
}

}  // namespace
}  // namespace spottrain
