#include "sim/guest/time/tasks.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/whole_file.h"

namespace sim::guest {
namespace {

// This task's, from the state on: the kernel's own layout.
std::string own_stat() {
  const std::string all = base::read_file("/proc/self/stat").value_or("");
  return all.substr(all.rfind(')') + 2);
}

// The kernel's report of a task that lost its CPU on its way to sleep; no real task can be made to
// do that.
TEST(Tasks, ThatSeemToSleepWithoutAPlaceToWaitForACpu) {
  const std::string stat = own_stat();
  EXPECT_TRUE(waits_for_a_cpu(stat, "0", true));
  EXPECT_FALSE(waits_for_a_cpu(stat, "do_nanosleep", true));
  EXPECT_FALSE(waits_for_a_cpu(stat, "", true)) << "the task is gone, or there is no such file";
}

TEST(Tasks, AreTrustedWhereTheKernelHidesWhereTheyWait) {
  EXPECT_FALSE(waits_for_a_cpu(own_stat(), "0", false)) << "no task has had another yet";
  std::string hidden = "S";
  for (int field = 4; field <= 52; ++field) hidden += field >= 26 && field <= 30 ? " 1" : " 7";
  EXPECT_FALSE(waits_for_a_cpu(hidden, "0", true)) << "another user's";
  EXPECT_FALSE(waits_for_a_cpu("S 1 1", "0", true));
}

TEST(Tasks, ThatWaitAreAsleep) {
  const pid_t child = fork();
  if (child == 0)
    for (;;) pause();
  const auto tasks = descendants_of(child);
  std::vector<TaskState> seen;
  while (seen.clear(), !tasks->look(Look::kEveryTask, seen)) {
  }  // until it exists
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].tid, child);
  EXPECT_EQ(seen[0].state, 'S');
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace sim::guest
