#include "sim/guest/process/files/run_folder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "base/process/system_call.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void watch(int pipe, const fs::path& folder) {
  setsid();
  prctl(PR_SET_NAME, "spotsim-watch");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  // No process may wait for us at the end of a pipe.
  const int nothing = open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nothing, descriptor);
  if (pipe > 3) close_range(3, static_cast<unsigned>(pipe) - 1, 0);
  close_range(static_cast<unsigned>(pipe) + 1, ~0U, 0);
  static_cast<void>(!chdir("/"));
  pollfd end{pipe, POLLIN, 0};
  while (poll(&end, 1, -1) < 0) {
  }
  std::error_code ignored;
  // A guest that dies at this moment may still write.
  wait_for_kernel([&] {
    fs::remove_all(folder, ignored);
    return !fs::exists(folder, ignored);
  });
  _exit(0);
}

// Forks twice, so that the watchdog is not a child of any process here.
base::FileDescriptor start_watchdog(const fs::path& folder) {
  std::array<int, 2> ends{};
  base::checked(pipe2(ends.data(), O_CLOEXEC), "making a pipe");
  const base::FileDescriptor reading(ends[0]);
  base::FileDescriptor writing(ends[1]);
  const pid_t child = base::checked(fork(), "starting the watchdog");
  if (child == 0) {
    if (fork() == 0) watch(reading.get(), folder);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  return writing;
}

}  // namespace

RunFolder::RunFolder(Level level) {
  std::string pattern = fs::temp_directory_path() / "spotsim-XXXXXX";
  if (!mkdtemp(pattern.data()))
    base::throw_errno("making a folder in " + fs::temp_directory_path().string());
  path_ = pattern;
  alive_ = start_watchdog(path_);
  if (!has_namespaces(level)) return;
  enter(level);
  base::checked(mount("tmpfs", path_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"),
                "mounting a tmpfs at " + path_.string());
  mounted_ = true;
}

RunFolder::~RunFolder() {
  if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  std::error_code ignored;
  fs::remove_all(path_, ignored);  // empty when it was mounted on
}

}  // namespace sim::guest
