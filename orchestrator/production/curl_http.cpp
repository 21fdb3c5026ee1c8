#include "orchestrator/production/curl_http.h"

#include <curl/curl.h>
#include <fmt/format.h>

namespace spotrun {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;  // no answer of AWS or IMDS comes near

struct HeaderList {
  curl_slist* list = nullptr;
  ~HeaderList() { curl_slist_free_all(list); }
  void add(const std::string& line) {
    curl_slist* longer = curl_slist_append(list, line.c_str());
    if (!longer) throw std::bad_alloc();
    list = longer;
  }
};

std::size_t receive(char* data, std::size_t, std::size_t size, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + size > kMostBytes) return 0;  // libcurl ends the transfer with an error
  body.append(data, size);
  return size;
}

// libcurl 7.88 signs Host, X-Amz-Date and all headers of CURLOPT_HTTPHEADER, the payload by its
// SHA-256. It knows nothing of session tokens: the caller gives that header.
void sign(CURL* curl, const AwsSigning& signing) {
  const std::string provider = fmt::format("aws:amz:{}:{}", signing.region, signing.service);
  curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, provider.c_str());
  curl_easy_setopt(curl, CURLOPT_USERNAME, signing.credentials.access_key_id.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, signing.credentials.secret_access_key.c_str());
}

}  // namespace

struct CurlHttp::Handle {
  CURL* curl = nullptr;
};

CurlHttp::CurlHttp() : handle_(std::make_unique<Handle>()) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  handle_->curl = global == CURLE_OK ? curl_easy_init() : nullptr;
  if (!handle_->curl) throw TransportError("libcurl cannot be initialised");
}

CurlHttp::~CurlHttp() { curl_easy_cleanup(handle_->curl); }

HttpResponse CurlHttp::send(const HttpRequest& request) {
  CURL* curl = handle_->curl;
  curl_easy_reset(curl);  // options only: connections stay
  HttpResponse response;
  HeaderList headers;
  char error[CURL_ERROR_SIZE] = "";
  for (const auto& [name, value] : request.headers) headers.add(name + ": " + value);
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.list);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &response.body);
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
  response.status = static_cast<int>(status);
  return response;
}

}  // namespace spotrun
