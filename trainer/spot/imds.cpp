#include "trainer/spot/imds.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string_view>

namespace spottrain {
namespace {

constexpr std::size_t kMostBytes = 64 << 10;
constexpr std::size_t kLongestToken = 1024;

std::size_t receive(char* data, std::size_t, std::size_t size, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + size > kMostBytes) return 0;  // libcurl ends the transfer with an error
  body.append(data, size);
  return size;
}

// True if a header may have the text: it has no characters that end a line.
bool is_token(std::string_view text) {
  return !text.empty() && text.size() <= kLongestToken &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
}

// The beginning of a body in one line, for messages.
std::string excerpt(const std::string& body) {
  std::string text = body.substr(0, 80);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = ' ';
  }
  return text;
}

}  // namespace

// The easy handle keeps the connection, and wake() can end the multi handle's poll.
struct Imds::Transfer {
  CURLM* multi = nullptr;
  CURL* easy = nullptr;
};

std::string imds_endpoint() {
  const char* named = std::getenv("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  return named != nullptr && *named != '\0' ? named : "http://169.254.169.254";
}

Imds::Imds(const std::string& endpoint, std::chrono::milliseconds timeout)
    : endpoint_(endpoint), timeout_(timeout), transfer_(std::make_unique<Transfer>()) {
  if (!endpoint.starts_with("http://") && !endpoint.starts_with("https://")) {
    throw std::invalid_argument(
        fmt::format("metadata service endpoint '{}': expected http://… or https://…", endpoint));
  }
  while (endpoint_.ends_with('/')) endpoint_.pop_back();
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (global == CURLE_OK) transfer_->multi = curl_multi_init();
  if (transfer_->multi != nullptr) transfer_->easy = curl_easy_init();
  if (transfer_->easy == nullptr) {
    curl_multi_cleanup(transfer_->multi);
    throw std::bad_alloc();
  }
}

Imds::~Imds() {
  curl_easy_cleanup(transfer_->easy);
  curl_multi_cleanup(transfer_->multi);
}

void Imds::wake() {
  woken_.store(true);
  curl_multi_wakeup(transfer_->multi);
}

bool Imds::woken() const { return woken_.load(); }

void Imds::wait(std::chrono::milliseconds duration) {
  if (woken()) return;
  curl_multi_poll(transfer_->multi, nullptr, 0, static_cast<int>(duration.count()), nullptr);
}

Imds::Reply Imds::send(const char* method, const std::string& path, const std::string& header) {
  CURL* easy = transfer_->easy;
  CURLM* multi = transfer_->multi;
  Reply reply;
  curl_easy_reset(easy);  // options only: the connection stays
  const std::string url = endpoint_ + "/latest/" + path;
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(
      curl_slist_append(nullptr, header.c_str()), curl_slist_free_all);
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_.count()));
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &reply.body);

  curl_multi_add_handle(multi, easy);
  CURLcode result = CURLE_ABORTED_BY_CALLBACK;  // what a woken transfer ends with
  for (int running = 1; running > 0 && !woken();) {
    curl_multi_perform(multi, &running);
    int left = 0;
    if (const CURLMsg* done = curl_multi_info_read(multi, &left)) result = done->data.result;
    if (running > 0) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
  if (result == CURLE_OK) {
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply.status);
  } else {
    reply.body = fmt::format("{}: {}", url, curl_easy_strerror(result));
  }
  curl_multi_remove_handle(multi, easy);
  return reply;
}

bool Imds::renew_token(std::string& why) {
  const Reply reply = send("PUT", "api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600");
  token_ = reply.status == 200 && is_token(reply.body) ? reply.body : "";
  if (token_.empty()) {
    why = reply.status == 0 ? reply.body
                            : fmt::format("PUT api/token: {} '{}', expected 200 and a token",
                                          reply.status, excerpt(reply.body));
  }
  return !token_.empty();
}

ImdsAnswer Imds::get(const std::string& path) {
  using Kind = ImdsAnswer::Kind;
  std::string why;
  if (token_.empty() && !renew_token(why)) return {Kind::failed, why};
  const auto read = [&] { return send("GET", path, "X-aws-ec2-metadata-token: " + token_); };
  Reply reply = read();
  if (reply.status == 401) {
    if (!renew_token(why)) return {Kind::failed, why};
    reply = read();
  }
  if (reply.status == 200) return {Kind::found, std::move(reply.body)};
  if (reply.status == 404) return {Kind::absent, ""};
  if (reply.status == 0) return {Kind::failed, std::move(reply.body)};
  return {Kind::failed, fmt::format("GET {}: {} '{}', expected 200 or 404", path, reply.status,
                                    excerpt(reply.body))};
}

}  // namespace spottrain
