#include "sim/guest/time/lockstep.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace sim::guest {
namespace {

// Exit status 0 if `check` holds in a child process.
int status_of(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(LockstepObstacle, NamesWhatTheProcessLacks) {
  EXPECT_EQ(lockstep_obstacle(EPERM, Capability::kNone),
            "this process lacks CAP_SYS_NICE for SCHED_FIFO");
  EXPECT_NE(lockstep_obstacle(EPERM, Capability::kHeld).find("cpu.rt_runtime_us"),
            std::string::npos);
  EXPECT_EQ(lockstep_obstacle(EINVAL, Capability::kHeld),
            "the kernel refuses SCHED_FIFO: Invalid argument");
}

TEST(LockstepObstacle, OfAUserWithoutRightsIsTheCapability) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  EXPECT_EQ(status_of([] {
              constexpr uid_t kNobody = 65534;
              return setuid(kNobody) == 0 &&
                     lockstep_obstacle() == lockstep_obstacle(EPERM, Capability::kNone);
            }),
            0);
}

TEST(LockstepObstacle, OfAUserNamespaceIsNotTheCapability) {
  EXPECT_EQ(status_of([] {
              if (unshare(CLONE_NEWUSER) != 0) return errno == EPERM;
              return lockstep_obstacle() == lockstep_obstacle(EPERM, Capability::kOfUserNamespace);
            }),
            0);
}

// As in a container: cgroups of version 1 give a new group no real-time runtime.
TEST(LockstepObstacle, OfAContainerIsItsCgroup) {
  const std::filesystem::path cpu = "/sys/fs/cgroup/cpu";
  if (!lockstep_permitted()) GTEST_SKIP() << lockstep_obstacle();
  if (!exists(cpu / "cpu.rt_runtime_us"))
    GTEST_SKIP() << "no cgroups of version 1 with real-time runtime";
  const auto group = cpu / ("spotsim-test-" + std::to_string(getpid()));
  std::error_code refused;
  if (!create_directory(group, refused)) GTEST_SKIP() << refused.message();
  EXPECT_EQ(status_of([&] {
              std::ofstream(group / "cgroup.procs") << getpid() << std::flush;
              return lockstep_obstacle() == lockstep_obstacle(EPERM, Capability::kHeld);
            }),
            0);
  std::filesystem::remove(group);
}

}  // namespace
}  // namespace sim::guest
