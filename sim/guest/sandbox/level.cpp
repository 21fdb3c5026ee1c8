#include "sim/guest/sandbox/level.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/process/system_call.h"
#include "sim/guest/sandbox/descriptor_passing.h"
#include "sim/guest/sandbox/sandbox.h"

namespace sim::guest {
namespace {

void write_text(const char* file, const std::string& text) {
  const base::FileDescriptor out(
      base::checked(open(file, O_WRONLY | O_CLOEXEC), std::string("opening ") + file));
  base::checked(write(out.get(), text.data(), text.size()), std::string("writing ") + file);
}

// Maps this user to root in a new user namespace. Once: a process that makes one run after the
// other would nest them, and the kernel has a limit for that.
void enter_user_namespace() {
  static bool entered = false;
  if (std::exchange(entered, true)) return;
  const uid_t user = geteuid();
  const gid_t group = getegid();
  base::checked(unshare(CLONE_NEWUSER), "a new user namespace");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
  write_text("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
}

std::string try_loop_device() {
  const base::FileDescriptor control(open("/dev/loop-control", O_RDWR | O_CLOEXEC));
  if (!control || ioctl(control.get(), LOOP_CTL_GET_FREE) < 0)
    return std::string("loop devices: ") + strerror(errno);
  return {};
}

// In a child: what stands against the level.
std::string try_level(Level level) {
  if (level == Level::kRoot && geteuid() != 0) return "not root";
  try {
    enter(level);
    // Any folder that exists will do to mount on: only this child sees it.
    const std::string scratch = std::filesystem::temp_directory_path();
    std::string why = try_sandbox({.level = level, .scratch = scratch, .hostname = "probe"});
    if (why.empty() && level == Level::kRoot) why = try_loop_device();
    return why;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::string_view name(Level level) {
  switch (level) {
    case Level::kRoot:
      return "root";
    case Level::kUserNamespaces:
      return "user-namespaces";
    case Level::kPlain:
      return "plain";
  }
  return "";
}

std::string_view lacks(Level level) {
  switch (level) {
    case Level::kRoot:
      return "";
    case Level::kUserNamespaces:
      return "volumes are folders and no block devices; a hard kill keeps unsynced data; all "
             "users of a guest are one, so sudo gives and takes no rights, and what a real "
             "instance would deny a user (\"Permission denied\") is not seen";
    case Level::kPlain:
      return "no isolation: guests see this machine's own files and users; spotrun finds "
             "volumes below SPOTRUN_ROOT, but scripts that look for /dev/xvd* or call mount fail; "
             "a hard kill keeps unsynced data";
  }
  return "";
}

void enter(Level level) {
  if (!has_namespaces(level)) return;
  if (level == Level::kUserNamespaces) enter_user_namespace();
  base::checked(unshare(CLONE_NEWNS), "a new mount namespace");
  base::checked(mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr), "separating the mounts");
}

std::string obstacle(Level level) {
  if (!has_namespaces(level)) return {};
  std::array<int, 2> ends{};
  base::checked(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()),
                "making a socket pair");
  const base::FileDescriptor ours(ends[0]);
  base::FileDescriptor theirs(ends[1]);
  const pid_t child = base::checked(fork(), "starting a probe");
  if (child == 0) {
    const std::string why = try_level(level);
    send_packet(theirs.get(), why.empty() ? "ok" : why, {});
    _exit(0);
  }
  theirs = {};
  const std::string text = receive_packet(ours.get()).text;
  waitpid(child, nullptr, 0);
  return text == "ok" ? "" : text.empty() ? "the probe died" : text;
}

Level best_level(std::string& why) {
  why.clear();
  for (const Level level : {Level::kRoot, Level::kUserNamespaces}) {
    const std::string against = obstacle(level);
    if (against.empty()) return level;
    why += (why.empty() ? "" : "; ") + std::string(name(level)) + ": " + against;
  }
  return Level::kPlain;
}

}  // namespace sim::guest
