// Programs that wait by polling come to an end, and other programs have their turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include "sim/guest/sandbox/guest_for_test.h"
#include "sim/guest/time/call_toll.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/spinning_tasks.h"

namespace sim::guest::test {
namespace {

using namespace std::chrono_literals;

// The virtual time that this many calls take, made without a rest.
Duration time_of(int calls, CallWeight weight) {
  CallToll toll;
  Time now = kStart;
  for (int i = 0; i < calls; ++i) now += toll.of_call(now, weight);
  return now - kStart;
}

TEST(CallToll, ManyCallsAreFree) {
  EXPECT_EQ(time_of(200'000, CallWeight::kCall), 0s);
  EXPECT_EQ(time_of(1'000, CallWeight::kImage), 0s);
}

TEST(CallToll, QuestionsMakeMinutesPass) {
  EXPECT_GT(time_of(270'000, CallWeight::kQuestion), 12min);
  EXPECT_LT(time_of(30'000, CallWeight::kQuestion), 10s);
}

TEST(CallToll, ARestMakesCallsFreeAgain) {
  CallToll toll;
  Time now = kStart;
  for (int i = 0; i < 300'000; ++i) now += toll.of_call(now, CallWeight::kCall);
  EXPECT_GT(toll.of_call(now, CallWeight::kCall), Duration{0});
  now += 1ms;
  EXPECT_EQ(toll.of_call(now, CallWeight::kCall), Duration{0});
}

TEST(CallToll, TimeThatALentClockPassesIsNoRest) {
  CallToll toll;
  Time now = kStart;
  for (int lease = 0; lease < 5'000; ++lease) {
    toll.of_call(now, CallWeight::kClock);
    toll.clock_is_lent();
    now += 1ms;
    toll.clock_is_back(now);
  }
  EXPECT_GT(toll.of_call(now, CallWeight::kClock), Duration{0});
}

TEST(Polling, IsTimeInTheKernelThatMovesNothing) {
  const TaskUsage before;
  EXPECT_TRUE(looks_like_polling(before, {.user_ticks = 180, .kernel_ticks = 20}));
  EXPECT_FALSE(looks_like_polling(before, {.user_ticks = 200, .kernel_ticks = 1})) << "computes";
  EXPECT_FALSE(
      looks_like_polling(before, {.user_ticks = 10, .kernel_ticks = 190, .bytes = 1 << 20}))
      << "copies a file";
  EXPECT_FALSE(
      looks_like_polling(before, {.user_ticks = 100, .kernel_ticks = 100, .faults = 10'000}))
      << "fills memory";
}

struct Spun {
  Outcome outcome;
  std::vector<std::string> spun, busy;
  Duration computed{};
};
Spun run(std::vector<std::string> command,
         const SupervisorOptions& options = {.lockstep = true, .busy_after = 1s}) {
  struct Reports : SupervisorHooks {
    void spun(const BusyTask& task) override {
      result.spun.push_back(std::string(task.does) + " " + task.command.substr(0, 4));
    }
    void computed(int, Time from, Time to) override { result.computed += to - from; }
    void busy(const BusyTask& task) override { result.busy.push_back(task.command.substr(0, 4)); }
    Spun result;
  } reports;
  TestWorld world(options);
  world.supervisor.set_hooks(reports);
  world.simulation.after(1h, [] {});
  const TestGuest& guest = world.start(std::move(command));
  EXPECT_TRUE(world.run());
  reports.result.outcome = {guest.output() + "rc=" + std::to_string(guest.status()),
                            world.elapsed()};
  return reports.result;
}
Spun python(const std::string& program) { return run({"/usr/bin/python3", "-c", program}); }

class Spinning : public testing::Test {
 protected:
  void SetUp() override {
    if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  }
};

TEST_F(Spinning, AChildThatIsAskedForHasItsTurn) {
  const Spun seen = python(
      "import subprocess\n"
      "p = subprocess.Popen(['true'])\n"
      "while p.poll() is None: pass\n");
  EXPECT_EQ(seen.outcome.text, "rc=0");
  EXPECT_LT(seen.outcome.took, 1s);
  EXPECT_TRUE(seen.spun.empty());
}

// Each program waits for a sleeping child by repeating a question.
struct Question {
  const char* name;
  const char* loop;
};
constexpr Question kQuestions[] = {
    {"select", "while p.poll() is None: select.select([], [], [], 0)"},
    {"poll", "q = select.poll(); q.register(p.stdout)\nwhile not q.poll(0): pass"},
    {"epoll", "q = select.epoll(); q.register(p.stdout)\nwhile not q.poll(0): pass"},
    {"deadline",
     "q = select.poll(); q.register(p.stdout)\n"
     "while time.time() < 2e9 and not q.poll(0): pass"},
    {"waitpid", "while os.waitpid(-1, os.WNOHANG)[0] == 0: pass"},
    {"waitid", "while not os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG): pass"},
};
std::string program_of(const Question& question) {
  return "import os, select, subprocess, time\n"
         "p = subprocess.Popen(['sleep', '1'], stdout=subprocess.PIPE)\n" +
         std::string(question.loop) + "\nprint('" + question.name + "', time.time_ns())\n";
}

TEST_F(Spinning, QuestionsMakeTimePassTheSameInEachRun) {
  std::vector<std::string> all{"bash", "-c", "for p; do python3 -c \"$p\" & done; wait", "bash"};
  for (const Question& question : kQuestions) all.push_back(program_of(question));
  const Spun first = run(all), second = run(all);
  EXPECT_EQ(first.outcome.text, second.outcome.text);
  EXPECT_EQ(std::ranges::count(first.outcome.text, '\n'), std::ssize(kQuestions));
  EXPECT_EQ(first.outcome.took, second.outcome.took);
  EXPECT_LT(first.outcome.took, 2s);
  EXPECT_EQ(first.spun, std::vector<std::string>{}) << "judged by CPU time";
}

// No call of the loop is seen.
TEST_F(Spinning, AShellThatLooksForAFileFindsIt) {
  const Spun seen = run({"bash", "-c",
                         "f=$(mktemp -u); (sleep 20; touch $f) & "
                         "while [ ! -e $f ]; do :; done; rm $f; echo found"});
  EXPECT_EQ(seen.outcome.text, "found\nrc=0");
  EXPECT_EQ(std::chrono::round<std::chrono::milliseconds>(seen.outcome.took), 20s);
  EXPECT_EQ(seen.spun, (std::vector<std::string>{"polls bash"}));
  EXPECT_EQ(seen.computed, 20s) << "it uses the CPU all the time";
  ASSERT_FALSE(seen.busy.empty());
  EXPECT_EQ(seen.busy.front(), "bash");
}

// Each of the two rests while the other runs, and none of their calls is trapped.
TEST_F(Spinning, APipelineWithoutAnEndLetsTimePass) {
  const Spun seen = run({"bash", "-c",
                         "yes | cat >/dev/null & sleep 1; date +%s; kill $(jobs -p); "
                         "pkill -x yes; wait 2>/dev/null; echo ended"},
                        {.lockstep = true, .busy_after = 1s, .free_computing = 1s});
  EXPECT_TRUE(seen.outcome.text.ends_with("ended\nrc=0")) << seen.outcome.text;
  EXPECT_EQ(std::chrono::round<std::chrono::seconds>(seen.outcome.took), 1s);
  EXPECT_EQ(seen.spun.size(), 1U);
  EXPECT_GT(seen.computed, Duration{0});
  EXPECT_LE(seen.computed, seen.outcome.took);
  EXPECT_FALSE(seen.busy.empty());
}

TEST_F(Spinning, AThreadThatIsWaitedForOnAnAtomicHasItsTurn) {
  const Spun seen = run({SPOTSIM_THREADS_PROGRAM, "spins"});
  EXPECT_EQ(seen.outcome.text, "T\nrc=0");
  EXPECT_LT(seen.outcome.took, 1s);
  EXPECT_EQ(seen.spun.size(), 1U);
}

}  // namespace
}  // namespace sim::guest::test
