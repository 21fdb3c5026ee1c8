#include "sim/serve/fallback.h"

#include <curl/curl.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <memory>
#include <new>

namespace sim::serve {
namespace {

constexpr long kConnectSeconds = 5, kAnswerSeconds = 60;

// Headers of one connection (RFC 9110, section 7.6.1), and those that curl writes itself.
constexpr std::string_view kOfConnection[] = {"Connection",        "Content-Length",   "Expect",
                                              "Keep-Alive",        "Proxy-Connection", "TE",
                                              "Transfer-Encoding", "Trailer",          "Upgrade"};

bool is_of_connection(std::string_view name) {
  return std::ranges::any_of(kOfConnection, [&](std::string_view own) {
    return boost::beast::iequals({own.data(), own.size()}, {name.data(), name.size()});
  });
}

struct EndHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct EndList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, EndList>;

void add(HeaderList& list, const std::string& line) {
  curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(list.release());
  list.reset(longer);
}

HeaderList passed_headers(const fakes::Request& request) {
  HeaderList list;
  // curl adds none of its own.
  for (const char* own : {"Accept", "Content-Type", "Expect", "User-Agent"})
    if (request.count(own) == 0) add(list, std::string(own) + ":");
  for (const auto& field : request) {
    const std::string name(field.name_string()), value(field.value());
    if (!is_of_connection(name)) add(list, value.empty() ? name + ";" : name + ": " + value);
  }
  return list;
}

std::size_t take_body(char* data, std::size_t, std::size_t size, void* response) {
  static_cast<fakes::Response*>(response)->body().append(data, size);
  return size;
}

// One line. An interim response (100) comes before the final one.
std::size_t take_header(char* data, std::size_t, std::size_t size, void* to) {
  auto& response = *static_cast<fakes::Response*>(to);
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) response.clear();
  const auto colon = line.find(':');
  if (colon == line.npos) return size;
  const auto name = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == '\r' || value.back() == '\n' || value.back() == ' '))
    value.remove_suffix(1);
  if (!is_of_connection(name))
    response.insert({name.data(), name.size()}, {value.data(), value.size()});
  return size;
}

}  // namespace

std::string endpoint_of(std::string_view url) {
  if (url.ends_with('/')) url.remove_suffix(1);
  const std::size_t host = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  const bool is_endpoint =
      host > 0 && url.size() > host && url.find_first_of("/?#@ ", host) == std::string_view::npos;
  return is_endpoint ? std::string(url) : "";
}

std::variant<fakes::Response, NoEndpoint> pass_on(const std::string& endpoint,
                                                  const fakes::Request& request) {
  const std::unique_ptr<CURL, EndHandle> curl(curl_easy_init());
  if (!curl) throw std::bad_alloc();
  const HeaderList headers = passed_headers(request);
  const std::string method(request.method_string()), target(request.target());
  fakes::Response response;
  char error[CURL_ERROR_SIZE] = "";
  const auto set = [&](CURLoption option, auto value) {
    curl_easy_setopt(curl.get(), option, value);
  };
  set(CURLOPT_URL, endpoint.c_str());
  set(CURLOPT_REQUEST_TARGET, target.c_str());
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  set(CURLOPT_TIMEOUT, kAnswerSeconds);
  set(CURLOPT_ERRORBUFFER, error);
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_WRITEFUNCTION, take_body);
  set(CURLOPT_WRITEDATA, &response);
  set(CURLOPT_HEADERFUNCTION, take_header);
  set(CURLOPT_HEADERDATA, &response);
  if (method == "HEAD") set(CURLOPT_NOBODY, 1L);
  if (!request.body().empty() || method == "POST" || method == "PUT") {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body().size()));
    set(CURLOPT_POSTFIELDS, request.body().c_str());
  }
  set(CURLOPT_CUSTOMREQUEST, method.c_str());
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) return NoEndpoint{*error != '\0' ? error : curl_easy_strerror(code)};
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  response.result(static_cast<unsigned>(status));
  return response;
}

}  // namespace sim::serve
