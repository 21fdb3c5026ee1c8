#include "client/production/curl_http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text/lower_case.h"

namespace client {
namespace {

struct HeaderList {
  curl_slist* list = nullptr;
  ~HeaderList() { curl_slist_free_all(list); }
  void add(const std::string& line) {
    curl_slist* longer = curl_slist_append(list, line.c_str());
    if (!longer) throw std::bad_alloc();
    list = longer;
  }
};

struct Receiving {
  const std::size_t most_bytes;
  HttpResponse response;
};

std::size_t receive(char* data, std::size_t, std::size_t size, void* to) {
  auto& [most_bytes, response] = *static_cast<Receiving*>(to);
  if (response.body.size() + size > most_bytes) return 0;  // libcurl ends it with an error
  response.body.append(data, size);
  return size;
}

std::size_t receive_header(char* data, std::size_t, std::size_t size, void* to) {
  auto& headers = static_cast<Receiving*>(to)->response.headers;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) headers.clear();  // earlier headers belong to a status 100
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return size;
  const std::size_t first = std::min(line.find_first_not_of(" \t", colon + 1), size);
  const std::size_t last = line.find_last_not_of(" \t\r\n");
  headers.emplace_back(base::lower_case(line.substr(0, colon)),
                       line.substr(first, last < first ? 0 : last + 1 - first));
  return size;
}

// libcurl 7.88 signs Host, X-Amz-Date and all headers of CURLOPT_HTTPHEADER, and the payload by its
// SHA-256. It has no option for session tokens, so the caller adds that header.
void sign(CURL* curl, const AwsSigning& signing) {
  const std::string provider = fmt::format("aws:amz:{}:{}", signing.region, signing.service);
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, provider.c_str());
  curl_easy_setopt(curl, CURLOPT_USERNAME, signing.credentials.access_key_id.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, signing.credentials.secret_access_key.c_str());
}

}  // namespace

std::string ca_file_of(const Environment& environment) {
  const std::string bundle = environment("AWS_CA_BUNDLE");
  return bundle.empty() ? environment("SSL_CERT_FILE") : bundle;
}

struct CurlHttp::Handle {
  CURL* curl = nullptr;
};

CurlHttp::CurlHttp(std::string ca_file)
    : ca_file_(std::move(ca_file)), handle_(std::make_unique<Handle>()) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  handle_->curl = global == CURLE_OK ? curl_easy_init() : nullptr;
  if (!handle_->curl) throw TransportError("libcurl cannot be initialised");
}

CurlHttp::~CurlHttp() { curl_easy_cleanup(handle_->curl); }

HttpResponse CurlHttp::send(const HttpRequest& request) {
  CURL* curl = handle_->curl;
  curl_easy_reset(curl);  // options only: connections stay
  Receiving receiving{.most_bytes = request.most_bytes, .response = {}};
  HeaderList headers;
  char error[CURL_ERROR_SIZE] = "";
  for (const auto& [name, value] : request.headers) headers.add(name + ": " + value);
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.list);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &receiving);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &receiving);
  if (!ca_file_.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file_.c_str());
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  if (request.method != "GET") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  if (request.signing) sign(curl, *request.signing);
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    throw TransportError(fmt::format("{} {}: {}", request.method, request.url,
                                     *error ? error : curl_easy_strerror(code)));
  }
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  receiving.response.status = static_cast<int>(status);
  return std::move(receiving.response);
}

}  // namespace client
