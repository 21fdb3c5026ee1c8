#include "fakes/http/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <vector>

#include "fakes/http/tls_contexts.h"

namespace fakes {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kHeaderLimit = 16 * 1024;
constexpr std::uint64_t kBodyLimit = 1024 * 1024;
// A long upload is written to its file in parts of this.
constexpr std::size_t kUploadPart = 256 * 1024, kSocketRead = 64 * 1024;
// What is read and thrown away of a client that goes on sending after its request was refused.
constexpr std::uint64_t kDrainLimit = 4 * kBodyLimit;
// A long body goes out in parts of a tenth of a second, within these bounds.
constexpr std::int64_t kPartsPerSecond = 10, kSmallestPart = 16 * 1024, kLargestPart = 1024 * 1024;

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
  LongUploads uploads = {};
};

// How long that many bytes take, without what rounding would do to great numbers of them.
sim::Duration time_of(std::uint64_t bytes, std::int64_t bytes_per_second) {
  const auto rate = static_cast<std::uint64_t>(bytes_per_second);
  const double rest = static_cast<double>(bytes % rate) / static_cast<double>(rate);
  return std::chrono::seconds(bytes / rate) + sim::Duration(static_cast<std::int64_t>(rest * 1e9));
}

// A listening socket, the handler behind it and the connections that came through it.
struct Listener {
  Listener(asio::io_context& io, Desk& d, Handler h, std::function<void()> t)
      : acceptor(io), desk(d), handler(std::move(h)), touched(t ? std::move(t) : [] {}) {}
  tcp::acceptor acceptor;
  Desk& desk;
  Handler handler;
  const std::function<void()> touched;
  bool accepting = false;
  std::chrono::nanoseconds failed{-1};  // the reading of desk.now at which nobody could be accepted
  std::unique_ptr<TlsContexts> tls;     // null: plain
  int writing = 0;  // connections on whose sockets something may be written at any time
  std::map<std::uint64_t, std::shared_ptr<Session>> connections;
  std::uint64_t next_connection = 1;
};

Response plain(http::status status, unsigned version, const std::string& text) {
  Response response{status, version};
  response.set(http::field::content_type, "text/plain");
  response.body() = text + "\n";
  return response;
}

// RFC 9110, 8.6; in a 304 it would be the length that a 200 had.
bool may_have_length(http::status status) {
  return status != http::status::no_content && status != http::status::not_modified;
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

  ~Connection() override { count_writing(-1); }

  void start() override {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      enter(Stage::kGreeting);
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

  bool waits_for_request() const override {
    return stage_ == Stage::kHead || stage_ == Stage::kGreeting;
  }
  bool too_slow(std::chrono::nanoseconds now, const Patience& patience) const override {
    switch (stage_) {
      case Stage::kGreeting:
      case Stage::kHead:
        return now - since_ > patience.head;
      case Stage::kBody:
        return now - since_ > patience.body;
      case Stage::kHandled:
        return false;  // it is not the client who takes long
      case Stage::kAnswer:
      case Stage::kClosing:
        return now - since_ > patience.answer;
    }
    return false;
  }

 private:
  enum class Stage { kGreeting, kHead, kBody, kHandled, kAnswer, kClosing };

  void touch() const {
    if (const auto listener = listener_.lock()) listener->touched();
  }
  void enter(Stage stage) {
    touch();
    count_writing(-1);
    stage_ = stage;
    count_writing(+1);
    if (const auto listener = listener_.lock()) since_ = listener->desk.now;
  }

  // What does not fit into a socket at once, and what TLS says before a request, is written when
  // the client makes room for it or asks, not when a stage begins.
  void count_writing(int change) const {
    if (stage_ != Stage::kGreeting && stage_ != Stage::kAnswer) return;
    if (const auto listener = listener_.lock()) listener->writing += change;
  }

  void read() {
    enter(Stage::kHead);
    head_.emplace();
    head_->header_limit(kHeaderLimit);
    head_->body_limit(std::numeric_limits<std::uint64_t>::max());  // looked at in read_body()
    http::async_read_header(stream_, buffer_, *head_,
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                              if (error) return self->refuse(error);
                              self->read_body();
                            });
  }

  bool is_open() { return socket_of(stream_).is_open(); }

  bool takes_long_upload() const {
    const auto listener = listener_.lock();
    return listener && listener->desk.uploads.taken &&
           listener->desk.uploads.taken(Request::Message(http::request_header<>(head_->get())));
  }

  // curl and the SDKs send the body of a larger request only after "100 Continue"; also of an empty
  // one: botocore, told the end at once, takes its status for the next request's.
  void read_body() {
    enter(Stage::kBody);
    const auto listener = listener_.lock();
    if (!listener) return;
    long_ = takes_long_upload();
    const std::uint64_t most = long_ ? listener->desk.uploads.most : kBodyLimit;
    if (head_->content_length().value_or(0) > most) return refuse(http::error::body_limit);
    if (head_->get()[http::field::expect] == "100-continue") {
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
    // Beast reads as much at a time as there is room for: 512 bytes else.
    if (head_->chunked() || head_->content_length().value_or(0) >= kSocketRead)
      buffer_.reserve(kSocketRead);
    if (long_ && head_->content_length().value_or(kBodyLimit + 1) > kBodyLimit)
      return begin_long_upload();
    parser_.emplace(std::move(*head_));
    parser_->body_limit(kBodyLimit);
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (error) return self->refuse(error);
                       self->arrived(self->parser_->release());
                     });
  }

  void begin_long_upload() {
    const auto listener = listener_.lock();
    if (!listener) return;
    upload_ = {};
    long_parser_.emplace(std::move(*head_));
    long_parser_->body_limit(listener->desk.uploads.most);
    part_.resize(kUploadPart);
    read_part();
  }

  void read_part() {
    auto& body = long_parser_->get().body();
    body.data = part_.data();
    body.size = part_.size();
    http::async_read(stream_, buffer_, *long_parser_,
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (error && error != http::error::need_buffer) return self->refuse(error);
                       self->keep_part();
                     });
  }

  void keep_part() {
    const auto listener = listener_.lock();
    if (!listener) return;
    since_ = listener->desk.now;
    const std::size_t n = part_.size() - long_parser_->get().body().size;
    try {
      upload_.append(listener->desk.uploads.file.keep(std::span(part_).first(n)));
    } catch (const std::system_error& error) {
      return answer_and_close(plain(http::status::insufficient_storage, 11, error.what()));
    }
    if (!long_parser_->is_done()) return read_part();
    part_ = {};
    Request request(
        Request::Message(http::request_header<>(std::move(long_parser_->get().base()))));
    request.upload = std::move(upload_);
    arrived(std::move(request));
  }

  // A body is there when its last byte is.
  void arrived(Request request) {
    const auto listener = listener_.lock();
    if (!listener || !is_open()) return;
    enter(Stage::kHandled);
    if (buffer_.capacity() >= kSocketRead) buffer_.shrink_to_fit();
    const std::uint64_t size = request.upload ? request.upload->size() : request.body().size();
    const auto takes =
        long_ ? time_of(size, listener->desk.uploads.bytes_per_second) : sim::Duration::zero();
    if (takes == sim::Duration::zero()) return handle(request);
    later(takes, [request = std::make_shared<Request>(std::move(request))](Connection& self) {
      if (self.is_left()) return self.close();
      self.handle(*request);
    });
  }

  // Whether the client is seen to have gone.
  bool is_left() {
    char next;
    const ssize_t n = recv(socket_of(stream_).native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
  }

  void handle(const Request& request) {
    const auto listener = listener_.lock();
    if (!listener || !is_open()) return;
    enter(Stage::kHandled);
    Reply reply = listener->handler(request);
    response_ = std::move(reply.response);
    response_.version(request.version());
    response_.keep_alive(request.keep_alive() && !listener->desk.finishing);
    body_ = std::move(reply.body);
    if (may_have_length(response_.result()))
      response_.content_length(body_ ? body_->size : response_.body().size());
    if (request.method() == http::verb::head) {
      response_.body().clear();
      body_.reset();
    }
    later(reply.delay, [](Connection& self) { self.write(); });
  }

  template <class Do>
  void later(sim::Duration delay, Do what) {
    const auto listener = listener_.lock();
    if (!listener) return;
    listener->desk.later(std::max(delay, sim::Duration::zero()),
                         [weak = this->weak_from_this(), what] {
                           if (const auto self = weak.lock(); self && self->is_open()) what(*self);
                         });
  }

  void write() {
    if (body_) return write_head();
    enter(Stage::kAnswer);
    http::async_write(stream_, response_,
                      [self = this->shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->close();
                        self->answered();
                      });
  }

  void answered() {
    if (!response_.keep_alive()) return hang_up();
    read();
  }

  void write_head() {
    enter(Stage::kAnswer);
    auto head = std::make_shared<http::response<http::empty_body>>(response_.base());
    http::async_write(stream_, *head,
                      [self = this->shared_from_this(), head](error_code error, std::size_t) {
                        if (error) return self->close();
                        self->sent_ = 0;
                        self->wait_for_part();
                      });
  }

  // A part is there when its last byte is, after what was taken of the parts before.
  void wait_for_part() {
    if (sent_ == body_->size) {
      body_.reset();
      part_ = {};
      return answered();
    }
    enter(Stage::kHandled);
    const auto most = static_cast<std::uint64_t>(
        std::clamp(body_->bytes_per_second / kPartsPerSecond, kSmallestPart, kLargestPart));
    part_.resize(std::min(most, body_->size - sent_));
    const std::int64_t rate = body_->bytes_per_second;
    later(time_of(sent_ + part_.size(), rate) - time_of(sent_, rate),
          [](Connection& self) { self.write_part(); });
  }

  void write_part() {
    if (!body_->read(sent_, part_)) return close();
    enter(Stage::kAnswer);
    asio::async_write(stream_, asio::buffer(part_),
                      [self = this->shared_from_this()](error_code error, std::size_t n) {
                        if (error) return self->close();
                        self->sent_ += n;
                        self->wait_for_part();
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
    answer_and_close(plain(status, 11, error.message()));
  }

  void answer_and_close(Response response) {
    response_ = std::move(response);
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
    count_writing(-1);  // nothing more is, however long the client holds its half
    stage_ = Stage::kClosing;
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
  std::optional<http::request_parser<http::empty_body>> head_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::request_parser<http::buffer_body>> long_parser_;
  sim::objects::Body upload_;  // as far as it has come
  bool long_ = false;          // the request may have a long body
  Response response_;
  std::optional<LongBody> body_;
  std::uint64_t sent_ = 0;  // of the body
  std::vector<char> part_;  // of a long body, that comes next
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
      asio::ssl::context context(listener->tls->new_reference());
      made = std::make_shared<Connection<TlsStream>>(TlsStream(std::move(socket), context),
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

int Server::listen_tls(int listening_socket, Handler handler, const TlsIdentity& identity,
                       IdentityOf by_name, std::function<void()> touched) {
  auto listener =
      std::make_shared<Listener>(state_->io, state_->desk, std::move(handler), std::move(touched));
  listener->tls = std::make_unique<TlsContexts>(identity, std::move(by_name));
  return state_->listen(listening_socket, std::move(listener));
}

void Server::take_long_uploads(LongUploads uploads) { state_->desk.uploads = std::move(uploads); }

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
    if (listener->writing > 0) listener->touched();
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
