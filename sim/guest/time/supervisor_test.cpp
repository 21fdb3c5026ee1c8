// Each family of trapped calls as a program sees it, and what the supervisor promises about time.
#include "sim/guest/time/supervisor.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "sim/guest/sandbox/guest_for_test.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest::test {
namespace {

std::vector<std::string> waits(const std::string& how) { return {SPOTSIM_WAITS_PROGRAM, how}; }

std::string text_of(const std::string& how) { return outcome_of(waits(how)).text; }

TEST(TrappedCalls, ClocksShowVirtualTimeAndCannotBeSet) {
  EXPECT_EQ(text_of("clocks"), "1577836800 1577836800 10 1\n-1 1\nrc=0");
}

TEST(TrappedCalls, SignalEndsASleepAndReportsTheRest) {
  EXPECT_EQ(text_of("interrupted-sleep"), "left 50 after 10\nrc=0");
}

TEST(TrappedCalls, AlarmAndItimerCountVirtualSeconds) {
  EXPECT_EQ(text_of("alarm-and-itimer"), "70 left\nalarm after 37\nitimer after 7, every 2\nrc=0");
}

TEST(TrappedCalls, PosixTimersSendTheirSignalsWithTheirValues) {
  EXPECT_EQ(text_of("posix-timers"),
            "41 at 20 timer 1\n42 at 30 timer 1\n41 at 40 timer 1\nleft 20 1\nrc=0");
}

TEST(TrappedCalls, TimerThatRunsAThread) {
  EXPECT_EQ(text_of("timer-thread"), "called after 25\nrc=0");
}

TEST(TrappedCalls, TimerFilesAreReadable) {
  EXPECT_EQ(text_of("timer-file"), "8 1 at 15\npoll 1 at 25\ninterval 10\nat 125\nrc=0");
}

TEST(TrappedCalls, ConditionVariablesTimeOutAndWake) {
  EXPECT_EQ(text_of("futexes"), "timed out 1 after 70\nwoken 1 after 20\nrc=0");
}

TEST(TrappedCalls, TimedJoinSeesTheThreadEnd) {
  EXPECT_EQ(text_of("timed-join"), "1 after 10\n0 after 40\nrc=0");
}

TEST(TrappedCalls, SignalWaitTimesOutAndSeesItsSignal) {
  EXPECT_EQ(text_of("signal-wait"), "-1 1 after 50\n1 after 70\nrc=0");
}

TEST(TrappedCalls, PollsExpireAndBecomeReady) {
  EXPECT_EQ(text_of("polls"),
            "poll 0 0 after 30\nselect 0 0 after 30\nepoll 0 after 30\n"
            "poll 1 1 after 12\nselect 1 1 left 30\nepoll 1 1 after 12\nrc=0");
}

TEST(TrappedCalls, WaitsThatASignalEndedWriteNothing) {
  EXPECT_EQ(text_of("ended-waits"), "1 ended, 0 overwritten\nrc=0");
}

TEST(TrappedCalls, SignalUnblockedOnlyWhileWaitingEndsTheWait) {
  EXPECT_EQ(text_of("masked-poll"), "-1 1 after 15\nrc=0");
}

TEST(TrappedCalls, BadArgumentsGetTheKernelsErrors) {
  EXPECT_EQ(text_of("bad-pointers"), "11111\n111\nrc=0");
}

TEST(TrappedCalls, KilledSleeperLeavesNothingBehind) {
  const Outcome outcome = outcome_of(waits("killed-sleeper"));
  EXPECT_EQ(outcome.text, "signal 9 at 15\nrc=0");
  EXPECT_LT(outcome.took, 6s);
}

TEST(TrappedCalls, FiftyProcessesSleepAtOnce) {
  EXPECT_EQ(text_of("fifty-sleepers"), "50 after 500\nrc=0");
}

TEST(TrappedCalls, SpinningOnTheClockEnds) { EXPECT_EQ(text_of("spin"), "0.005\nrc=0"); }

TEST(TrappedCalls, ClocksCanBeReadWhateverSignalsCome) {
  EXPECT_EQ(text_of("clocks-among-signals"), "0 failed\nrc=0");
}

TEST(TrappedCalls, RandomBytesComeFromTheSeed) { EXPECT_EQ(text_of("random"), text_of("random")); }

TEST(Supervisor, ReportsWhenNothingCanHappenAnyMore) {
  TestWorld world;
  world.start(waits("forever"));
  EXPECT_FALSE(world.run());
  EXPECT_EQ(world.elapsed(), 0s);
}

TEST(Supervisor, EventsOfTheWorldHappenBetweenTheGuestsSteps) {
  TestWorld world;
  const TestGuest& guest = world.start({"sleep", "1000"});
  std::vector<double> seen;
  for (const Duration at : {1000s, 10s, 2000s})
    world.simulation.after(at, [&, at] { seen.push_back(seconds(world.elapsed())); });
  EXPECT_TRUE(world.run());
  EXPECT_EQ(guest.status(), 0);
  EXPECT_EQ(seen, (std::vector<double>{10, 1000}));
}

TEST(Supervisor, GuestsShareOneClockAndEachHasItsOwnBoot) {
  TestWorld world;
  world.start({"sleep", "100"});
  const TestGuest* late = nullptr;
  world.simulation.after(40s, [&] { late = &world.start(waits("clocks")); });
  EXPECT_TRUE(world.run());
  ASSERT_NE(late, nullptr);
  EXPECT_EQ(late->output().substr(0, 26), "1577836840 1577836840 10 1");
}

TEST(Supervisor, ReleasedGuestHoldsNothingUp) {
  TestWorld world;
  world.start({"sleep", "100"});
  world.start({"sleep", "1000000"});
  world.simulation.after(50s, [&] { world.guests.pop_back(); });
  EXPECT_TRUE(world.run());
  EXPECT_LT(world.elapsed(), 101s);
}

TEST(Supervisor, ChargeDelaysTheNextTrappedCall) {
  struct Owed : SupervisorHooks {
    Duration charge(int) override { return std::exchange(owed, 0s); }
    Duration owed = 7s;
  } hooks;
  TestWorld world;
  world.supervisor.set_hooks(hooks);
  world.start({"sleep", "100"});
  EXPECT_TRUE(world.run());
  EXPECT_EQ(std::chrono::round<std::chrono::seconds>(world.elapsed()), 107s);
}

TEST(Supervisor, SyncTakesTheTimeOfTheHost) {
  struct Slow : SupervisorHooks {
    std::optional<Duration> sync(int, int, int syscall_number) override {
      number = syscall_number;
      return 9s;
    }
    int number = 0;
  } hooks;
  TestWorld world;
  world.supervisor.set_hooks(hooks);
  const TestGuest& guest = world.start(waits("durable"));
  EXPECT_TRUE(world.run());
  EXPECT_EQ(guest.output(), "0 after 9\n");
  EXPECT_EQ(hooks.number, SYS_fsync);
}

TEST(Supervisor, SyncThatFailsBecomesTheCallsError) {
  struct Broken : SupervisorHooks {
    std::optional<Duration> sync(int, int, int) override {
      throw std::system_error(EIO, std::generic_category());
    }
  } hooks;
  TestWorld world;
  world.supervisor.set_hooks(hooks);
  const TestGuest& guest = world.start(waits("durable"));
  EXPECT_TRUE(world.run());
  EXPECT_EQ(guest.output(), "-1 after 0\n");
}

TEST(Supervisor, MountsAreTheHostsToAnswer) {
  struct Mounts : SupervisorHooks {
    std::optional<int> mount(const MountCall& call) override {
      seen.push_back(call.source + " on " + call.target + " as " + call.filesystem);
      return call.target == "/mnt" ? 0 : EBUSY;
    }
    std::optional<int> unmount(int, pid_t, const std::string& target) override {
      seen.push_back("off " + target);
      return 0;
    }
    std::vector<std::string> seen;
  } hooks;
  TestWorld world;
  world.supervisor.set_hooks(hooks);
  const TestGuest& guest =
      world.start({"/usr/bin/python3", "-c",
                   "import ctypes; c=ctypes.CDLL(None,use_errno=True)\n"
                   "print(c.mount(b'/dev/xvdf',b'/mnt',b'xfs',0,None),"
                   "c.mount(b'/dev/xvdg',b'/x',b'xfs',0,None),ctypes.get_errno(),"
                   "c.umount2(b'/mnt',0))"},
                  {.mounts = true});
  EXPECT_TRUE(world.run());
  EXPECT_EQ(guest.output(), "0 -1 16 0\n");
  EXPECT_EQ(hooks.seen, (std::vector<std::string>{"/dev/xvdf on /mnt as xfs",
                                                  "/dev/xvdg on /x as xfs", "off /mnt"}));
}

// Eight jobs that wake at the same instants and append to one file: their order is a race in the
// real world. (Process IDs are not shown: concurrent forks wait for locks on the mappings of libc,
// which all processes of the machine share.)
constexpr const char* kRace =
    "f=$(mktemp); for i in 1 2 3 4 5 6 7 8; do"
    " ( for k in 1 2 3; do sleep $((i % 2 + 1)); echo \"$i $k $(date +%s.%N)\" >> $f; done )"
    " & done; wait; cat $f; rm $f";

TEST(Lockstep, ARaceEndsTheSameEveryTime) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  if (geteuid() != 0) GTEST_SKIP() << "process ids differ without a pid namespace";
  SupervisorOptions options;
  options.lockstep = true;
  std::set<std::string> seen;
  for (int run = 0; run < 20; ++run) {
    TestWorld world(options);
    const TestGuest& guest = world.start({"bash", "-c", kRace});
    ASSERT_TRUE(world.run());
    seen.insert(guest.output() + iso_nanoseconds(world.simulation.now()));
  }
  EXPECT_EQ(seen.size(), 1U) << *seen.begin() << "\n--- but also\n" << *seen.rbegin();
}

// Runs recognise one another by names of the network namespace; in its own namespace a thread is
// alone.
TEST(Lockstep, RunsSideBySideHaveACpuEach) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  cpu_set_t permitted;
  ASSERT_EQ(sched_getaffinity(0, sizeof permitted, &permitted), 0);
  const int cpus = CPU_COUNT(&permitted);
  std::set<int> taken;
  bool alone = false;
  std::thread([&] {
    alone = unshare(CLONE_NEWNET) == 0;
    std::vector<std::unique_ptr<LockstepCpu>> runs;
    for (int run = 0; alone && run < cpus + 1; ++run) {
      sched_setaffinity(0, sizeof permitted, &permitted);
      runs.push_back(std::make_unique<LockstepCpu>());
      taken.insert(sched_getcpu());
    }
  }).join();
  if (!alone) GTEST_SKIP() << "no permission for a network namespace";
  EXPECT_EQ(static_cast<int>(taken.size()), cpus) << "and the last shares one";
}

// The number of looks at tasks while one guest woke fifty times and the others slept.
std::uint64_t looks_beside(int sleepers, SupervisorOptions options) {
  TestWorld world(options);
  for (int i = 0; i < sleepers; ++i) world.start({"sleep", "1000"});
  world.start({"bash", "-c", "for i in {1..50}; do sleep 1; done"});
  EXPECT_TRUE(world.run());
  return world.supervisor.statistics().looks;
}

TEST(Supervisor, DoesNotLookAtGuestsThatSleep) {
  const std::uint64_t alone = looks_beside(0, {});
  EXPECT_LT(looks_beside(10, {}), 3 * alone);
}

TEST(Lockstep, DoesNotLookAtGuestsThatSleep) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  const std::uint64_t alone = looks_beside(0, {.lockstep = true});
  // Some of these looks are saved, more on a quiet machine; eleven times as many are not.
  EXPECT_LT(looks_beside(10, {.lockstep = true}), 5 * alone);
}

TEST(Lockstep, NearlyAllClockReadsAreNoCalls) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  TestWorld world({.lockstep = true});
  const TestGuest& guest = world.start(waits("many-reads"));
  EXPECT_TRUE(world.run());
  EXPECT_EQ(guest.output(), "parent: 0 wrong\nchild: 0 wrong\nparent: 0 wrong\n");
  const Supervisor::Statistics counted = world.supervisor.statistics();
  EXPECT_GT(counted.clock_reads, 30'000);
  EXPECT_LT(counted.notifications, 300);
}

// An event that is due when the clock read is served releases the guest.
TEST(Lockstep, AGuestThatIsReleasedIsLentNoClock) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  TestWorld world({.lockstep = true});
  const int released = world.start(waits("many-reads")).token();
  world.start({"sleep", "1"});
  world.simulation.after(3ms, [&] { world.supervisor.release(released); });
  EXPECT_TRUE(world.run());
  EXPECT_LT(world.supervisor.statistics().clock_reads, 30'000);
}

TEST(Lockstep, WhatIsDueHappensAmongClockReads) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  const Outcome outcome = outcome_of(waits("timer-among-reads"), {.lockstep = true});
  EXPECT_EQ(outcome.text, "after 100001 us\nafter 100001 us\nafter 100001 us\nrc=0");
}

// A busy neighbour on the CPU keeps woken tasks from running.
TEST(Lockstep, WaitsForTasksThatLeftIt) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  const Outcome outcome = outcome_of(
      {"bash", "-c", "for i in {1..20}; do chrt --idle 0 sleep 1; done"}, {.lockstep = true});
  EXPECT_EQ(outcome.text, "rc=0");
  EXPECT_LT(outcome.took, 21s);
}

// While guests compute, the kernel gives us a part of each second and takes it back in the middle
// of a look. A task that was seen asleep may then compute when the look continues.
TEST(Lockstep, WaitsForTasksThatComputeInTurns) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  TestWorld world({.lockstep = true});
  const TestGuest& runners = world.start(waits("relay"));
  for (int i = 1; i <= 10; ++i) world.simulation.after(i * 1h, [] {});
  EXPECT_TRUE(world.run());
  EXPECT_EQ(runners.output(), "after 0\n");
}

// Another run on the same CPU: its guests compute nearly all the time.
class Neighbour {
 public:
  Neighbour() : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!join_lockstep()) _exit(1);
    for (const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};; nanosleep(&pause, nullptr))
      for (int i = 0; i < 30'000'000; ++i) asm volatile("");
  }
  ~Neighbour() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_;
};

// The kernel may then give the ordinary class its share of a second at any moment: between the
// answer to a call and the task's run, or between two tasks of which one has just woken the other.
TEST(Lockstep, WaitsForTasksThatANeighbourHoldsUp) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  TestWorld world({.lockstep = true});
  const Neighbour neighbour;
  const TestGuest& guest = world.start(waits("nudges"));
  EXPECT_TRUE(world.run());
  EXPECT_EQ(guest.output(), "0 s late\n");
}

// A guest that leaves the supervisor most of the CPU, and then nothing but what the kernel gives
// away.
class ComesAndGoes {
 public:
  ComesAndGoes() : turns_(shared()), pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!join_lockstep()) _exit(1);
    for (int turn = 0; turn < 2; ++turn) {
      for (int i = 0; i < 60; ++i) {
        compute(2ms);
        std::this_thread::sleep_for(10ms);
      }
      compute(1500ms);
    }
    _exit(0);
  }
  ~ComesAndGoes() { munmap(turns_, sizeof *turns_); }

  int turns() const { return *turns_; }  // odd: it computes
  bool lives() { return waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  static std::atomic<int>* shared() {
    void* at = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return new (at) std::atomic<int>(0);
  }
  void compute(std::chrono::milliseconds length) {
    ++*turns_;
    for (const auto until = real_time() + length; real_time() < until;) continue;
    ++*turns_;
  }

  std::atomic<int>* const turns_;
  const pid_t pid_;
};

// Also if the supervisor has had enough of the CPU to skip the question.
TEST(Lockstep, NeverRestsWhileAGuestComputes) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  std::thread([] {
    LockstepCpu cpu;
    ComesAndGoes guest;
    int rests = 0, early = 0;
    while (guest.lives()) {
      const int turn = guest.turns();
      if (cpu.rest(1ms) == LockstepCpu::Rest::kNone) continue;
      ++rests;
      if (turn % 2 == 1 && guest.turns() == turn) ++early;
    }
    EXPECT_GT(rests, 1000);
    EXPECT_EQ(early, 0);
  }).join();
}

// A parent that waits for its child, which waits for a disk. The first look finds the parent
// asleep. The disk is done before the look comes to the child, and the child wakes the parent.
class ChildWakesParent : public TaskList {
 public:
  bool look(Look /*how*/, std::vector<TaskState>& out) override {
    if (++looks_ == 1) std::this_thread::sleep_for(1ms);  // both have our CPU
    const char parent = looks_ == 2 ? 'D' : 'S';
    const std::uint64_t runs = looks_ == 1 ? 1 : 2;
    out = {{.tid = 1, .state = parent, .runs = runs}, {.tid = 2, .state = 'S', .runs = 2}};
    return parent == 'S';
  }
  void follow(RanTasks& /*records*/) override {}
  Findings take_findings() override { return {}; }
  void count_as_asleep(pid_t /*tid*/, bool /*yes*/) override {}
  int looks() const { return looks_; }

 private:
  int looks_ = 0;
};

TEST(Lockstep, SeesATaskThatIsWokenInTheMiddleOfALook) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  TestWorld world({.lockstep = true});
  auto tasks = std::make_unique<ChildWakesParent>();
  const ChildWakesParent& seen = *tasks;
  const base::FileDescriptor calls(eventfd(0, EFD_CLOEXEC));  // none comes
  world.supervisor.adopt(dup(calls.get()), std::move(tasks), "parent and child");
  int looks_before = 0;
  world.simulation.after(1s, [&] { looks_before = seen.looks(); });
  EXPECT_TRUE(world.supervisor.run([&] { return looks_before > 0; }));
  EXPECT_EQ(looks_before, 3);
}

// A kernel thread carries written data to a terminal's reader.
TEST(Lockstep, WaitsForWhatATerminalHasUnderWay) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  const Outcome outcome = outcome_of({"/usr/bin/python3", "-c",
                                      "import os, pty, select\n"
                                      "master, slave = pty.openpty()\n"
                                      "for _ in range(50):\n"
                                      "  os.write(slave, b'x')\n"
                                      "  assert select.select([master], [], [], 5)[0]\n"
                                      "  os.read(master, 1)\n"},
                                     {.lockstep = true});
  EXPECT_EQ(outcome.text, "rc=0");
  EXPECT_LT(outcome.took, 1s);
}

// The reader has been woken before the next call is served, however late that thread is. The reader
// comes first here, because it is the parent.
TEST(Lockstep, AReaderOfATerminalWakesBeforeTheWriterGoesOn) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  const Outcome outcome = outcome_of({"/usr/bin/python3", "-c",
                                      "import os, pty, time\n"
                                      "master, slave = pty.openpty()\n"
                                      "out, told = os.pipe()\n"
                                      "if os.fork() == 0:\n"
                                      "  for _ in range(300):\n"
                                      "    time.sleep(0.001)\n"
                                      "    os.write(slave, b'x')\n"
                                      "    now = [time.monotonic_ns() for _ in range(20)][0]\n"
                                      "    os.write(told, b'%20d' % now)\n"
                                      "  os._exit(0)\n"
                                      "late = set()\n"
                                      "for _ in range(300):\n"
                                      "  os.read(master, 1)\n"
                                      "  now = time.monotonic_ns()\n"
                                      "  late.add(now - int(os.read(out, 20)))\n"
                                      "print(*sorted(late), end=' ')\n"},
                                     {.lockstep = true});
  EXPECT_EQ(outcome.text, "-1000 rc=0");
}

}  // namespace
}  // namespace sim::guest::test
