// What an adapter is made of: a function from request to reply.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <utility>  // Boost 1.74's asio.hpp needs it first under C++20

#include "sim/kernel/time.h"

namespace fakes {

using Request = boost::beast::http::request<boost::beast::http::string_body>;
using Response = boost::beast::http::response<boost::beast::http::string_body>;

// The effect has happened when the handler returns; the answer reaches the client after `delay` of
// virtual time.
struct Reply {
  Response response;
  sim::Duration delay{};
};
using Handler = std::function<Reply(const Request&)>;

}  // namespace fakes
