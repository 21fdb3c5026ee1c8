#include "sim/cli/serve/ctl_client.h"

#include <curl/curl.h>

#include <memory>
#include <new>

#include "sim/serve/web_guard.h"

namespace sim::cli {
namespace {

[[noreturn]] void no_answer(const std::string& url, const std::string& why) {
  throw NoAnswer("found no answer from " + url + " (" + why +
                 "), expected a `spotsim serve` there (--url)");
}

struct EndHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct EndList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

std::size_t receive(char* data, std::size_t, std::size_t size, void* body) {
  static_cast<std::string*>(body)->append(data, size);
  return size;
}

// The URL of the path at "http://HOST:PORT" or https, with or without a final slash.
std::string address(const std::string& url, const std::string& path) {
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    no_answer(url, "it does not begin with http:// or https://");
  std::string place = url;
  while (place.ends_with('/')) place.pop_back();
  const std::string host = place.substr(url.find("//") + 2);
  if (host.find('/') != std::string::npos || host.find(':') == std::string::npos ||
      host.ends_with(']'))
    no_answer(url, "it is neither http://HOST:PORT nor https://HOST:PORT");
  return place + path;
}

}  // namespace

CtlAnswer ask(const CtlService& service, const std::string& path, const std::string& body) {
  const std::unique_ptr<CURL, EndHandle> curl(curl_easy_init());
  const std::string control = std::string(serve::kControlHeader) + ": 1";
  const std::unique_ptr<curl_slist, EndList> headers(
      curl_slist_append(nullptr, "Content-Type: application/json"));
  if (!curl || !headers || !curl_slist_append(headers.get(), control.c_str()))
    throw std::bad_alloc();
  const std::string at = address(service.url, path);
  CtlAnswer answer;
  char error[CURL_ERROR_SIZE] = "";
  const auto set = [&](CURLoption option, auto value) {
    curl_easy_setopt(curl.get(), option, value);
  };
  set(CURLOPT_URL, at.c_str());
  set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ERRORBUFFER, error);
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_WRITEFUNCTION, receive);
  set(CURLOPT_WRITEDATA, &answer.body);
  if (!service.ca.empty()) {  // with an own CA, no other CA is trusted
    set(CURLOPT_CAINFO, service.ca.c_str());
    set(CURLOPT_CAPATH, nullptr);
  }
  if (!body.empty()) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    set(CURLOPT_POSTFIELDS, body.c_str());
  }
  const CURLcode code = curl_easy_perform(curl.get());
  const std::string why = *error != '\0' ? error : curl_easy_strerror(code);
  if (code == CURLE_SSL_CACERT_BADFILE && !service.ca.empty())
    throw NoAnswer("--ca: found no certificates in " + service.ca + " (" + why +
                   "), expected the ca.pem that `spotsim serve --tls-port` names");
  if (code != CURLE_OK) no_answer(service.url, why);
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
}

}  // namespace sim::cli
