#include "sim/guest/process/console/command_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"
#include "sim/guest/time/guest_task.h"
#include "sim/guest/time/real_clock.h"
#include "sim/guest/time/reported_exits.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRead = 4096, kLongestError = 200;

// "git clone …", "/usr/bin/git -C folder clone …"
bool is_git_clone(std::string_view command) {
  const std::string_view program = command.substr(0, command.find(' '));
  return (program == "git" || program.ends_with("/git")) && command.find(" clone ") != command.npos;
}

std::string end_of_file(int file) {
  std::string text(kMostRead, '\0');
  const off_t from = std::max<off_t>(0, lseek(file, 0, SEEK_END) - static_cast<off_t>(kMostRead));
  const ssize_t n = pread(file, text.data(), text.size(), from);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

// Copies the bytes of a pipe that no process has read yet. The pipe keeps them.
std::string waiting_in_pipe(int pipe_end) {
  int copy[2];
  if (pipe2(copy, O_CLOEXEC | O_NONBLOCK) != 0) return {};
  const base::FileDescriptor from(copy[0]), to(copy[1]);
  constexpr std::size_t kPipe = 65536;
  std::string text(kPipe, '\0');
  ssize_t n = tee(pipe_end, to.get(), text.size(), SPLICE_F_NONBLOCK);
  if (n > 0) n = read(from.get(), text.data(), text.size());
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

// The kind of file behind a path (S_IFREG, S_IFIFO); 0 if there is none.
mode_t kind_of(const fs::path& path) {
  struct stat is {};
  return stat(path.c_str(), &is) == 0 ? is.st_mode & S_IFMT : 0;
}

// The folder in /proc of the process whose standard input is this pipe; empty if there is none.
fs::path reader_of(const fs::path& pipe) {
  struct stat wanted {};
  struct stat is {};
  if (kind_of(pipe) != S_IFIFO || stat(pipe.c_str(), &wanted) != 0) return {};
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc", error)) {
    const fs::path input = process.path() / "fd/0";
    if (stat(input.c_str(), &is) == 0 && is.st_ino == wanted.st_ino && is.st_dev == wanted.st_dev)
      return process.path();
  }
  return {};
}

// The reader of a pipe, the reader of that process's output, and so on.
std::vector<fs::path> readers_from(fs::path output) {
  constexpr std::size_t kMost = 4;
  std::vector<fs::path> readers;
  while (readers.size() < kMost) {
    const fs::path reader = reader_of(output);
    if (reader.empty()) break;
    readers.push_back(reader);
    output = reader / "fd/1";
  }
  return readers;
}

// Whether a process waits for its standard input. If it does not, it may have read a message and
// not yet written it. proc(5): /proc/PID/syscall has the call's number and its first argument.
bool waits_for_input(const fs::path& process) {
  const auto call = base::read_file(process / "syscall");
  return !call || call->starts_with(std::to_string(SYS_read) + " 0x0 ");
}

// The end of what was written to a file or a pipe; empty if it cannot be read.
std::string text_in(const fs::path& output) {
  const mode_t kind = kind_of(output);
  if (kind != S_IFREG && kind != S_IFIFO) return {};
  const base::FileDescriptor file(open(output.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return {};
  return kind == S_IFREG ? end_of_file(file.get()) : waiting_in_pipe(file.get());
}

// The text of a task's standard error that can still be found. dash writes a message in parts, so a
// pipe may have the newest part only. The last reader of the pipe has older text, and the console
// the oldest.
std::string written_to(const fs::path& error_output, const std::vector<fs::path>& readers,
                       const fs::path& console) {
  std::string text = kind_of(error_output) == S_IFIFO ? text_in(console) : "";
  for (const fs::path& reader : readers | std::views::reverse) text += text_in(reader / "fd/1");
  return text + text_in(error_output);
}

bool is_message(std::string_view line, int status) {
  if (status == kGitFailed) return line.find("fatal: ") != line.npos;
  static constexpr std::array<std::string_view, 2> kEnds{"not found", "No such file or directory"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return line.ends_with(end); });
}

// A shell's message is its last line. Git may explain its own in more lines.
std::string last_message(const std::string& text, int status) {
  std::string message, last;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string line(part.begin(), part.end());
    if (line.empty()) continue;
    last = line;
    if (is_message(line, status)) message = line;
  }
  return status == kGitFailed || last == message ? message : "";
}

}  // namespace

std::string command_error(pid_t tid, int status, const fs::path& console,
                          std::optional<std::chrono::milliseconds> longest_wait) {
  if (status == kGitFailed && !is_git_clone(command_of(tid))) return {};
  const fs::path error_output = "/proc/" + std::to_string(tid) + "/fd/2";
  std::vector<fs::path> readers;
  if (longest_wait) {
    readers = readers_from(error_output);
    wait_for_kernel([&] { return std::ranges::all_of(readers, waits_for_input); }, *longest_wait);
  }
  std::string message = last_message(written_to(error_output, readers, console), status);
  // A line may hold any bytes; the log holds printable ones.
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  if (message.size() > kLongestError) message.resize(kLongestError);
  return message;
}

}  // namespace sim::guest
