// Bytes between two instances: read from the sender's socket, and written to the receiver's socket
// when they have arrived.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

#include "base/process/system_call.h"
#include "sim/events/event.h"
#include "sim/guest/network/network_state.h"

namespace sim::guest {
namespace {

constexpr std::size_t kLongestPiece = 256 * 1024;
// The most bytes that a sender may be ahead of the receiver in one direction, apart from the
// kernels' buffers (Linux's largest send buffer).
constexpr std::int64_t kWindow = 4 * 1024 * 1024;

// Linux's shortest and longest time until a lost packet is repeated (TCP_RTO_MIN, TCP_RTO_MAX).
constexpr Duration kFirstRepeat = std::chrono::milliseconds{200};
constexpr Duration kLongestRepeat = std::chrono::minutes{2};
// The number of repeats after which Linux gives up (tcp_retries2): after about 15 minutes.
constexpr int kMostRepeats = 15;

std::uint64_t key_of(std::uint64_t id, int end) { return id << 1 | static_cast<unsigned>(end); }

}  // namespace

std::uint64_t PrivateNetwork::State::add(Connection connection) {
  const std::uint64_t id = next_id++;
  connections.emplace(id, std::move(connection));
  return id;
}

void PrivateNetwork::State::attach(std::uint64_t id, int end, base::FileDescriptor socket) {
  Connection& c = connections.at(id);
  const int one = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  epoll_event wanted{.events = 0, .data = {.u64 = key_of(id, end)}};
  base::checked(epoll_ctl(ready.get(), EPOLL_CTL_ADD, socket.get(), &wanted),
                "watching a connection");
  c.ends[end].socket = std::move(socket);
  c.ends[end].state = Connection::End::State::kOpen;
  watch(id, c, end);
  deliver(id, 1 - end);
}

// Watches for the operations that are possible at this end now.
void PrivateNetwork::State::watch(std::uint64_t id, Connection& c, int end) {
  const Connection::End& e = c.ends[end];
  if (e.state != Connection::End::State::kOpen || e.mute) return;
  epoll_event wanted{.events = 0, .data = {.u64 = key_of(id, end)}};
  if (!e.ended && c.ways[end].unread < kWindow) wanted.events |= EPOLLIN;
  if (!c.ways[1 - end].arrived.empty()) wanted.events |= EPOLLOUT;
  base::checked(epoll_ctl(ready.get(), EPOLL_CTL_MOD, e.socket.get(), &wanted),
                "watching a connection");
}

// Reads one piece of the data that the guest at this end has sent; false when there is none.
bool PrivateNetwork::State::hear(std::uint64_t id, int end, bool broken) {
  Connection& c = connections.at(id);
  Connection::End& e = c.ends[end];
  wake(e.machine);  // it may wait for room
  std::string data(kLongestPiece, '\0');
  const ssize_t n = e.ended ? 0 : recv(e.socket.get(), data.data(), data.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR) && !broken) return false;
  if (n > 0) {
    data.resize(static_cast<std::size_t>(n));
    c.ways[end].unread += n;
    c.ways[end].bytes += n;
    if (c.between_zones) hooks.between_zones(e.machine, c.ends[1 - end].machine, n);
    send(id, end, {Connection::Piece::Kind::kData, std::move(data)});
  } else if (n == 0 && !e.ended) {
    e.ended = true;
    send(id, end, {Connection::Piece::Kind::kEnd, {}});
    if (e.told_end) close_end(id, end);
  } else {
    break_off(id, end);
  }
  const auto at = connections.find(id);
  if (at != connections.end()) watch(id, at->second, end);
  return true;
}

// Its guest has reset the connection.
void PrivateNetwork::State::break_off(std::uint64_t id, int end) {
  connections.at(id).ends[end].ended = true;
  send(id, end, {Connection::Piece::Kind::kReset, {}});
  close_end(id, end);
}

void PrivateNetwork::State::send(std::uint64_t id, int from, Connection::Piece piece) {
  Connection& c = connections.at(id);
  NetworkMachine* sender = find(c.ends[from].machine);
  NetworkMachine* receiver = find(c.ends[1 - from].machine);
  Line gone;  // the line of a machine that no longer exists
  Connection::Way& way = c.ways[from];
  const Time at = arrival(simulation.now(), static_cast<std::int64_t>(piece.data.size()), c.path,
                          knobs.instance_bandwidth, sender ? sender->lines.out : gone, way.line,
                          receiver ? receiver->lines.in : gone);
  way.under_way.push_back(std::move(piece));
  simulation.at(at, [this, id, from] { arrives(id, from); });
}

void PrivateNetwork::State::arrives(std::uint64_t id, int from) {
  const auto found = connections.find(id);
  if (found == connections.end()) return;
  Connection& c = found->second;
  Connection::Way& way = c.ways[from];
  if (way.lost > 0 || hooks.loses(c.ends[from].machine, c.ends[1 - from].machine)) {
    if (++way.lost == 1)
      simulation.after(kFirstRepeat, [this, id, from] { repeat(id, from, kFirstRepeat, 1); });
    return;
  }
  way.arrived.push_back(std::move(way.under_way.front()));
  way.under_way.pop_front();
  deliver(id, from);
}

// The sender's kernel repeats lost pieces, each time after twice the wait before. When it gives up,
// the receiver hears nothing. The sender's guest gets ECONNRESET instead of ETIMEDOUT, because only
// a RST ends its socket from here.
void PrivateNetwork::State::repeat(std::uint64_t id, int from, Duration waited, int nth) {
  const auto found = connections.find(id);
  if (found == connections.end()) return;
  Connection& c = found->second;
  if (nth > kMostRepeats) return reset(id, from);
  if (hooks.loses(c.ends[from].machine, c.ends[1 - from].machine)) {
    const Duration wait = std::min(waited * 2, kLongestRepeat);
    return void(
        simulation.after(wait, [this, id, from, wait, nth] { repeat(id, from, wait, nth + 1); }));
  }
  Connection::Way& way = c.ways[from];
  for (; way.lost > 0; --way.lost) {
    way.arrived.push_back(std::move(way.under_way.front()));
    way.under_way.pop_front();
  }
  deliver(id, from);
}

// Gives the other guest's kernel as many bytes as it accepts.
void PrivateNetwork::State::deliver(std::uint64_t id, int from) {
  Connection& c = connections.at(id);
  Connection::Way& way = c.ways[from];
  Connection::End& to = c.ends[1 - from];
  if (to.state == Connection::End::State::kExpected) return;
  if (!way.arrived.empty()) wake(to.machine);
  while (!way.arrived.empty()) {
    Connection::Piece& piece = way.arrived.front();
    if (to.state == Connection::End::State::kClosed) {
      way.unread -= static_cast<std::int64_t>(piece.data.size());
    } else if (piece.kind == Connection::Piece::Kind::kEnd) {
      shutdown(to.socket.get(), SHUT_WR);
      to.told_end = true;
      if (to.ended) close_end(id, 1 - from);
    } else if (piece.kind == Connection::Piece::Kind::kReset) {
      reset(id, 1 - from);
      if (!connections.contains(id)) return;
      continue;  // bytes that had arrived are lost with it
    } else {
      const ssize_t n = ::send(to.socket.get(), piece.data.data(), piece.data.size(),
                               MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n < 0 && errno != EAGAIN && errno != EINTR) {  // its guest has closed the connection
        hear(id, 1 - from, true);
        if (!connections.contains(id)) return;
        continue;
      }
      const auto taken = static_cast<std::size_t>(std::max<ssize_t>(n, 0));
      way.unread -= static_cast<std::int64_t>(taken);
      piece.data.erase(0, taken);
      if (!piece.data.empty()) break;
    }
    way.arrived.pop_front();
  }
  watch(id, c, 1 - from);
  watch(id, c, from);
  erase_if_over(id);
}

void PrivateNetwork::State::close_end(std::uint64_t id, int end) {
  Connection::End& e = connections.at(id).ends[end];
  if (e.state == Connection::End::State::kOpen && !e.mute)
    epoll_ctl(ready.get(), EPOLL_CTL_DEL, e.socket.get(), nullptr);
  e.socket = {};
  e.state = Connection::End::State::kClosed;
}

// Its guest gets a RST.
void PrivateNetwork::State::reset(std::uint64_t id, int end) {
  Connection& c = connections.at(id);
  if (c.ends[end].state == Connection::End::State::kOpen) {
    wake(c.ends[end].machine);
    const linger at_once{1, 0};
    setsockopt(c.ends[end].socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  close_end(id, end);
  c.ways[1 - end].arrived.clear();
  if (c.ends[1 - end].state == Connection::End::State::kExpected)
    c.ends[1 - end].state = Connection::End::State::kClosed;
  log_closed(c, "reset");
  erase_if_over(id);
}

void PrivateNetwork::State::log_closed(Connection& c, std::string_view how) {
  if (c.closed_is_logged) return;
  c.closed_is_logged = true;
  log.append(events::NetworkClosed{.time = simulation.now(),
                                   .instance_id = c.ends[0].machine,
                                   .peer_id = c.ends[1].machine,
                                   .port = c.port,
                                   .sent_bytes = static_cast<std::int64_t>(c.ways[0].bytes),
                                   .received_bytes = static_cast<std::int64_t>(c.ways[1].bytes),
                                   .how = how});
}

void PrivateNetwork::State::erase_if_over(std::uint64_t id) {
  const auto at = connections.find(id);
  if (at == connections.end()) return;
  Connection& c = at->second;
  for (const Connection::End& end : c.ends)
    if (end.state != Connection::End::State::kClosed) return;
  log_closed(c, "closed");
  connections.erase(at);
}

// Reads the remaining data of a machine whose processes have ended.
void PrivateNetwork::State::drain(std::uint64_t id, int end) {
  for (;;) {
    const auto at = connections.find(id);
    if (at == connections.end()) return;
    const Connection::End& e = at->second.ends[end];
    if (e.state != Connection::End::State::kOpen || e.ended || e.mute) break;
    hear(id, end, true);
  }
  close_end(id, end);
  deliver(id, 1 - end);  // bytes that have arrived for it are lost
}

// The power of one end's machine is cut. The other end's guest gets no message and no answers.
void PrivateNetwork::State::silence(std::uint64_t id, int dead) {
  Connection& c = connections.at(id);
  Connection::End& other = c.ends[1 - dead];
  NetworkMachine* there = find(other.machine);
  log_closed(c, "cut");
  close_end(id, dead);
  if (other.state == Connection::End::State::kOpen && there != nullptr && !other.mute) {
    epoll_ctl(ready.get(), EPOLL_CTL_DEL, other.socket.get(), nullptr);
    other.mute = true;
    there->outside.hide(find(c.ends[dead].machine)->member.address);
  }
  if (other.state == Connection::End::State::kExpected)
    connections.erase(id);
  else
    erase_if_over(id);
}

// In the order of the connections, not in that in which they became ready.
bool PrivateNetwork::State::poll() {
  if (connections.empty()) return false;
  // Room for all descriptors: with a shorter list the kernel would choose which to report.
  std::vector<epoll_event> found(2 * connections.size() + 1);
  const int n = epoll_wait(ready.get(), found.data(), static_cast<int>(found.size()), 0);
  std::map<std::uint64_t, std::uint32_t> events;
  for (int i = 0; i < n; ++i) {
    const auto& one = found[static_cast<std::size_t>(i)];
    events[one.data.u64] = one.events;
  }
  for (const auto& [key, what] : events) {
    const std::uint64_t id = key >> 1;
    const int end = static_cast<int>(key & 1);
    if (!connections.contains(id)) continue;
    if (connections.at(id).ends[end].state != Connection::End::State::kOpen) continue;
    if ((what & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0)
      hear(id, end, (what & (EPOLLERR | EPOLLHUP)) != 0);
    if ((what & EPOLLOUT) != 0 && connections.contains(id)) deliver(id, 1 - end);
  }
  return n > 0;
}

}  // namespace sim::guest
