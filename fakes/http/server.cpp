#include "fakes/http/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <vector>

namespace fakes {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kHeaderLimit = 16 * 1024;
constexpr std::uint64_t kBodyLimit = 1024 * 1024;
// What is read and thrown away of a client that goes on sending after its request was refused.
constexpr std::uint64_t kDrainLimit = 4 * kBodyLimit;

// A connection, as its listener and the server see it.
class Session {
 public:
  virtual ~Session() = default;
  virtual void start() = 0;
  virtual void close() = 0;
  virtual bool waits_for_request() const = 0;
  virtual bool too_slow(std::chrono::nanoseconds now, const Patience& patience) const = 0;
};

using TlsStream = asio::ssl::stream<tcp::socket>;
tcp::socket& socket_of(tcp::socket& stream) { return stream; }
tcp::socket& socket_of(TlsStream& stream) { return stream.next_layer(); }

// What all connections of a server share.
struct Desk {
  Later later;
  std::chrono::nanoseconds now{};  // the real clock, as last told
  bool finishing = false;
};

// A listening socket, the handler behind it and the connections that came through it.
struct Listener {
  Listener(asio::io_context& io, const Desk& d, Handler h, std::function<void()> t)
      : acceptor(io), desk(d), handler(std::move(h)), touched(t ? std::move(t) : [] {}) {}
  tcp::acceptor acceptor;
  const Desk& desk;
  Handler handler;
  const std::function<void()> touched;
  bool accepting = false;
  std::chrono::nanoseconds failed{-1};  // the reading of desk.now at which nobody could be accepted
  std::optional<asio::ssl::context> tls;  // empty: plain
  std::map<std::uint64_t, std::shared_ptr<Session>> connections;
  std::uint64_t next_connection = 1;
};

Response plain(http::status status, unsigned version, const std::string& text) {
  Response response{status, version};
  response.set(http::field::content_type, "text/plain");
  response.body() = text + "\n";
  return response;
}

// One connection: reads a request, handles it, waits for its delay, writes the answer, and only
// then reads the next, so that pipelined requests are answered in order. Owned by its listener; a
// completion handler or an event that comes after close() finds it closed.
template <class Stream>
class Connection : public Session, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Stream stream, std::shared_ptr<Listener> listener, std::uint64_t id)
      : stream_(std::move(stream)),
        listener_(listener),
        id_(id),
        buffer_(kHeaderLimit + kBodyLimit) {
    error_code ignored;
    socket_of(stream_).set_option(tcp::no_delay(true), ignored);
  }

  void start() override {
    enter(Stage::kHead);
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      stream_.async_handshake(TlsStream::server, [self = this->shared_from_this()](error_code e) {
        if (e) return self->close();
        self->read();
      });
    } else {
      read();
    }
  }

  void close() override {
    touch();
    error_code ignored;
    socket_of(stream_).close(ignored);
    if (const auto listener = listener_.lock()) listener->connections.erase(id_);
  }

  bool waits_for_request() const override { return stage_ == Stage::kHead; }
  bool too_slow(std::chrono::nanoseconds now, const Patience& patience) const override {
    switch (stage_) {
      case Stage::kHead:
        return now - since_ > patience.head;
      case Stage::kBody:
        return now - since_ > patience.body;
      case Stage::kHandled:
        return false;  // it is not the client who takes long
      case Stage::kAnswer:
        return now - since_ > patience.answer;
    }
    return false;
  }

 private:
  enum class Stage { kHead, kBody, kHandled, kAnswer };

  void touch() const {
    if (const auto listener = listener_.lock()) listener->touched();
  }
  void enter(Stage stage) {
    touch();
    stage_ = stage;
    if (const auto listener = listener_.lock()) since_ = listener->desk.now;
  }

  void read() {
    enter(Stage::kHead);
    parser_.emplace();
    parser_->header_limit(kHeaderLimit);
    parser_->body_limit(kBodyLimit);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                              if (error) return self->refuse(error);
                              self->read_body();
                            });
  }

  bool is_open() { return socket_of(stream_).is_open(); }

  // curl and the SDKs send the body of a larger request only after "100 Continue".
  void read_body() {
    enter(Stage::kBody);
    if (!parser_->is_done() && parser_->get()[http::field::expect] == "100-continue") {
      auto go_on = std::make_shared<http::response<http::empty_body>>(http::status::continue_, 11);
      http::async_write(stream_, *go_on,
                        [self = this->shared_from_this(), go_on](error_code error, std::size_t) {
                          if (error) return self->close();
                          self->read_rest();
                        });
      return;
    }
    read_rest();
  }

  void read_rest() {
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (error) return self->refuse(error);
                       self->handle();
                     });
  }

  void handle() {
    const auto listener = listener_.lock();
    if (!listener || !is_open()) return;
    enter(Stage::kHandled);
    const Request request = parser_->release();
    Reply reply = listener->handler(request);
    response_ = std::move(reply.response);
    response_.version(request.version());
    response_.keep_alive(request.keep_alive() && !listener->desk.finishing);
    response_.content_length(response_.body().size());
    if (request.method() == http::verb::head) response_.body().clear();
    const auto delay = std::max(reply.delay, sim::Duration::zero());
    listener->desk.later(delay, [weak = this->weak_from_this()] {
      if (const auto self = weak.lock(); self && self->is_open()) self->write();
    });
  }

  void write() {
    enter(Stage::kAnswer);
    http::async_write(stream_, response_,
                      [self = this->shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->close();
                        if (!self->response_.keep_alive()) return self->hang_up();
                        self->read();
                      });
  }

  void refuse(error_code error) {
    if (!is_open()) return;
    if (error == http::error::end_of_stream || error == http::error::partial_message ||
        error.category() != http::make_error_code(http::error::end_of_stream).category()) {
      return close();  // the client went away
    }
    auto status = http::status::bad_request;
    if (error == http::error::body_limit) status = http::status::payload_too_large;
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      status = http::status::request_header_fields_too_large;
    }
    response_ = plain(status, 11, error.message());
    response_.keep_alive(false);
    response_.prepare_payload();
    write();
  }

  // Closing a socket with unread bytes resets the connection, and the client may lose the answer:
  // so half is closed first, and what still comes is thrown away.
  void hang_up() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      stream_.async_shutdown([self = this->shared_from_this()](error_code) { self->half_close(); });
    } else {
      half_close();
    }
  }

  void half_close() {
    touch();
    error_code error;
    socket_of(stream_).shutdown(tcp::socket::shutdown_send, error);
    if (error) return close();
    drain();
  }

  void drain() {
    touch();
    socket_of(stream_).async_read_some(
        asio::buffer(sink_), [self = this->shared_from_this()](error_code error, std::size_t n) {
          self->drained_ += n;
          if (error || self->drained_ > kDrainLimit) return self->close();
          self->drain();
        });
  }

  Stream stream_;
  std::weak_ptr<Listener> listener_;
  std::uint64_t id_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Response response_;
  Stage stage_ = Stage::kHead;
  std::chrono::nanoseconds since_{};  // it is in this stage
  std::array<char, 4096> sink_;
  std::uint64_t drained_ = 0;
};

void accept(const std::shared_ptr<Listener>& listener) {
  listener->accepting = true;
  listener->acceptor.async_accept([listener](error_code error, tcp::socket socket) {
    listener->accepting = false;
    // Out of descriptors, say: a later poll() tries again; trying here would never end.
    if (error) {
      listener->failed = listener->desk.now;
      return;
    }
    const auto id = listener->next_connection++;
    std::shared_ptr<Session> made;
    if (listener->tls) {
      made = std::make_shared<Connection<TlsStream>>(TlsStream(std::move(socket), *listener->tls),
                                                     listener, id);
    } else {
      made = std::make_shared<Connection<tcp::socket>>(std::move(socket), listener, id);
    }
    listener->connections.emplace(id, made);
    made->start();
    accept(listener);
  });
}

tcp protocol_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::system_error(errno, std::generic_category(), "fakes::Server::listen");
  }
  if (address.ss_family == AF_INET6) return tcp::v6();
  if (address.ss_family == AF_INET) return tcp::v4();
  throw std::invalid_argument("fakes::Server::listen: not a TCP socket");
}

}  // namespace

struct Server::State {
  explicit State(Later later) : desk{std::move(later)} {}

  void watch(int descriptor) {
    Watched& watched = watches.at(descriptor);
    watched.descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                                  [this, descriptor](error_code error) {
                                    if (error) return;
                                    watches.at(descriptor).readable();
                                    watch(descriptor);
                                  });
  }
  int listen(int listening_socket, std::shared_ptr<Listener> listener) {
    listener->acceptor.assign(protocol_of(listening_socket), listening_socket);
    const int token = next_token++;
    listeners.emplace(token, listener);
    accept(listener);
    return token;
  }
  std::vector<std::shared_ptr<Session>> connections() const {
    std::vector<std::shared_ptr<Session>> all;
    for (const auto& [token, listener] : listeners)
      for (const auto& [id, connection] : listener->connections) all.push_back(connection);
    return all;
  }

  Desk desk;
  asio::io_context io{1};
  std::map<int, std::shared_ptr<Listener>> listeners;
  int next_token = 1;
  struct Watched {
    asio::posix::stream_descriptor descriptor;
    std::function<void()> readable;
  };
  std::map<int, Watched> watches;
};

Server::Server(sim::Simulation& simulation)
    : Server([&simulation](sim::Duration delay, std::function<void()> write) {
        simulation.after(delay, std::move(write));
      }) {}
Server::Server(Later later) : state_(std::make_unique<State>(std::move(later))) {}

Server::~Server() {
  for (auto& [descriptor, watched] : state_->watches) watched.descriptor.release();
  while (!state_->listeners.empty()) close(state_->listeners.begin()->first);
}

int Server::listen(int listening_socket, Handler handler, std::function<void()> touched) {
  return state_->listen(
      listening_socket,
      std::make_shared<Listener>(state_->io, state_->desk, std::move(handler), std::move(touched)));
}

int Server::listen_tls(int listening_socket, Handler handler, const TlsIdentity& identity) {
  auto listener = std::make_shared<Listener>(state_->io, state_->desk, std::move(handler),
                                             std::function<void()>());
  asio::ssl::context& tls = listener->tls.emplace(asio::ssl::context::tls_server);
  tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                  asio::ssl::context::no_tlsv1_1);
  tls.use_certificate_chain(asio::buffer(identity.certificates));
  tls.use_private_key(asio::buffer(identity.key), asio::ssl::context::pem);
  return state_->listen(listening_socket, std::move(listener));
}

void Server::close(int token) {
  const auto found = state_->listeners.find(token);
  if (found == state_->listeners.end()) return;
  const auto listener = found->second;
  state_->listeners.erase(found);
  error_code ignored;
  listener->acceptor.close(ignored);
  const auto connections = std::move(listener->connections);
  listener->connections.clear();
  for (const auto& [id, connection] : connections) connection->close();
}

bool Server::poll() {
  for (const auto& [token, listener] : state_->listeners) {
    const auto now = state_->desk.now;
    const bool may = now == now.zero() || now > listener->failed;  // where there is a clock: later
    if (!listener->accepting && may && !state_->desk.finishing) accept(listener);
  }
  state_->io.restart();
  return state_->io.poll() > 0;
}

void Server::wait(std::chrono::nanoseconds longest) {
  state_->io.restart();
  state_->io.run_one_for(longest);
}

void Server::watch(int descriptor, std::function<void()> readable) {
  state_->watches.emplace(
      descriptor,
      State::Watched{asio::posix::stream_descriptor(state_->io, descriptor), std::move(readable)});
  state_->watch(descriptor);
}

void Server::drop_slow(std::chrono::nanoseconds now, const Patience& patience) {
  state_->desk.now = now;
  for (const auto& connection : state_->connections())
    if (connection->too_slow(now, patience)) connection->close();
}

void Server::finish() {
  state_->desk.finishing = true;
  error_code ignored;
  for (const auto& [token, listener] : state_->listeners) listener->acceptor.close(ignored);
  for (const auto& connection : state_->connections())
    if (connection->waits_for_request()) connection->close();
}

std::size_t Server::connections() const { return state_->connections().size(); }

}  // namespace fakes
