// A look reads only the files of tasks that have run, and finds the same as a look at all files.
#include "sim/guest/time/ran_tasks.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/guest/sandbox/guest_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest::test {
namespace {

// The supervisor's work with this many programs that sleep in the background.
Supervisor::Statistics work_for(int sleeps) {
  TestWorld world({.lockstep = true});
  const std::string script =
      "for i in $(seq " + std::to_string(sleeps) + "); do sleep 100 & done; wait";
  world.start({"bash", "-c", script});
  EXPECT_TRUE(world.run());
  return world.supervisor.statistics();
}

TEST(Lockstep, LooksOnlyAtTasksThatRan) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  const Supervisor::Statistics few = work_for(20), many = work_for(80);
  // On a busy machine a call may be looked at once more. Looks at all tasks would be thousands.
  EXPECT_LE(many.looks_at_held_calls, 6 * few.looks_at_held_calls + 80);
  RanTasks records;
  records.record(sched_getcpu());
  if (!records.recorded()) GTEST_SKIP() << "no permission to record which tasks run";
  EXPECT_LT(many.reads_of_tasks, 6 * few.reads_of_tasks);
}

// How often this thread has left its CPU to another task.
long times_left() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw + used.ru_nivcsw;
}

// Looks by the records, and also reads every file, to compare.
class Compared : public TaskList {
 public:
  struct Counts {
    int looks = 0, wrong = 0;
  };
  Compared(pid_t root, Counts& counts)
      : followed_(descendants_of(root)), read_(descendants_of(root)), counts_(counts) {}

  bool look(Look how, std::vector<TaskState>& out) override {
    const std::size_t before = out.size();
    const long before_looks = times_left();
    if (!followed_->look(how, out)) return false;
    std::vector<TaskState> read;
    const bool still = read_->look(how, read);
    if (times_left() != before_looks) return true;  // something ran in between
    const std::vector<TaskState> told(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
    ++counts_.looks;
    if (!still || told != read) ++counts_.wrong;
    return true;
  }
  void follow(RanTasks& records) override { followed_->follow(records); }
  Findings take_findings() override { return followed_->take_findings(); }
  void count_as_asleep(pid_t tid, bool yes) override {
    followed_->count_as_asleep(tid, yes);
    read_->count_as_asleep(tid, yes);
  }

 private:
  std::unique_ptr<TaskList> followed_, read_;
  Counts& counts_;
};

TEST(Lockstep, RecordsNameAllTasksThatRan) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  TestWorld world({.lockstep = true});
  Compared::Counts counts;
  world.start({"bash", "-c",
               "for i in 1 2 3 4 5 6; do (sleep $i & (sleep 2; sleep 3) &); done\n"  // orphans
               "python3 -c 'if True:\n"
               "  import os, signal, subprocess, threading, time\n"
               "  def run(i):\n"
               "    time.sleep(i / 10)\n"
               "    subprocess.call([\"sh\", \"-c\", \"sleep 1; sleep 2 & exit 0\"])\n"
               "  threads = [threading.Thread(target=run, args=(i,)) for i in range(5)]\n"
               "  for t in threads: t.start()\n"
               "  for t in threads: t.join()\n"
               "  signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"  // no program waits for them
               "  for i in range(5):\n"
               "    if os.fork() == 0:\n"
               "      time.sleep(i / 20)\n"
               "      os._exit(0)\n"
               "  end = [\"sh\", \"-c\", \"sleep 1 & sleep 2; kill -9 $$\"]\n"
               "  t = threading.Thread(target=os.execvp, args=(end[0], end))\n"
               "  t.start()\n"
               "  t.join()'\n"
               "sleep 7 & kill -STOP $!; sleep 1; kill -CONT $!; sleep 1; kill -9 $!\n"
               "for i in 1 2 3; do true | cat | cat; done\n"
               "wait\n"},
              {}, [&](pid_t root) { return std::make_unique<Compared>(root, counts); });
  EXPECT_TRUE(world.run());
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GT(counts.looks, 100);
}

}  // namespace
}  // namespace sim::guest::test
