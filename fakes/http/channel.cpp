#include "fakes/http/channel.h"

#include <sys/socket.h>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <cerrno>

namespace fakes {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

class PlainChannel : public Channel {
 public:
  explicit PlainChannel(tcp::socket socket) : socket_(std::move(socket)) {}
  tcp::socket& socket() override { return socket_; }
  void greet(Done done) override { done({}, 0); }
  void take_leave(Done done) override { done({}, 0); }

 private:
  void read_some(asio::mutable_buffer part, Done done) override {
    socket_.async_read_some(part, std::move(done));
  }
  void write_some(const Parts& parts, Done done) override {
    socket_.async_write_some(parts, std::move(done));
  }

  tcp::socket socket_;
};

class TlsChannel : public Channel {
 public:
  TlsChannel(tcp::socket socket, asio::ssl::context& context)
      : stream_(std::move(socket), context) {}
  tcp::socket& socket() override { return stream_.next_layer(); }
  void greet(Done done) override {
    stream_.async_handshake(stream_.server,
                            [done = std::move(done)](error_code error) { done(error, 0); });
  }
  void take_leave(Done done) override {
    stream_.async_shutdown([done = std::move(done)](error_code error) { done(error, 0); });
  }

 private:
  void read_some(asio::mutable_buffer part, Done done) override {
    stream_.async_read_some(part, std::move(done));
  }
  void write_some(const Parts& parts, Done done) override {
    stream_.async_write_some(parts, std::move(done));
  }

  asio::ssl::stream<tcp::socket> stream_;
};

}  // namespace

bool Channel::is_left() {
  char next;
  const ssize_t n = recv(socket().native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

std::unique_ptr<Channel> plain_channel(tcp::socket socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

std::unique_ptr<Channel> tls_channel(tcp::socket socket, SSL_CTX* context) {
  asio::ssl::context taken(context);  // the stream has a reference of its own
  return std::make_unique<TlsChannel>(std::move(socket), taken);
}

}  // namespace fakes
