#include "policies/checkpoint/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/process/process.h"

namespace policies {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kPatience = 10s;
constexpr std::size_t kRemembered = 4096;  // bytes of stderr
constexpr std::size_t kLongestLine = 64 << 10;

// Sockets rather than pipes: MSG_NOSIGNAL needs no change of the process's signals.
std::array<base::FileDescriptor, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::invalid_argument(std::string("no socket pair: ") + std::strerror(errno));
  }
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

std::array<base::FileDescriptor, 2> error_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::invalid_argument(std::string("no pipe: ") + std::strerror(errno));
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

// What a user can do about a program that the system does not start.
std::string remedy(const std::string& program) {
  if (program.find('/') == std::string::npos)
    return " (not on PATH; a program in a folder has a slash in its name, such as ./" + program +
           ")";
  if (access(program.c_str(), F_OK) != 0) return "";
  if (access(program.c_str(), X_OK) != 0) return " (chmod +x makes it executable)";
  std::string head(2, '\0');
  std::ifstream(program).read(head.data(), 2);
  return head == "#!" ? " (its first line names an interpreter that is not there)"
                      : " (a script's first line names its interpreter: #!/usr/bin/env python3)";
}

// The last line that is not empty.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  if (command.empty()) throw std::invalid_argument("expected a program, found nothing");
  program_ = command.front();
  auto [ours, theirs] = socket_pair();
  auto [heard, errors] = error_pipe();
  try {
    // A signal to the trainer's group must not end it: a notice is when its answer counts most.
    pid_ = base::start_process(
        {.argv = command, .input = theirs.get(), .output = theirs.get(), .errors = errors.get()});
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(error.what() + remedy(program_));
  }
  socket_ = std::move(ours);
  errors_ = std::move(heard);
}

Child::~Child() {
  socket_ = {};
  if (pid_ < 0 || end()) return;
  kill(pid_, SIGKILL);
  base::wait_for_end(pid_);
}

std::optional<int> Child::end() {
  for (int waited = 0; waited < 1000; waited += 10) {
    int status = 0;
    const bool over = waitpid(pid_, &status, WNOHANG) != 0;
    pass_on_errors();
    if (over) {
      pid_ = -1;
      return status;
    }
    poll(nullptr, 0, 10);
  }
  return {};
}

void Child::fail_at_end() {
  const auto status = pid_ < 0 ? std::nullopt : end();
  fail(status ? "has ended with exit status " + std::to_string(base::exit_status(*status))
              : "has ended");
}

void Child::fail(std::string_view why) {
  pass_on_errors();
  const std::string last = last_line(said_);
  throw PolicyFailed("policy program " + program_ + " " + std::string(why) +
                     (last.empty() ? "" : ", its last words: " + last));
}

bool Child::ready(short events) {
  using Clock = std::chrono::steady_clock;
  std::chrono::milliseconds left = kPatience;
  // In a guest each clock read costs virtual time, so only output of the program leads to one.
  std::optional<Clock::time_point> latest;
  for (;;) {
    std::array<pollfd, 2> both{pollfd{.fd = socket_.get(), .events = events, .revents = 0},
                               pollfd{.fd = errors_.get(), .events = POLLIN, .revents = 0}};
    const int count = poll(both.data(), both.size(), static_cast<int>(left.count()));
    if (count > 0 && both[1].revents != 0) pass_on_errors();
    if (count > 0 && both[0].revents != 0) return true;
    if (count == 0) return false;
    if (!latest) latest = Clock::now() + kPatience;
    left = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(*latest - Clock::now()),
                    0ms);
  }
}

void Child::pass_on_errors() {
  std::array<char, 4096> bytes;
  while (errors_.get() >= 0) {
    const ssize_t count = read(errors_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errors_ = {};  // closed: poll would always report it
    if (count <= 0) return;
    const std::string_view text(bytes.data(), static_cast<std::size_t>(count));
    std::fwrite(text.data(), 1, text.size(), stderr);
    said_.append(text);
    if (said_.size() > kRemembered) said_.erase(0, said_.size() - kRemembered);
  }
}

std::string Child::exchange(const std::string& line) {
  tell(line);
  return receive();
}

void Child::tell(const std::string& line) { send(line + "\n"); }

void Child::send(const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    if (!ready(POLLOUT)) fail("does not read its input");
    const ssize_t count =
        ::send(socket_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EINTR && errno != EAGAIN) fail_at_end();
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
}

std::string Child::receive() {
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      const std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (received_.size() > kLongestLine) fail("answered a line of more than 64 KiB");
    if (!ready(POLLIN)) fail("did not answer within ten seconds");
    std::array<char, 4096> bytes;
    const ssize_t count = recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) fail_at_end();
    if (count > 0) received_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace policies
