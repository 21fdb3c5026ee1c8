#include "policies/checkpoint/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/process.h"

namespace policies {
namespace {

constexpr int kPatience = 10'000;  // milliseconds
constexpr std::size_t kLongestLine = 64 << 10;

// Sockets rather than pipes: MSG_NOSIGNAL needs no change of the process's signals.
std::array<base::FileDescriptor, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::invalid_argument(std::string("no socket pair: ") + std::strerror(errno));
  }
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

bool ready(int fd, short events) {
  pollfd one{.fd = fd, .events = events, .revents = 0};
  int count = 0;
  do {
    count = poll(&one, 1, kPatience);
  } while (count < 0 && errno == EINTR);
  return count > 0;
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  if (command.empty()) throw std::invalid_argument("expected a program, found nothing");
  program_ = command.front();
  auto [ours, theirs] = socket_pair();
  try {
    // A signal to the trainer's group must not end it: a notice is when its answer counts most.
    pid_ = base::start_process({.argv = command, .input = theirs.get(), .output = theirs.get()});
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(error.what());
  }
  socket_ = std::move(ours);
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
    if (waitpid(pid_, &status, WNOHANG) != 0) {
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

void Child::fail(std::string_view why) const {
  throw PolicyFailed("policy program " + program_ + " " + std::string(why));
}

std::string Child::exchange(const std::string& line) {
  tell(line);
  return receive();
}

void Child::tell(const std::string& line) { send(line + "\n"); }

void Child::send(const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    if (!ready(socket_.get(), POLLOUT)) fail("does not read its input");
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
    if (!ready(socket_.get(), POLLIN)) fail("did not answer within ten seconds");
    std::array<char, 4096> bytes;
    const ssize_t count = recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) fail_at_end();
    if (count > 0) received_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace policies
