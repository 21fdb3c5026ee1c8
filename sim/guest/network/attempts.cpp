// From a guest's connect(2) until its end and the target's have met, or will not.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/process/system_call.h"
#include "sim/guest/network/network_state.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

// Linux repeats a SYN after these times, and then fails the connection (tcp_syn_retries = 6).
constexpr std::array<std::chrono::seconds, 6> kSynAgain{
    std::chrono::seconds{1},  std::chrono::seconds{3},  std::chrono::seconds{7},
    std::chrono::seconds{15}, std::chrono::seconds{31}, std::chrono::seconds{63}};
constexpr std::chrono::seconds kSynGivenUp{127};

template <class T>
T socket_option(int socket, int level, int option) {
  T value{};
  socklen_t size = sizeof value;
  getsockopt(socket, level, option, &value, &size);
  return value;
}

bool is_fresh_tcp(int socket) {
  return socket_option<int>(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP &&
         socket_option<tcp_info>(socket, IPPROTO_TCP, TCP_INFO).tcpi_state == TCP_CLOSE;
}

constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

// The IPv4 address of a socket address, also of an IPv6 socket that uses IPv4 (Java's); else empty.
std::optional<sockaddr_in> ipv4_of(const sockaddr_storage& address, socklen_t size) {
  sockaddr_in out{};
  if (address.ss_family == AF_INET && size >= sizeof out) {
    std::memcpy(&out, &address, sizeof out);
    return out;
  }
  sockaddr_in6 six{};
  if (address.ss_family != AF_INET6 || size < sizeof six) return {};
  std::memcpy(&six, &address, sizeof six);
  if (!std::equal(kMapped.begin(), kMapped.end(), six.sin6_addr.s6_addr)) return {};
  out.sin_family = AF_INET;
  out.sin_port = six.sin6_port;
  std::memcpy(&out.sin_addr, six.sin6_addr.s6_addr + kMapped.size(), sizeof out.sin_addr);
  return out;
}

int bind_to(int socket, in_addr address, std::uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr = address;
  at.sin_port = htons(port);
  return bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at);
}

int bind_mapped(int socket, in_addr address, std::uint16_t port) {
  sockaddr_in6 at{};
  at.sin6_family = AF_INET6;
  at.sin6_port = htons(port);
  std::copy(kMapped.begin(), kMapped.end(), at.sin6_addr.s6_addr);
  std::memcpy(at.sin6_addr.s6_addr + kMapped.size(), &address, sizeof address);
  return bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at);
}

std::uint16_t own_port(int socket) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size) != 0) return 0;
  const auto port = at.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(at).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(at).sin_port;
  return ntohs(port);
}

int connect_to(int socket, const sockaddr_in& to) {
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

enum class Heard { kAccepted, kReset, kRefused, kNothing };

// The number of SYNs that the kernel has dropped because a listener's queue was full (TcpExt's
// ListenOverflows; proc(5)). The file has a line of names and a line of values.
std::int64_t full_queues(const std::filesystem::path& counters) {
  std::ifstream in(counters);
  std::string names, values;
  while (std::getline(in, names) && std::getline(in, values)) {
    std::istringstream name_of(names), value_of(values);
    std::string name, value;
    while (name_of >> name && value_of >> value)
      if (name == "ListenOverflows") return std::atoll(value.c_str());
  }
  return 0;
}

// The kernel answers during the call or drops the SYN. A busy machine may be late, so this waits
// for either; the real time of the wait decides nothing.
Heard connect_at_once(int socket, const sockaddr_in& to, const std::filesystem::path& counters) {
  const std::int64_t before = full_queues(counters);
  if (connect_to(socket, to) == 0) return Heard::kAccepted;
  if (errno == EINPROGRESS) {
    pollfd answered{socket, POLLOUT, 0};
    const auto decided = [&] {
      return poll(&answered, 1, 0) > 0 || full_queues(counters) != before;
    };
    if (!wait_for_kernel(decided) || answered.revents == 0) return Heard::kNothing;
    errno = socket_option<int>(socket, SOL_SOCKET, SO_ERROR);
    if (errno == 0) return Heard::kAccepted;
  }
  if (errno == ECONNRESET) return Heard::kReset;  // it was accepted first
  return errno == ECONNREFUSED ? Heard::kRefused : Heard::kNothing;
}

}  // namespace

int HeldConnect::connect() const {
  const auto* address = reinterpret_cast<const sockaddr*>(&to);
  return ::connect(socket.get(), address, size) == 0 ? 0 : errno;
}

// The port is chosen here, for the kernel draws it at random. 0: there is none.
std::uint16_t PrivateNetwork::State::bind_caller(NetworkMachine& caller, int socket) {
  if (const std::uint16_t port = own_port(socket)) return port;
  const bool mapped = socket_option<int>(socket, SOL_SOCKET, SO_DOMAIN) == AF_INET6;
  for (int tries = kFirstPort; tries <= kLastPort; ++tries) {
    const std::uint16_t port = caller.next_port;
    caller.next_port = port == kLastPort ? kFirstPort : port + 1;
    const in_addr address = caller.member.address;
    if ((mapped ? bind_mapped : bind_to)(socket, address, port) == 0) return port;
    if (errno != EADDRINUSE) return 0;
  }
  return 0;
}

ConnectAnswer PrivateNetwork::connect(ConnectCall call) {
  State& s = *state_;
  NetworkMachine* caller = s.of_guest(call.guest);
  const auto to = ipv4_of(call.to, call.size);
  if (caller == nullptr || !to || !caller->member.vpc_block.contains(to->sin_addr) ||
      to->sin_port == 0 || to->sin_addr.s_addr == caller->member.address.s_addr)
    return {};
  base::FileDescriptor socket = call.socket();
  if (!socket || !is_fresh_tcp(socket.get())) return {};
  const std::uint16_t port = s.bind_caller(*caller, socket.get());
  if (port == 0) return {};

  const std::uint64_t id = s.next_id++;
  const auto held = std::make_shared<HeldConnect>([&s, id] { s.forget(id); });
  held->socket = std::move(socket);
  held->to = call.to;
  held->size = call.size;
  s.attempts[id] = {.caller = caller->member.name,
                    .to = *to,
                    .port = port,
                    .began = s.simulation.now(),
                    .held = held};
  const NetworkMachine* target = s.at_address(caller->member.vpc, to->sin_addr);
  const NetworkPath& path = target ? s.path(*caller, *target) : s.knobs.within_zone;
  s.simulation.after(path.round_trip / 2, [&s, id] { s.syn_arrives(id); });
  return [&s, id, held] { return held->result ? s.answer(id, *held) : std::nullopt; };
}

void PrivateNetwork::State::syn_arrives(std::uint64_t id) {
  const auto at = attempts.find(id);
  if (at == attempts.end()) return;
  ConnectAttempt& attempt = at->second;
  NetworkMachine& caller = *find(attempt.caller);
  NetworkMachine* target = at_address(caller.member.vpc, attempt.to.sin_addr);
  if (target == nullptr) return unanswered(id, "no machine with this address runs");
  const std::string obstacle =
      hooks.obstacle(attempt.caller, target->member.name, ntohs(attempt.to.sin_port));
  if (!obstacle.empty()) return unanswered(id, obstacle);

  hooks.wake(target->member.guest);
  target->outside.show(caller.member.address);
  base::FileDescriptor socket = target->outside.socket();
  if (bind_to(socket.get(), caller.member.address, attempt.port) != 0)
    return unanswered(id, "an earlier connection from this port has not ended");
  const Heard found = connect_at_once(socket.get(), attempt.to, target->member.counters);
  if (found == Heard::kNothing) return unanswered(id, "its queue of connections is full");
  const NetworkPath& path = this->path(caller, *target);
  if (found != Heard::kRefused) {
    attempt.connection = add({.port = ntohs(attempt.to.sin_port),
                              .path = path,
                              .between_zones = caller.member.zone != target->member.zone,
                              .ends = {Connection::End{.machine = caller.member.name},
                                       Connection::End{.machine = target->member.name}}});
    attach(*attempt.connection, 1, std::move(socket));
    if (found == Heard::kReset) break_off(*attempt.connection, 1);
  }
  const ConnectResult result =
      found == Heard::kRefused ? ConnectResult::kRefused : ConnectResult::kAccepted;
  simulation.after(path.round_trip / 2, [this, id, result] { report(id, result); });
}

void PrivateNetwork::State::unanswered(std::uint64_t id, const std::string& why) {
  ConnectAttempt& attempt = attempts.at(id);
  if (attempt.tries == 0)
    log_connection(events::NetworkUnanswered{.port = ntohs(attempt.to.sin_port), .why = why},
                   attempt.caller, attempt.to.sin_addr);
  const std::size_t n = attempt.tries++;
  const Time now = simulation.now();
  if (n < kSynAgain.size())
    simulation.at(std::max(now, attempt.began + kSynAgain[n]), [this, id] { syn_arrives(id); });
  else
    simulation.at(std::max(now, attempt.began + kSynGivenUp),
                  [this, id] { report(id, ConnectResult::kGivenUp); });
  const auto held = attempt.held.lock();
  if (held && (fcntl(held->socket.get(), F_GETFL) & O_NONBLOCK) != 0)
    report(id, ConnectResult::kUnanswered);
}

// Gives the result to the call if it is still held, else to the waiting kernel.
void PrivateNetwork::State::report(std::uint64_t id, ConnectResult result) {
  const auto at = attempts.find(id);
  if (at == attempts.end()) return;
  ConnectAttempt& attempt = at->second;
  if (result == ConnectResult::kAccepted && !connections.contains(*attempt.connection)) {
    attempt.connection.reset();  // the target's power has been cut
    return unanswered(id, "its machine is gone");
  }
  if (attempt.opening) return answer_late(id, result);
  const auto held = attempt.held.lock();
  if (!held) return forget(id);
  held->result = result;
  wake(attempt.caller);
}

// Makes the guest's own kernel find the known result.
std::optional<int> PrivateNetwork::State::answer(std::uint64_t id, HeldConnect& held) {
  ConnectAttempt& attempt = attempts.at(id);
  NetworkMachine& caller = *find(attempt.caller);
  Outside& outside = caller.outside;
  const in_addr peer = attempt.to.sin_addr;
  switch (*held.result) {
    case ConnectResult::kAccepted:
      return meet(attempt, caller, held);
    case ConnectResult::kRefused:
      log_connection(events::NetworkRefused{.port = ntohs(attempt.to.sin_port)}, attempt.caller,
                     peer);
      outside.show(peer);
      return held.connect();
    case ConnectResult::kUnanswered: {
      const bool shown = outside.shows(peer);
      outside.hide(peer);
      const int error = held.connect();
      if (error == EINPROGRESS)
        attempt.opening = {attempt.port, attempt.to, sequence_of_syn(held.socket.get())};
      if (shown) outside.show(peer);
      held.result.reset();
      return error;
    }
    case ConnectResult::kGivenUp:
      break;
  }
  return ETIMEDOUT;
}

// Listens beyond the guest's eth0 for just this connection.
int PrivateNetwork::State::meet(ConnectAttempt& attempt, NetworkMachine& caller,
                                HeldConnect& held) {
  const in_addr peer = attempt.to.sin_addr;
  const std::uint64_t connection = *attempt.connection;
  caller.outside.show(peer);
  const base::FileDescriptor listener = caller.outside.socket();
  base::checked(bind_to(listener.get(), peer, ntohs(attempt.to.sin_port)), "binding to a peer");
  base::checked(listen(listener.get(), 1), "listening for a guest's connection");
  const int error = held.connect();
  base::FileDescriptor socket;
  const auto accepted = [&] {
    socket = base::FileDescriptor(
        accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    return static_cast<bool>(socket);
  };
  if ((error != 0 && error != EINPROGRESS) || !wait_for_kernel(accepted)) {
    reset(connection, 1);
    return error != 0 ? error : ETIMEDOUT;
  }
  log_connection(events::NetworkConnected{.port = ntohs(attempt.to.sin_port)}, attempt.caller,
                 peer);
  attempt.connection.reset();
  attach(connection, 0, std::move(socket));
  return error;
}

// The guest's kernel waits for an answer to its SYN; a SYN from the other side is also an answer.
void PrivateNetwork::State::answer_late(std::uint64_t id, ConnectResult result) {
  const auto node = attempts.extract(id);
  const ConnectAttempt& attempt = node.mapped();
  NetworkMachine& caller = *find(attempt.caller);
  const std::uint16_t to = ntohs(attempt.to.sin_port);
  hooks.wake(caller.member.guest);
  if (result != ConnectResult::kAccepted) {
    const bool refused = result == ConnectResult::kRefused;
    if (refused)
      log_connection(events::NetworkRefused{.port = to}, attempt.caller, attempt.to.sin_addr);
    return caller.outside.end(*attempt.opening, refused ? ICMP_PORT_UNREACH : ICMP_HOST_UNREACH);
  }
  caller.outside.show(attempt.to.sin_addr);
  base::FileDescriptor socket = caller.outside.socket();
  sockaddr_in guest{};
  guest.sin_family = AF_INET;
  guest.sin_addr = caller.member.address;
  guest.sin_port = htons(attempt.port);
  base::checked(bind_to(socket.get(), attempt.to.sin_addr, to), "binding to a peer");
  if (connect_at_once(socket.get(), guest, caller.member.counters) != Heard::kAccepted)
    return reset(*attempt.connection, 1);  // the guest has closed its socket
  log_connection(events::NetworkConnected{.port = to}, attempt.caller, attempt.to.sin_addr);
  attach(*attempt.connection, 0, std::move(socket));
}

// The call is over, or no task waits for it any more.
void PrivateNetwork::State::forget(std::uint64_t id) {
  const auto at = attempts.find(id);
  if (at == attempts.end() || at->second.opening) return;
  const auto connection = at->second.connection;
  attempts.erase(at);
  if (connection && connections.contains(*connection)) reset(*connection, 1);
}

}  // namespace sim::guest
