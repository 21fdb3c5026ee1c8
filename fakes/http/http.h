// The interface of adapters: a handler is a function from request to reply.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>  // Boost 1.74's asio.hpp needs it first under C++20

#include "sim/kernel/time.h"
#include "sim/objects/body.h"

namespace fakes {

inline std::string_view as_view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

// Of a request, all but its body.
using RequestHead = boost::beast::http::request_header<>;

struct Request : boost::beast::http::request<boost::beast::http::string_body> {
  using Message = boost::beast::http::request<boost::beast::http::string_body>;
  Request() = default;
  Request(boost::beast::http::verb method, boost::beast::string_view target, unsigned version)
      : Message(method, target, version) {}
  Request(Message&& taken) : Message(std::move(taken)) {}

  std::optional<sim::objects::Body> upload = {};  // a long body, instead of `body`
};
using Response = boost::beast::http::response<boost::beast::http::string_body>;

// A body of any length that is produced while it is sent, and takes virtual time.
struct LongBody {
  std::uint64_t size = 0;
  // Fills `part` with the bytes from `at` on. Returns false if that is impossible; the connection
  // is then closed.
  std::function<bool(std::uint64_t at, std::span<char> part)> read;
  std::int64_t bytes_per_second = 1;
};

// The time for this many bytes, without overflow or accumulated rounding.
inline sim::Duration time_of(std::uint64_t bytes, std::int64_t bytes_per_second) {
  const auto rate = static_cast<std::uint64_t>(bytes_per_second);
  const double rest = static_cast<double>(bytes % rate) / static_cast<double>(rate);
  return std::chrono::seconds(bytes / rate) + sim::Duration(static_cast<std::int64_t>(rest * 1e9));
}

// A body without an end, such as server-sent events. The server calls the function repeatedly. It
// returns the next part, or an empty text if there is none yet (Server::feed).
using Feed = std::function<std::string()>;

struct Reply;

// A client whose answer comes later.
struct Waiter {
  std::function<bool()> listens;      // false: it has closed its connection
  std::function<void(Reply)> answer;  // call it once
};

// A handler's result. The effect has happened when the handler returns. The client gets the answer
// after `delay` of virtual time.
struct Reply {
  Response response;
  sim::Duration delay{};
  std::optional<LongBody> body = {};  // instead of the response's own; not sent to a HEAD
  Feed feed = {};                     // likewise; the client ends it by closing the connection
  // Long polling: takes the client, and answers it in a later event. The other members are empty.
  std::function<void(Waiter)> pending = {};
};
using Handler = std::function<Reply(const Request&)>;

}  // namespace fakes
