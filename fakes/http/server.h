// The HTTP server of all fakes: Boost.Beast on listening sockets that the guests' sandboxes made.
// It has no thread and no timer; whoever owns the run calls poll(), and delays are events of the
// simulation.
#pragma once

#include <functional>
#include <memory>

#include "fakes/http/http.h"
#include "sim/kernel/simulation.h"

namespace fakes {

class Server {
 public:
  explicit Server(sim::Simulation& simulation);
  ~Server();

  // Serves a listening TCP socket (owned from here on) with `handler`: HTTP/1.1, keep-alive,
  // TCP_NODELAY, bodies up to 1 MiB; malformed requests get 400 and the connection is closed.
  // Returns a token. `touched`, where given, is called before anything is done on these sockets
  // that a client may notice.
  int listen(int listening_socket, Handler handler, std::function<void()> touched = {});
  // Closes the socket and every connection that came through it; pending answers are dropped.
  void close(int token);

  // Does all socket work that can be done without waiting: accepts, reads, handles, writes. True
  // when there was any, so that a caller can go on until the sockets are quiet.
  bool poll();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fakes
