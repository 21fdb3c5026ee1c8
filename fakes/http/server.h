// The HTTP server of all fakes: Boost.Beast on listening sockets that its owner made. It has no
// thread, no timer and no clock. The owner calls poll() or wait(), and decides when answers are
// sent.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "fakes/http/http.h"
#include "sim/kernel/simulation.h"

namespace fakes {

// Called with an answer's delay. Runs `write` when the answer may be sent, but never before it
// returns.
using Later = std::function<void(sim::Duration delay, std::function<void()> write)>;

// Time limits for clients, in real time.
struct Patience {
  std::chrono::nanoseconds head{std::chrono::seconds{75}};  // since the last answer, also if idle
  std::chrono::nanoseconds body{std::chrono::seconds{20}};
  std::chrono::nanoseconds answer{std::chrono::seconds{20}};  // to receive the answer
};

// A server's certificate chain and key for TLS: PEM texts, the server's certificate first.
struct TlsIdentity {
  std::string certificates, key;
};

// The identity for a name that a client requests (SNI), in lower case. Null: unknown name.
using IdentityOf = std::function<const TlsIdentity*(const std::string& name)>;

// Which requests may have bodies of more than 1 MiB.
struct LongUploads {
  sim::objects::BodyFile file = {};  // for received bytes
  // True if it accepts the request, before the body arrives.
  std::function<bool(const RequestHead& head)> taken;
  std::uint64_t most = 0;  // bytes
  static constexpr std::int64_t kAtOnce = std::int64_t{1} << 62;
  std::int64_t bytes_per_second = kAtOnce;  // of virtual time; also for short bodies
};

// Serves any number of listening sockets, each with its handler. A run's server works in virtual
// time: the supervisor polls it, and answers are events of the simulation. `spotsim serve` uses it
// in real time, with wait() and limits for slow clients.
class Server {
 public:
  // Answers go out by events of the simulation.
  explicit Server(sim::Simulation& simulation);
  explicit Server(Later later);
  ~Server();

  // Serves a listening TCP socket, which it owns from now on, with `handler`: HTTP/1.1, keep-alive,
  // TCP_NODELAY, bodies up to 1 MiB except long uploads. Malformed requests get 400 and the
  // connection is closed. Returns a token. `touched`, if given, is called before every action on
  // these sockets that a client may notice.
  int listen(int listening_socket, Handler handler, std::function<void()> touched = {});
  // The same with TLS 1.2 or later. `by_name`, if given, chooses the identity, else `identity`
  // applies. Throws std::runtime_error for an invalid identity.
  int listen_tls(int listening_socket, Handler handler, const TlsIdentity& identity,
                 IdentityOf by_name = {}, std::function<void()> touched = {});
  // Accepts long uploads from now on. A request whose body takes virtual time is handled at its
  // end, and not at all if its client has closed the connection by then.
  void take_long_uploads(LongUploads uploads);
  // Closes the socket and every connection that came through it; pending answers are dropped.
  void close(int token);

  // Does all socket work that is possible without waiting: accepts, reads, handles, writes. Returns
  // true if there was any, so that a caller can continue until the sockets are quiet.
  bool poll();

  // ---- for owners in real time
  //
  // Waits for work on a socket, at most this long, and does it.
  void wait(std::chrono::nanoseconds longest);
  // Calls `readable` in poll() or wait() whenever the descriptor is readable. `readable` must read
  // it. The server does not own the descriptor.
  void watch(int descriptor, std::function<void()> readable);
  // Closes the connections of clients that are slower than `patience` permits. `now` is a real
  // clock's reading; it counts as the start of everything that begins before the next call.
  void drop_slow(std::chrono::nanoseconds now, const Patience& patience);
  // Requests the next part from each feed whose last part has been written.
  void feed();
  // Accepts no further connections. Closes feeds, and connections without a request. Other
  // connections are closed after their answer.
  void finish();
  std::size_t connections() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fakes
