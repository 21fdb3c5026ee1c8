// The state that PrivateNetwork's parts share. It is private to them.
#pragma once

#include <arpa/inet.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/guest/network/lines.h"
#include "sim/guest/network/outside.h"
#include "sim/guest/network/private_network.h"

namespace sim::guest {

constexpr std::uint16_t kFirstPort = 32768, kLastPort = 60999;  // Linux's ip_local_port_range

struct NetworkMachine {
  NetworkMember member;
  Outside outside;
  InstanceLines lines;
  std::uint16_t next_port;  // next local port of its outgoing connections
};

// The result of an attempt to connect.
enum class ConnectResult {
  kAccepted,
  kRefused,
  kUnanswered,  // no answer yet: a non-blocking call returns
  kGivenUp,
};

// A connect(2) that the supervisor holds.
struct HeldConnect {
  explicit HeldConnect(std::function<void()> when_over) : over(std::move(when_over)) {}
  ~HeldConnect() { over(); }
  HeldConnect(const HeldConnect&) = delete;
  HeldConnect& operator=(const HeldConnect&) = delete;

  const std::function<void()> over;  // the call
  base::FileDescriptor socket;       // a duplicate of the guest's
  sockaddr_storage to{};
  socklen_t size = 0;
  std::optional<ConnectResult> result;

  // Lets the guest's own kernel connect. Returns 0 or errno.
  int connect() const;
};

struct ConnectAttempt {
  std::string caller;
  sockaddr_in to{};
  std::uint16_t port = 0;  // the caller's local port
  Time began{};
  std::size_t tries = 0;                              // number of attempts without an answer
  std::weak_ptr<HeldConnect> held;                    // until the call returns
  std::optional<Outside::PendingConnection> opening;  // the call has returned, and the kernel waits
  std::optional<std::uint64_t> connection;            // the target has accepted it
};

// A connection from one instance to another. It consists of two sockets of the simulator and the
// bytes between them.
struct Connection {
  struct Piece {
    enum class Kind { kData, kEnd, kReset } kind;
    std::string data;
  };
  struct End {
    std::string machine;
    base::FileDescriptor socket;
    enum class State { kExpected, kOpen, kClosed } state = State::kExpected;
    bool mute = false;      // the machine has lost power and no longer answers
    bool ended = false;     // its guest has closed its side
    bool told_end = false;  // its guest has received the other side's close
  };
  // The direction from ends[i] to the other end.
  struct Way {
    std::deque<Piece> under_way;  // one event each
    std::deque<Piece> arrived;    // not yet accepted by the guest's kernel
    std::int64_t unread = 0;      // bytes in both
    std::int64_t bytes = 0;       // total sent so far
    Line line;
    std::size_t lost = 0;  // the first pieces of under_way, which the sender's kernel will repeat
  };
  std::uint16_t port = 0;  // the target's port
  NetworkPath path;
  bool between_zones = false;
  std::array<End, 2> ends;  // the caller's and the target's
  std::array<Way, 2> ways;
  bool closed_is_logged = false;
};

struct PrivateNetwork::State {
  State(Simulation&, EventLog&, NetworkKnobs, NetworkHooks);

  // ---- the guests of the network (private_network.cpp)
  NetworkMachine* find(const std::string& name);
  NetworkMachine* at_address(const std::string& vpc, in_addr address);
  NetworkMachine* of_guest(int guest);
  const NetworkPath& path(const NetworkMachine& a, const NetworkMachine& b) const;
  void wake(const std::string& name);
  // Logs an event of the kinds network.connected, refused and unanswered.
  template <class E>
  void log_connection(E event, const std::string& caller, in_addr target) {
    event.time = simulation.now();
    event.instance_id = caller;
    event.address = inet_ntoa(target);
    log.append(event);
  }

  // ---- until both ends are connected (attempts.cpp)
  std::uint16_t bind_caller(NetworkMachine& caller, int socket);
  void syn_arrives(std::uint64_t id);
  void unanswered(std::uint64_t id, const std::string& why);
  void report(std::uint64_t id, ConnectResult result);
  std::optional<int> answer(std::uint64_t id, HeldConnect& held);
  int meet(ConnectAttempt& attempt, NetworkMachine& caller, HeldConnect& held);
  void answer_late(std::uint64_t id, ConnectResult result);
  void forget(std::uint64_t id);

  // ---- connected ends (connections.cpp)
  std::uint64_t add(Connection connection);
  void attach(std::uint64_t id, int end, base::FileDescriptor socket);
  void watch(std::uint64_t id, Connection& c, int end);
  bool hear(std::uint64_t id, int end, bool broken);
  void break_off(std::uint64_t id, int end);
  void send(std::uint64_t id, int from, Connection::Piece piece);
  void arrives(std::uint64_t id, int from);
  void repeat(std::uint64_t id, int from, Duration waited, int nth);
  void deliver(std::uint64_t id, int from);
  void close_end(std::uint64_t id, int end);
  void reset(std::uint64_t id, int end);
  void log_closed(Connection& c, std::string_view how);
  void erase_if_over(std::uint64_t id);
  void drain(std::uint64_t id, int end);
  void silence(std::uint64_t id, int dead);
  bool poll();

  Simulation& simulation;
  EventLog& log;
  const NetworkKnobs knobs;
  const NetworkHooks hooks;
  base::FileDescriptor ready;  // epoll of all open ends
  std::map<std::string, std::unique_ptr<NetworkMachine>> machines;
  std::map<std::uint64_t, ConnectAttempt> attempts;
  std::map<std::uint64_t, Connection> connections;
  std::uint64_t next_id = 1;
};

}  // namespace sim::guest
