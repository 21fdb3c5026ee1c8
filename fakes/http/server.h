// The HTTP server of all fakes: Boost.Beast on listening sockets that others made. It has no
// thread, no timer and no clock; whoever owns it calls poll() or wait(), and says when answers go
// out.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "fakes/http/http.h"
#include "sim/kernel/simulation.h"

namespace fakes {

// Called with an answer's delay; runs `write` when the answer may go out, never before it returns.
using Later = std::function<void(sim::Duration delay, std::function<void()> write)>;

// How long a client may take, in real time.
struct Patience {
  std::chrono::nanoseconds head{std::chrono::seconds{75}};  // from the answer before, so idling too
  std::chrono::nanoseconds body{std::chrono::seconds{20}};
  std::chrono::nanoseconds answer{std::chrono::seconds{20}};  // to take it
};

// Who a server is, to clients that ask over TLS: PEM texts, the certificate's own first.
struct TlsIdentity {
  std::string certificates, key;
};

// Who a server is to a client that asks for a name (SNI), in lower case; null: nobody of that name.
using IdentityOf = std::function<const TlsIdentity*(const std::string& name)>;

// Which requests may have bodies of more than 1 MiB.
struct LongUploads {
  sim::objects::BodyFile file = {};  // where they go
  // Of a request whose body has not come.
  std::function<bool(const RequestHead& head)> taken;
  std::uint64_t most = 0;  // bytes
  static constexpr std::int64_t kAtOnce = std::int64_t{1} << 62;
  std::int64_t bytes_per_second = kAtOnce;  // of virtual time, also of short ones
};

class Server {
 public:
  // Answers go out by events of the simulation.
  explicit Server(sim::Simulation& simulation);
  explicit Server(Later later);
  ~Server();

  // Serves a listening TCP socket (owned from here on) with `handler`: HTTP/1.1, keep-alive,
  // TCP_NODELAY, bodies up to 1 MiB (but for long uploads); malformed requests get 400 and the
  // connection is closed. Returns a token. `touched`, where given, is called before anything is
  // done on these sockets that a client may notice.
  int listen(int listening_socket, Handler handler, std::function<void()> touched = {});
  // The same over TLS 1.2 or later, as `by_name` has it, where given, else as `identity`. Throws
  // std::runtime_error for an identity that is none.
  int listen_tls(int listening_socket, Handler handler, const TlsIdentity& identity,
                 IdentityOf by_name = {}, std::function<void()> touched = {});
  // From here on. A request whose body takes virtual time to come is handled at its end, and not at
  // all when its client has gone by then.
  void take_long_uploads(LongUploads uploads);
  // Closes the socket and every connection that came through it; pending answers are dropped.
  void close(int token);

  // Does all socket work that can be done without waiting: accepts, reads, handles, writes. True
  // when there was any, so that a caller can go on until the sockets are quiet.
  bool poll();

  // ---- for owners that live on real time
  // Waits for socket work, and does the first of it; at most that long.
  void wait(std::chrono::nanoseconds longest);
  // Calls `readable` within poll() or wait() whenever the descriptor (not owned) has something to
  // read; it must read it.
  void watch(int descriptor, std::function<void()> readable);
  // Closes the connections of clients that are slower than `patience` permits. `now` is a real
  // clock's reading; it counts as the start of everything that begins before the next call.
  void drop_slow(std::chrono::nanoseconds now, const Patience& patience);
  // Asks each feed whose last part has been written for its next part.
  void feed();
  // Accepts nobody any more, and closes connections whose request has not come, and feeds. Others
  // end with their answer.
  void finish();
  std::size_t connections() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fakes
