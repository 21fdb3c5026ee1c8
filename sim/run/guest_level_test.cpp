#include "sim/run/guest_level.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "sim/run/run.h"

namespace sim::run {
namespace {

using guest::Level;

scenario::Scenario with_level(const std::string& level) {
  scenario::Scenario scenario;
  scenario.file = "job.yaml";
  scenario.guest.level = level;
  return scenario;
}

// The message or the level of level_for().
std::string answer(const scenario::Scenario& scenario, std::optional<Level> asked = {}) {
  try {
    return std::string(guest::name(level_for(scenario, asked).level));
  } catch (const RunError& error) {
    return error.what();
  }
}

// Runs the check in a child process after `change`. The test skips if `change` returns false.
void expect_in_child(const std::function<bool()>& change, const scenario::Scenario& scenario,
                     const std::string& part) {
  const pid_t child = fork();
  if (child == 0) {
    if (!change()) _exit(77);
    const std::string found = answer(scenario);
    EXPECT_NE(found.find(part), std::string::npos) << found;
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "not permitted here";
  EXPECT_EQ(status, 0);
}

TEST(GuestLevel, IsPlainOnlyIfTheCommandLineRequestsIt) {
  const std::string refused = answer(with_level("plain"));
  EXPECT_TRUE(
      refused.starts_with("job.yaml: guest.level: found plain, expected the option "
                          "`--level plain`, too: "))
      << refused;
  EXPECT_EQ(answer(with_level("plain"), Level::kPlain), "plain");
  EXPECT_EQ(answer(scenario::Scenario{}, Level::kPlain), "plain");
}

TEST(GuestLevel, IsNotPlainWhereThereIsNoSandbox) {
  const auto forbid = [] {
    if (unshare(CLONE_NEWUSER) != 0) return false;
    std::ofstream most("/proc/sys/user/max_user_namespaces");
    return static_cast<bool>(most << "0" << std::flush);
  };
  expect_in_child(forbid, {}, "guest.level: auto: this machine permits no sandbox (root: ");
  expect_in_child(forbid, {}, "docker run --privileged");
}

TEST(GuestLevel, DoesNotTakeAMissingFolderOrTooFewFilesForMissingRights) {
  const auto no_folder = [] { return setenv("TMPDIR", "/no/such", 1) == 0; };
  expect_in_child(no_folder, {}, "TMPDIR: found /no/such, expected a folder that exists");
  const auto few_files = [] {
    const rlimit few{20, 20};
    return setrlimit(RLIMIT_NOFILE, &few) == 0;
  };
  expect_in_child(few_files, {}, "raise `ulimit -Hn`");
}

}  // namespace
}  // namespace sim::run
