#include "fakes/http_messages.h"

#include <algorithm>
#include <array>
#include <boost/beast/zlib/inflate_stream.hpp>
#include <string_view>
#include <utility>

#include "sim/cloud/error.h"

namespace fakes {
namespace {

std::string_view text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

sim::cloud::ApiError invalid_gzip(const char* why) {
  return {"SerializationException", std::string("The request's body is not valid gzip: ") + why};
}

// The length of a gzip member's header (RFC 1952).
std::size_t gzip_header(std::string_view bytes) {
  constexpr std::size_t kFixed = 10;
  constexpr unsigned kChecksum = 2, kExtra = 4, kFileName = 8, kComment = 16;
  if (bytes.size() < kFixed || !bytes.starts_with("\x1f\x8b\x08")) throw invalid_gzip("no header");
  const auto at = [&](std::size_t i) {
    if (i >= bytes.size()) throw invalid_gzip("its header is cut off");
    return static_cast<unsigned char>(bytes[i]);
  };
  const unsigned flags = at(3);
  std::size_t end = kFixed;
  if ((flags & kExtra) != 0) end += 2 + at(end) + 256U * at(end + 1);
  for (const unsigned text : {kFileName, kComment})
    if ((flags & text) != 0) {
      while (at(end) != 0) ++end;
      ++end;
    }
  if ((flags & kChecksum) != 0) end += 2;
  return std::min(end, bytes.size());
}

std::string gunzip(std::string_view bytes) {
  namespace zlib = boost::beast::zlib;
  constexpr std::size_t kMost = 4 << 20;
  bytes.remove_prefix(gzip_header(bytes));
  std::string out;
  std::array<char, 16384> part;
  zlib::inflate_stream stream;
  zlib::z_params state;
  state.next_in = bytes.data();
  state.avail_in = bytes.size();
  for (boost::beast::error_code error; error != zlib::error::end_of_stream;) {
    state.next_out = part.data();
    state.avail_out = part.size();
    stream.write(state, zlib::Flush::sync, error);
    if (error && error != zlib::error::end_of_stream) throw invalid_gzip(error.message().c_str());
    const std::size_t made = part.size() - state.avail_out;
    if (made == 0 && !error) throw invalid_gzip("its data is cut off");
    if (out.size() + made > kMost)
      throw sim::cloud::ApiError("RequestEntityTooLarge", "The request is larger than 4 MiB", 413);
    out.append(part.data(), made);
  }
  return out;
}

}  // namespace

void decompress(api::HttpRequest& request) {
  const std::string* const encoding = request.headers.find("content-encoding");
  if (encoding != nullptr && *encoding == "gzip") request.body = gunzip(request.body);
}

api::HttpRequest read_http(const RequestHead& request, const std::string& body) {
  const std::string_view target = text_of(request.target());
  const auto mark = std::min(target.find('?'), target.size());
  api::HttpRequest http{.method = std::string(text_of(request.method_string())),
                        .path = std::string(target.substr(0, mark)),
                        .query = std::string(target.substr(std::min(mark + 1, target.size()))),
                        .headers = {},
                        .body = body};
  for (const auto& field : request)
    http.headers.add(text_of(field.name_string()), std::string(text_of(field.value())));
  return http;
}

Response as_response(api::HttpResponse http) {
  Response response;
  response.result(static_cast<unsigned>(http.status));
  for (const auto& [name, value] : http.headers) response.set(name, value);
  if (http.status != 304) response.body() = std::move(http.body);
  return response;
}

}  // namespace fakes
