#include "sim/guest/sandbox/sandbox.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"
#include "sim/guest/time/seccomp_filter.h"

namespace sim::guest {
namespace {

using Kind = SandboxMessage::Kind;

// Without waiting for what does not come.
SandboxMessage next_message(Sandbox& sandbox) {
  constexpr int kMost = 10'000;  // ms
  pollfd told{sandbox.messages(), POLLIN, 0};
  EXPECT_EQ(poll(&told, 1, kMost), 1) << "its init tells nothing";
  return sandbox.receive().value_or(SandboxMessage{Kind::kGone});
}

TEST(StartedAgain, IgnoresReportsFromBeforeTheRestart) {
  const base::FolderForTest folder;
  SandboxSpec spec;
  spec.root.level = Level::kPlain;
  spec.job_events = folder / "job-events";
  spec.program = [](const auto&, const Reboot* reboot) { return reboot ? 4 : 3; };
  Sandbox sandbox = Sandbox::start(spec);
  const auto ends_with = [&](int status) {
    const SandboxMessage exited = next_message(sandbox);
    EXPECT_EQ(exited.kind, Kind::kFirstExited);
    EXPECT_EQ(exited.status, status);
    EXPECT_EQ(next_message(sandbox).kind, Kind::kEmpty);
  };
  ends_with(3);
  kill(sandbox.init(), SIGRTMIN + 5);  // "reboot"
  pollfd told{sandbox.messages(), POLLIN, 0};
  ASSERT_EQ(poll(&told, 1, 10'000), 1);
  ASSERT_TRUE(sandbox.start_again({}));
  ends_with(4);
}

std::string line_of(const std::string& file, const std::string& begin) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begin)) return line;
  return "no " + begin;
}

TEST(Init, HasAFilterAndNoDescriptorsOfTheCallers) {
  if (const auto why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  const base::FolderForTest folder;
  SandboxSpec spec;
  spec.root.scratch = folder / "root";
  spec.root.hostname = "test";
  std::filesystem::create_directory(spec.root.scratch);
  spec.program = [](const auto&, const Reboot*) { return 0; };
  const Sandbox sandbox = Sandbox::start(spec);
  const std::string init = "/proc/" + std::to_string(sandbox.init());
  EXPECT_EQ(line_of(init + "/status", "Seccomp:"), "Seccomp:\t2");
  for (const char* descriptor : {"0", "1", "2"})
    EXPECT_EQ(std::filesystem::read_symlink(init + "/fd/" + descriptor).filename(), "null");
  EXPECT_EQ(base::read_file(init + "/environ").value_or("").find_first_not_of('\0'),
            std::string::npos);
}

TEST(InitFilter, DeniesWithoutASupervisorWhatTheOtherFilterHandsOver) {
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || install_init_filter() != 0) _exit(2);
    _exit(syscall(SYS_keyctl, -1) == -1 && errno == ENOSYS ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace sim::guest
