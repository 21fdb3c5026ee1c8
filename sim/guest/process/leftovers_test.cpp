// Nothing remains after the process that owns the guests has ended, however it ends.
#include <fcntl.h>
#include <signal.h>

#include <fstream>
#include <set>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Everything that a run with the temporary folder `home` could leave on the host's disks.
std::set<std::string> traces(const fs::path& home) {
  std::set<std::string> out;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(home)) out.insert(entry.path());
  for (const auto& entry : fs::directory_iterator("/sys/block", gone)) {
    std::ifstream in(entry.path() / "loop/backing_file");
    std::string file;
    if (std::getline(in, file) && file.find(home.string()) != std::string::npos) out.insert(file);
  }
  return out;
}

// Owns a world with a running guest and a volume, reports when both exist, and then waits for its
// end. Without an owner the sleep fails, and the guest computes forever.
void own_a_guest(Level level, int ready) {
  test::HostWorld w(level, level == Level::kRoot && lockstep_permitted());
  const auto volume = w.new_volume();
  const auto id = w.launch("(trap '' TERM HUP INT; sleep 100000 || while :; do :; done) & wait\n");
  w.wait(id, cloud::InstanceState::kRunning);
  w.wait(volume, cloud::VolumeState::kAvailable);
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  const Time later = w.simulation.now() + 500s;
  w.simulation.at(later, [] {});
  w.host.run([&] { return w.simulation.now() >= later; });
  fs::remove_all(w.output);
  static_cast<void>(!write(ready, "x", 1));
  pause();
}

// Reaps children. Returns true if no process is left below this one.
bool no_descendants() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
}

void expect_nothing_after(Level level, int signal) {
  const fs::path home = test::HostWorld::make_folder();
  fs::permissions(home, fs::perms(0777));
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans of the owner become our children
  int ready[2];
  ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ready[0]);
    setenv("TMPDIR", home.c_str(), 1);
    if (level != Level::kRoot && geteuid() == 0 && (setgid(65534) || setuid(65534))) _exit(2);
    prctl(PR_SET_DUMPABLE, 1);
    own_a_guest(level, ready[1]);
    _exit(0);
  }
  close(ready[1]);
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1) << "the guest did not start";
  close(ready[0]);
  EXPECT_FALSE(traces(home).empty());
  kill(child, signal);
  EXPECT_TRUE(wait_for_kernel(no_descendants)) << "processes are left";
  EXPECT_TRUE(wait_for_kernel([&] { return traces(home).empty(); }))
      << testing::PrintToString(traces(home));
  fs::remove_all(home);
}

TEST(Leftovers, NoneOfARootGuestWhenItsOwnerIsKilled) {
  if (const auto why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  expect_nothing_after(Level::kRoot, SIGKILL);
  expect_nothing_after(Level::kRoot, SIGINT);
}

TEST(Leftovers, NoneOfAGuestInUserNamespacesWhenItsOwnerIsKilled) {
  if (const auto why = obstacle(Level::kUserNamespaces); !why.empty()) GTEST_SKIP() << why;
  expect_nothing_after(Level::kUserNamespaces, SIGKILL);
}

TEST(Leftovers, NoneOfAPlainGuestWhenItsOwnerIsKilled) {
  expect_nothing_after(Level::kPlain, SIGKILL);
}

}  // namespace
}  // namespace sim::guest
