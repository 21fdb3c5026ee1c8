#include "sim/guest/process/console/command_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>

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

std::string end_of_file(int file, off_t size) {
  std::string text(kMostRead, '\0');
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
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

// The end of the output to a descriptor; empty if it cannot be read.
std::string written_to(const fs::path& descriptor, const fs::path& console) {
  struct stat is {};
  if (stat(descriptor.c_str(), &is) != 0 || S_ISCHR(is.st_mode) || S_ISSOCK(is.st_mode)) return {};
  const base::FileDescriptor file(open(descriptor.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return {};
  if (S_ISREG(is.st_mode)) return end_of_file(file.get(), is.st_size);
  // dash writes a message in parts: the pipe's reader may have copied the first ones.
  return written_to(console, console) + waiting_in_pipe(file.get());
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

std::string command_error(pid_t tid, int status, const fs::path& console) {
  const fs::path task = "/proc/" + std::to_string(tid);
  if (status == kGitFailed && !is_git_clone(command_of(tid))) return {};
  std::string message = last_message(written_to(task / "fd/2", console), status);
  // A line may hold any bytes; the log holds printable ones.
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  if (message.size() > kLongestError) message.resize(kLongestError);
  return message;
}

}  // namespace sim::guest
