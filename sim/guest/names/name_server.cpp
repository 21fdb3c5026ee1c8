#include "sim/guest/names/name_server.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

// Longer messages are no questions: without EDNS the limit is 512 bytes (RFC 1035, 4.2.1).
constexpr std::size_t kLongestMessage = 4096;
constexpr std::ptrdiff_t kMostConnections = 64;  // of a guest; the oldest gives way
constexpr std::size_t kLengthBytes = 2;  // before each message of a stream (RFC 1035, 4.2.2)

std::string with_length(const std::string& message) {
  return {static_cast<char>(message.size() >> 8), static_cast<char>(message.size() & 0xff)};
}

}  // namespace

struct NameServer::Socket {
  std::uint64_t key = 0;
  int token = 0;
  std::shared_ptr<Guest> guest;
  base::FileDescriptor descriptor;
  Read read = nullptr;
  std::string received = {};  // of a stream, not yet a message
};

NameServer::NameServer(Simulation& simulation)
    : simulation_(simulation),
      sockets_(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching the resolver's sockets")) {}
NameServer::~NameServer() = default;

int NameServer::serve(Guest guest) {
  const int token = next_token_++;
  const auto kept = std::make_shared<Guest>(std::move(guest));
  guests_.emplace(token, kept);
  add(token, std::move(kept->datagrams), &NameServer::read_datagrams);
  add(token, std::move(kept->stream), &NameServer::accept);
  return token;
}

void NameServer::close(int token) {
  guests_.erase(token);
  std::erase_if(by_key_, [token](const auto& entry) { return entry.second->token == token; });
}

void NameServer::add(int token, base::FileDescriptor descriptor, Read read) {
  const std::uint64_t key = next_key_++;
  epoll_event heard{.events = EPOLLIN, .data = {.u64 = key}};
  base::checked(epoll_ctl(sockets_.get(), EPOLL_CTL_ADD, descriptor.get(), &heard),
                "watching a resolver's socket");
  by_key_.emplace(key, std::make_shared<Socket>(
                           Socket{key, token, guests_.at(token), std::move(descriptor), read}));
}

bool NameServer::poll() {
  // Room for all descriptors: with a shorter list the kernel would choose which to report.
  std::vector<epoll_event> ready(by_key_.size() + 1);
  const int n = epoll_wait(sockets_.get(), ready.data(), static_cast<int>(ready.size()), 0);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < n; ++i) keys.push_back(ready[static_cast<std::size_t>(i)].data.u64);
  std::ranges::sort(keys);
  bool any = false;
  for (const std::uint64_t key : keys) {
    const auto at = by_key_.find(key);
    if (at == by_key_.end()) continue;
    const std::shared_ptr<Socket> socket = at->second;
    socket->guest->touched();
    any = (this->*socket->read)(*socket) || any;
  }
  return any;
}

void NameServer::later(const Socket& socket, std::function<void(Socket&)> send) {
  simulation_.after(socket.guest->latency, [this, key = socket.key, send = std::move(send)] {
    const auto at = by_key_.find(key);
    if (at == by_key_.end()) return;
    at->second->guest->touched();
    send(*at->second);
  });
}

bool NameServer::read_datagrams(Socket& socket) {
  std::array<char, kLongestMessage> buffer;
  for (bool any = false;; any = true) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t n = recvfrom(socket.descriptor.get(), buffer.data(), buffer.size(), MSG_DONTWAIT,
                               reinterpret_cast<sockaddr*>(&from), &size);
    if (n < 0) return any;
    auto answer =
        answer_message({buffer.data(), static_cast<std::size_t>(n)}, socket.guest->lookup);
    if (!answer) continue;
    later(socket, [from, answer = std::move(*answer)](const Socket& to) {
      // A client that is gone, or does not read, loses its answer, as on any network.
      static_cast<void>(!sendto(to.descriptor.get(), answer.data(), answer.size(), MSG_DONTWAIT,
                                reinterpret_cast<const sockaddr*>(&from), sizeof from));
    });
  }
}

bool NameServer::accept(Socket& socket) {
  close_oldest(socket.token, kMostConnections);
  const int made = accept4(socket.descriptor.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (made < 0) return (errno == EMFILE || errno == ENFILE) && close_oldest(socket.token, 1);
  add(socket.token, base::FileDescriptor(made), &NameServer::read_stream);
  return true;
}

// Closes the oldest connection of a guest that has too many. Answers are fast: the oldest is idle.
bool NameServer::close_oldest(int token, std::ptrdiff_t from) {
  const auto of_guest = [token](const auto& entry) {
    return entry.second->token == token && entry.second->read == &NameServer::read_stream;
  };
  if (std::ranges::count_if(by_key_, of_guest) < from) return false;
  by_key_.erase(std::ranges::find_if(by_key_, of_guest));
  return true;
}

bool NameServer::read_stream(Socket& socket) {
  std::array<char, kLongestMessage> buffer;
  const ssize_t n = recv(socket.descriptor.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {
    by_key_.erase(socket.key);
    return true;
  }
  std::string& received = socket.received.append(buffer.data(), static_cast<std::size_t>(n));
  while (received.size() >= kLengthBytes) {
    const std::size_t length =
        static_cast<std::uint8_t>(received[0]) << 8 | static_cast<std::uint8_t>(received[1]);
    if (received.size() - kLengthBytes < length) return true;
    const auto answer = answer_message(received.substr(kLengthBytes, length), socket.guest->lookup);
    received.erase(0, kLengthBytes + length);
    if (!answer) continue;
    later(socket, [answer = with_length(*answer) + *answer](const Socket& to) {
      static_cast<void>(
          !send(to.descriptor.get(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
    });
  }
  return true;
}

}  // namespace sim::guest
