#include "sim/cli/ctl_client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <utility>

namespace sim::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

struct Place {
  std::string host, port;
};

[[noreturn]] void no_answer(const std::string& url, const std::string& why) {
  throw NoAnswer("found no answer from " + url + " (" + why +
                 "), expected a `spotsim serve` there (--url)");
}

// "http://HOST:PORT", with or without a slash behind it; IPv6 in brackets.
Place place_of(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) no_answer(url, "it does not begin with http://");
  std::string rest = url.substr(kScheme.size());
  while (rest.ends_with('/')) rest.pop_back();
  const auto colon = rest.rfind(':');
  if (colon == std::string::npos || rest.find('/') != std::string::npos || rest.ends_with(']'))
    no_answer(url, "it is not http://HOST:PORT");
  std::string host = rest.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, rest.substr(colon + 1)};
}

http::request<http::string_body> request_of(const Place& place, const std::string& path,
                                            const std::string& body) {
  http::request<http::string_body> request{body.empty() ? http::verb::get : http::verb::post, path,
                                           11};
  request.set(http::field::host, place.host);
  request.set(http::field::content_type, "application/json");
  request.keep_alive(false);
  request.body() = body;
  request.prepare_payload();
  return request;
}

}  // namespace

CtlAnswer ask(const std::string& url, const std::string& path, const std::string& body) {
  const Place place = place_of(url);
  try {
    asio::io_context io;
    asio::ip::tcp::socket socket(io);
    asio::connect(socket, asio::ip::tcp::resolver(io).resolve(place.host, place.port));
    http::write(socket, request_of(place, path, body));
    boost::beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    http::read(socket, buffer, parser);
    return {static_cast<long>(parser.get().result_int()), std::move(parser.get().body())};
  } catch (const boost::system::system_error& error) {
    no_answer(url, error.code().message());
  }
}

}  // namespace sim::cli
