#include "sim/cli/ctl_client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <utility>

namespace sim::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace ssl = asio::ssl;

struct Place {
  bool tls = false;
  std::string host, port;
};

[[noreturn]] void no_answer(const std::string& url, const std::string& why) {
  throw NoAnswer("found no answer from " + url + " (" + why +
                 "), expected a `spotsim serve` there (--url)");
}

// "http://HOST:PORT", with or without a slash behind it, or https; IPv6 in brackets.
Place place_of(const std::string& url) {
  const bool tls = url.starts_with("https://");
  if (!tls && !url.starts_with("http://"))
    no_answer(url, "it does not begin with http:// or https://");
  std::string rest = url.substr(url.find("//") + 2);
  while (rest.ends_with('/')) rest.pop_back();
  const auto colon = rest.rfind(':');
  if (colon == std::string::npos || rest.find('/') != std::string::npos || rest.ends_with(']'))
    no_answer(url, "it is neither http://HOST:PORT nor https://HOST:PORT");
  std::string host = rest.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {tls, host, rest.substr(colon + 1)};
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

// A client's, which trusts who the file names and nobody else; without a file, whom the system
// does.
ssl::context trusting(const std::string& ca) {
  ssl::context context(ssl::context::tls_client);
  context.set_verify_mode(ssl::verify_peer);
  if (ca.empty()) {
    context.set_default_verify_paths();
    return context;
  }
  boost::system::error_code error;
  context.load_verify_file(ca, error);
  if (error)
    throw NoAnswer("--ca: found no certificates in " + ca + " (" + error.message() +
                   "), expected the ca.pem that `spotsim serve --tls-port` names");
  return context;
}

template <class Stream>
CtlAnswer talk(Stream& stream, const http::request<http::string_body>& request) {
  http::write(stream, request);
  boost::beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(boost::none);
  http::read(stream, buffer, parser);
  return {static_cast<long>(parser.get().result_int()), std::move(parser.get().body())};
}

}  // namespace

CtlAnswer ask(const CtlService& service, const std::string& path, const std::string& body) {
  const Place place = place_of(service.url);
  try {
    asio::io_context io;
    const auto found = asio::ip::tcp::resolver(io).resolve(place.host, place.port);
    if (!place.tls) {
      asio::ip::tcp::socket socket(io);
      asio::connect(socket, found);
      return talk(socket, request_of(place, path, body));
    }
    ssl::context context = trusting(service.ca);
    ssl::stream<asio::ip::tcp::socket> stream(io, context);
    stream.set_verify_callback(ssl::host_name_verification(place.host));
    asio::connect(stream.next_layer(), found);
    stream.handshake(ssl::stream_base::client);
    return talk(stream, request_of(place, path, body));
  } catch (const boost::system::system_error& error) {
    no_answer(service.url, error.code().message());
  }
}

}  // namespace sim::cli
