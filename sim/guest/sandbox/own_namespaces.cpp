#include "sim/guest/sandbox/own_namespaces.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"
#include "sim/guest/sandbox/kernel_settings.h"
#include "sim/guest/sandbox/mounting.h"

namespace sim::guest {
namespace {

void write_process_file(const std::string& name, const std::string& text) {
  const std::string file = "/proc/1/" + name;
  const base::FileDescriptor out(
      base::checked(open(file.c_str(), O_WRONLY | O_CLOEXEC), "opening " + file));
  base::checked(write(out.get(), text.data(), text.size()), "writing " + file);
}

// "0 1000 1", what this process's own namespace maps, becomes "0 0 1": each ID is itself.
std::string identity_of(const std::string& map) {
  std::ifstream in(map);
  std::string out;
  for (std::uint64_t inside, outside, count; in >> inside >> outside >> count;)
    out +=
        std::to_string(inside) + " " + std::to_string(inside) + " " + std::to_string(count) + "\n";
  return out;
}

// A remaining process with rights over everything that process 1 leaves. Returns 0 or the errno.
int see_off(int news) {
  char left = 0;
  if (read(news, &left, 1) != 1) return ECANCELED;
  try {
    write_process_file("uid_map", identity_of("/proc/self/uid_map"));
    write_process_file("gid_map", identity_of("/proc/self/gid_map"));
    cover_init();
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value();
  }
}

// Limits that root of a real machine may raise; here the kernel would ask for rights over the host.
void raise_hard_limits() {
  std::ifstream in("/proc/sys/fs/nr_open");
  rlim_t files = 1024 * 1024;
  in >> files;
  for (int limit = 0; limit < RLIM_NLIMITS; ++limit) {
    if (limit == RLIMIT_RTPRIO) continue;  // the lockstep's
    rlimit now{};
    const auto which = static_cast<__rlimit_resource>(limit);
    if (getrlimit(which, &now) != 0) continue;
    now.rlim_max = limit == RLIMIT_NOFILE ? std::max(files, now.rlim_max) : RLIM_INFINITY;
    if (limit == RLIMIT_NICE) now.rlim_max = now.rlim_cur = 40;  // nice -20
    setrlimit(which, &now);                                      // without root it stays as it is
  }
}

}  // namespace

void begin_own_uptime() {
  std::int64_t host = 0;  // whole seconds of the host's uptime
  if (unshare(CLONE_NEWTIME) != 0 || !(std::ifstream("/proc/uptime") >> host)) return;
  std::ofstream("/proc/self/timens_offsets") << "boottime -" << host << " 0\n";
}

void leave_the_host() {
  raise_hard_limits();
  std::array<int, 2> ends{};
  base::checked(pipe2(ends.data(), O_CLOEXEC), "making a pipe");
  const base::FileDescriptor reading(ends[0]);
  base::FileDescriptor writing(ends[1]);
  const pid_t helper = base::checked(fork(), "starting a helper");
  if (helper == 0) {
    writing = {};
    _exit(see_off(reading.get()));
  }
  base::checked(unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC),
                "a user namespace for the guest");
  base::checked(write(writing.get(), "x", 1), "telling the helper");
  int status = 0;
  waitpid(helper, &status, 0);
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
  if (errno != 0) base::throw_errno("mapping the users of the guest's namespace");
  base::checked(unshare(CLONE_NEWNS), "a mount namespace for the guest");
  mount_at("tmpfs", "/run", MS_NOSUID | MS_NODEV, "mode=755");
  std::filesystem::create_directory("/run/lock");
  mount_at("tmpfs", "/tmp", MS_NOSUID | MS_NODEV, "mode=1777");
  mount_at("tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
  cover_shared_network_settings();
}

}  // namespace sim::guest
