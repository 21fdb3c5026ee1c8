// HTTP on one connection. A connection uses the settings of the listener that accepted it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "fakes/http/channel.h"
#include "fakes/http/server.h"
#include "fakes/http/tls_contexts.h"

namespace fakes {

// Reads a request, handles it, waits for its delay, writes the answer, and only then reads the
// next, so that pipelined requests are answered in order. Owned by its listener.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void start() = 0;
  virtual void close() = 0;
  // Whether the client waits for no answer: no request has arrived, or the client reads a feed.
  virtual bool is_idle() const = 0;
  // Writes the next part of the feed, if there is a feed and its last part has been written.
  virtual void feed() = 0;
  virtual bool too_slow(std::chrono::nanoseconds now, const Patience& patience) const = 0;
};

// The state that all connections of a server share.
struct ServerState {
  Later later;
  std::chrono::nanoseconds now{};  // the last known time of the real clock
  bool finishing = false;
  LongUploads uploads = {};
};

// A listening socket with its handler and its connections.
struct Listener {
  Listener(boost::asio::io_context& io, ServerState& s, Handler h, std::function<void()> t)
      : acceptor(io), shared(s), handler(std::move(h)), touched(t ? std::move(t) : [] {}) {}
  boost::asio::ip::tcp::acceptor acceptor;
  ServerState& shared;
  Handler handler;
  const std::function<void()> touched;
  bool accepting = false;
  std::chrono::nanoseconds failed{-1};  // shared.now at the last failure to accept
  std::unique_ptr<TlsContexts> tls;     // null: plain
  int writing = 0;                      // connections that may write at any time
  std::map<std::uint64_t, std::shared_ptr<Connection>> connections;
  std::uint64_t next_connection = 1;
};

std::shared_ptr<Connection> http_connection(std::unique_ptr<Channel> channel,
                                            const std::shared_ptr<Listener>& listener,
                                            std::uint64_t id);

}  // namespace fakes
