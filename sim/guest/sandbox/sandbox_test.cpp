#include "sim/guest/sandbox/sandbox.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include "base/folder_for_test.h"

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

TEST(StartedAgain, DoesNotHeedWhatItsInitTellsOfTheTimeBefore) {
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

}  // namespace
}  // namespace sim::guest
