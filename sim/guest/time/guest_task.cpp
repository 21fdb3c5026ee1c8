#include "sim/guest/time/guest_task.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace sim::guest {
namespace {

std::string read_status(const std::string& proc) {
  const base::FileDescriptor file(open((proc + "/status").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return {};
  char text[4096];
  const ssize_t n = read(file.get(), text, sizeof text);
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : std::string();
}

// The text after "Key:\t" up to the end of the line.
std::string_view field(std::string_view status, std::string_view key) {
  const std::string start = "\n" + std::string(key) + ":\t";
  const auto at = status.find(start);
  if (at == std::string_view::npos) return {};
  const auto first = at + start.size();
  return status.substr(first, status.find('\n', first) - first);
}

std::uint64_t signal_set(std::string_view status, std::string_view key) {
  const std::string_view text = field(status, key);
  std::uint64_t set = 0;
  std::from_chars(text.data(), text.data() + text.size(), set, 16);
  return set;
}

constexpr std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }
constexpr std::uint64_t kIgnoredByDefault =
    bit(SIGCHLD) | bit(SIGURG) | bit(SIGWINCH) | bit(SIGCONT);

}  // namespace

bool read_memory(pid_t tid, std::uint64_t address, void* to, std::size_t bytes) {
  const iovec local{to, bytes}, remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(tid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

bool write_memory(pid_t tid, std::uint64_t address, const void* from, std::size_t bytes) {
  const iovec local{const_cast<void*>(from), bytes},
      remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_writev(tid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

std::optional<std::string> read_path(pid_t tid, std::uint64_t address) {
  constexpr std::uint64_t page = 4096;  // the path may end just before an unmapped page
  std::string path;
  while (path.size() < PATH_MAX) {
    char part[page];
    const std::uint64_t from = address + path.size();
    const std::size_t n = page - from % page;
    if (!read_memory(tid, from, part, n)) return {};
    const auto* end = static_cast<const char*>(std::memchr(part, 0, n));
    path.append(part, end != nullptr ? static_cast<std::size_t>(end - part) : n);
    if (end != nullptr) return path;
  }
  return {};
}

pid_t process_of(pid_t tid) {
  // Opening a pidfd of a thread that does not lead its process fails, so this is the quick way for
  // most.
  if (const base::FileDescriptor leader = open_process(tid); leader) return tid;
  const std::string status = read_status("/proc/" + std::to_string(tid));
  const std::string_view text = field(status, "Tgid");
  pid_t process = tid;
  std::from_chars(text.data(), text.data() + text.size(), process);
  return process;
}

std::optional<pid_t> task_in_namespace(pid_t process, pid_t inner_tid) {
  const std::string folder = "/proc/" + std::to_string(process) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
  if (!listing) return {};
  while (const dirent* entry = readdir(listing.get())) {
    if (entry->d_name[0] == '.') continue;
    const std::string status = read_status(folder + "/" + entry->d_name);
    const std::string_view tids = field(status, "NSpid");  // outermost first
    const std::string_view inner = tids.substr(tids.rfind('\t') + 1);
    if (inner == std::to_string(inner_tid)) return std::atoi(entry->d_name);
  }
  return {};
}

pid_t number_in_namespace(pid_t tid) {
  const std::string status = read_status("/proc/" + std::to_string(tid));
  const std::string_view numbers = field(status, "NStgid");  // outermost first
  return std::atoi(std::string(numbers.substr(numbers.rfind('\t') + 1)).c_str());
}

std::string command_of(pid_t tid) {
  constexpr std::size_t longest = 80;
  const std::string name = "/proc/" + std::to_string(tid) + "/cmdline";
  const base::FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
  char text[longest];
  const ssize_t n = file ? read(file.get(), text, sizeof text) : 0;
  std::string command(text, n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::ranges::replace_if(
      command, [](unsigned char c) { return c < ' ' || c > '~'; }, ' ');
  return command;
}

base::FileDescriptor open_process(pid_t process) {
  return base::FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
}

base::FileDescriptor duplicate(int pidfd, int descriptor) {
  return base::FileDescriptor(static_cast<int>(syscall(SYS_pidfd_getfd, pidfd, descriptor, 0)));
}

std::uint64_t pending_signals(pid_t tid) {
  const std::string status = read_status("/proc/" + std::to_string(tid));
  return signal_set(status, "SigPnd") | signal_set(status, "ShdPnd");
}

std::uint64_t deliverable_signals(pid_t tid, std::uint64_t mask) {
  const std::string status = read_status("/proc/" + std::to_string(tid));
  const std::uint64_t pending = signal_set(status, "SigPnd") | signal_set(status, "ShdPnd");
  const std::uint64_t acts = signal_set(status, "SigCgt") | ~kIgnoredByDefault;
  return pending & ~mask & ~signal_set(status, "SigIgn") & acts;
}

}  // namespace sim::guest
