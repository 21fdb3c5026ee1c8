// The byte stream of a connection, plain or with TLS. Asio and Beast use the same type, so their
// templates are compiled once.
#pragma once

#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>  // Boost 1.74's asio.hpp needs it first under C++20

namespace fakes {

class Channel {
 public:
  using executor_type = boost::asio::ip::tcp::socket::executor_type;
  using Done = std::function<void(boost::system::error_code, std::size_t bytes)>;

  virtual ~Channel() = default;
  // The TCP socket, below TLS if there is any.
  virtual boost::asio::ip::tcp::socket& socket() = 0;
  // True if the client has closed the connection.
  bool is_left();
  // The handshakes of TLS at the start and at the end. Without TLS they complete at once, within
  // the call.
  virtual void greet(Done done) = 0;
  virtual void take_leave(Done done) = 0;

  // ---- Asio's AsyncReadStream and AsyncWriteStream
  executor_type get_executor() { return socket().get_executor(); }
  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    read_some(*boost::asio::buffer_sequence_begin(buffers), copyable(std::move(handler)));
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    Parts parts;
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto at = boost::asio::buffer_sequence_begin(buffers);
         at != end && parts.size() < parts.capacity(); ++at)
      parts.emplace_back(*at);
    write_some(parts, copyable(std::move(handler)));
  }

 protected:
  // A message's head has some ten parts. If there are more, the next call writes the rest.
  using Parts = boost::container::static_vector<boost::asio::const_buffer, 16>;

 private:
  virtual void read_some(boost::asio::mutable_buffer part, Done done) = 0;
  virtual void write_some(const Parts& parts, Done done) = 0;

  // Handlers of composed operations can only be moved.
  template <class Handler>
  static Done copyable(Handler handler) {
    return [kept = std::make_shared<Handler>(std::move(handler))](
               boost::system::error_code error, std::size_t bytes) { (*kept)(error, bytes); };
  }
};

std::unique_ptr<Channel> plain_channel(boost::asio::ip::tcp::socket socket);
// Takes over the caller's reference to `context`.
std::unique_ptr<Channel> tls_channel(boost::asio::ip::tcp::socket socket, SSL_CTX* context);

}  // namespace fakes
