#include "sim/guest/process/console/command_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <thread>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/guest_task.h"
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

// The standard output of the process whose standard input is this pipe; empty if there is none.
fs::path output_of_reader(int pipe_end) {
  struct stat pipe {
  }, is{};
  if (fstat(pipe_end, &pipe) != 0) return {};
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc", error)) {
    const fs::path input = process.path() / "fd/0";
    if (stat(input.c_str(), &is) == 0 && is.st_ino == pipe.st_ino && is.st_dev == pipe.st_dev)
      return process.path() / "fd/1";
  }
  return {};
}

// The end of the output to a file or a pipe; empty if it cannot be read. A pipe's reader may have
// copied the output, or its first part, to the console or to its own output: dash writes a message
// in parts.
std::string written_to(const fs::path& output, const fs::path& console, int readers = 4) {
  const mode_t kind = kind_of(output);
  if (kind != S_IFREG && kind != S_IFIFO) return {};
  const base::FileDescriptor file(open(output.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return {};
  if (kind == S_IFREG) return end_of_file(file.get());
  const std::string copied =
      written_to(console, console, 0) +
      (readers > 0 ? written_to(output_of_reader(file.get()), console, readers - 1) : "");
  return copied + waiting_in_pipe(file.get());
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
                          std::chrono::milliseconds longest_wait) {
  if (status == kGitFailed && !is_git_clone(command_of(tid))) return {};
  const fs::path output = "/proc/" + std::to_string(tid) + "/fd/2";
  std::string message = last_message(written_to(output, console), status);
  constexpr std::chrono::milliseconds kPause{1};
  for (auto left = longest_wait;
       message.empty() && left > left.zero() && kind_of(output) == S_IFIFO; left -= kPause) {
    std::this_thread::sleep_for(kPause);
    message = last_message(written_to(output, console), status);
  }
  // A line may hold any bytes; the log holds printable ones.
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  if (message.size() > kLongestError) message.resize(kLongestError);
  return message;
}

}  // namespace sim::guest
